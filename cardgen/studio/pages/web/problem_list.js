// The problems of the file that is being written, with their quick fixes.
export default {
  template: `
    <section class="problems" aria-label="Problems">
      <h2 tabindex="-1">Problems <output aria-live="polite" data-testid="problem-count">{{ isDone ? problems.length : '…' }}</output></h2>
      <p v-if="fault" class="problems-none">Not checked: {{ fault }}.</p>
      <p v-else-if="!isDone" class="problems-none">Checking …</p>
      <p v-else-if="!problems.length" class="problems-none">No problems found.</p>
      <ul>
        <li v-for="(problem, number) in problems" :key="number" :class="problem.severity">
          <button type="button" class="problem-place" @click="problem.line && $emit('go', problem.line)">
            <span class="chip" :class="problem.severity">{{ problem.severity }}</span>
            <span>{{ problem.place }}: {{ problem.message }}</span></button>
          <a v-if="problem.address" :href="problem.address">Open {{ problem.file }}</a>
          <p v-if="problem.help" class="problem-help">{{ problem.help }}</p>
          <p class="problem-actions">
            <button v-for="(title, action) in problem.actions" :key="action" type="button" class="studio-button"
              data-testid="fix" @click="$emit('fix', {problem: number, action, revision})">{{ title }}</button>
            <details v-if="problem.code"><summary>{{ problem.code }} {{ problem.check }}</summary>{{ problem.reason }}</details>
          </p>
        </li>
      </ul>
    </section>`,
  props: { problems: Array, checked: Boolean, fault: String, revision: Number },
  emits: ["go", "fix"],
  data() { return { isOld: false }; },
  computed: { isDone() { return this.checked && !this.isOld; } },
  watch: { problems() { this.isOld = false; } },
  // Called by the server when the text has changed: the problems stay until the new ones are known.
  methods: { expect() { this.isOld = true; } },
  // The focus of a fix that is done goes to the heading.
  beforeUpdate() { this.hadFocus = this.$el.contains(document.activeElement); },
  updated() { if (this.hadFocus && document.activeElement === document.body) this.$el.querySelector("h2").focus(); },
};
