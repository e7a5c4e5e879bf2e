// The panel of the project: how many problems and unsaved texts there are, and once it is opened, where.
const WORDS = { error: ["error", "errors"], warning: ["warning", "warnings"], note: ["note", "notes"] };

export default {
  template: `
    <details class="studio-panel" :class="worst" ref="panel" data-testid="panel" @keydown.esc.stop="close">
      <summary><span role="status">{{ summary }}</span></summary>
      <section aria-label="The project" tabindex="-1">
        <p v-if="state.fault" class="bar error" role="alert">Drafts cannot be kept: {{ state.fault }}. Save before you stop the studio.</p>
        <p>{{ progress }}</p>
        <ul>
          <li v-for="each in state.files" :key="each.file">
            <a :href="each.address">{{ each.file }}</a> <span v-if="each.draft" class="chip warning">unsaved</span>
            <ul v-if="each.problems.length"><li v-for="(problem, number) in each.problems" :key="number">
              <span class="chip" :class="problem.severity">{{ problem.severity }}</span>
              <span><template v-for="{place, address} in problem.places.slice(0, 8)" :key="place"><a v-if="address" :href="address">{{ place }}</a>{{ " " }}</template>
                <template v-if="problem.places.length > 8">and {{ problem.places.length - 8 }} more</template></span>
              <span>{{ problem.message }} <small v-if="problem.help">{{ problem.help }}</small></span></li></ul>
          </li>
        </ul>
        <p v-if="state.more">and {{ state.more }} more</p>
      </section>
    </details>`,
  props: { state: Object },
  computed: {
    worst() { return Object.keys(WORDS).find((severity) => this.state.counts[severity]) ?? (this.state.drafts ? "warning" : ""); },
    isDone() { return this.state.checked && !this.state.waiting; },
    summary() {
      const { counts, drafts, fault, unchecked, checked } = this.state;
      const parts = Object.entries(WORDS).filter(([severity]) => counts[severity])
        .map(([severity, words]) => `${counts[severity]} ${words[+(counts[severity] > 1)]}`);
      if (unchecked) parts.unshift("not checked");
      else if (!checked) parts.unshift("checking …");
      else if (this.state.waiting) parts.push("looking …");
      else if (!parts.length) parts.push("no problems");
      if (drafts) parts.push(`${drafts} unsaved` + (fault ? ", not kept on the disk" : ""));
      return parts.join(" · ");
    },
    progress() {
      const { unchecked, checked, waiting, counts } = this.state;
      if (unchecked) return `Not checked: ${unchecked}`;
      if (!checked) return "The files are being checked …";
      if (waiting) return `The cards of ${waiting} ${waiting > 1 ? "files" : "file"} are still to be looked at …`;
      return Object.keys(counts).length ? "All files are checked, and all cards were looked at." : "No problems found.";
    },
  },
  methods: {
    close() {
      this.$refs.panel.open = false;
      this.$refs.panel.querySelector("summary").focus();
    },
    leave(event) { if (!this.$refs.panel.contains(event.target)) this.$refs.panel.open = false; },
  },
  mounted() { document.addEventListener("pointerdown", this.leave); },
  unmounted() { document.removeEventListener("pointerdown", this.leave); },
};
