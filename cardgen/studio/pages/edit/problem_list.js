// The problems of the file that is being written, with their quick fixes.
export default {
  template: `
    <section class="problems" aria-label="Problems">
      <h2 tabindex="-1">Problems <output aria-live="polite" data-testid="problem-count">{{ checked ? problems.length : '…' }}</output></h2>
      <p v-if="checked && !problems.length" class="problems-none">No problems found.</p>
      <ul>
        <li v-for="(problem, number) in problems" :key="number" :class="problem.severity">
          <button type="button" class="problem-place" @click="$emit('go', problem.line)">
            <span class="chip" :class="problem.severity">{{ problem.severity }}</span>
            <span>line {{ problem.line }}: {{ problem.message }}</span></button>
          <p v-if="problem.help" class="problem-help">{{ problem.help }}</p>
          <p class="problem-actions">
            <button v-for="(title, action) in problem.actions" :key="action" type="button" class="studio-button"
              data-testid="fix" @click="$emit('fix', {problem: number, action, revision})">{{ title }}</button>
            <details v-if="problem.code"><summary>{{ problem.code }} {{ problem.check }}</summary>{{ problem.reason }}</details>
          </p>
        </li>
      </ul>
    </section>`,
  props: { problems: Array, checked: Boolean, revision: Number },
  emits: ["go", "fix"],
  // The focus of a fix that is done goes to the heading.
  beforeUpdate() { this.hadFocus = this.$el.contains(document.activeElement); },
  updated() { if (this.hadFocus && document.activeElement === document.body) this.$el.querySelector("h2").focus(); },
};
