// Asks what to do with a text that is not saved before its page is left. Links of the page are asked about here; the
// browser itself asks when the window is closed or another address is opened.
export default {
  template: `
    <dialog class="studio-dialog" aria-labelledby="leave-title" ref="dialog" @close="$event.target.returnValue = ''">
      <h2 id="leave-title" class="studio-title">Leave this page?</h2>
      <p>The changes of {{ file }} are not saved. A draft stays until you save or discard it, even after the studio was stopped.</p>
      <div class="studio-row">
        <button type="button" class="studio-button quiet" @click="$refs.dialog.close()">Stay</button>
        <button type="button" class="studio-button" @click="answer('discard')">Discard the changes</button>
        <button type="button" class="studio-button" @click="answer('draft')">Keep as a draft</button>
        <button type="button" class="studio-button primary" @click="answer('save')">Save</button>
      </div>
    </dialog>`,
  props: { file: String, changed: Boolean },
  emits: ["leave"],
  methods: {
    ask(event) {
      const link = event.target.closest?.("a[href]");
      if (!this.changed || !link || event.defaultPrevented || !["", "_self"].includes(link.target) || link.hasAttribute("download")) return;
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (link.origin !== location.origin || link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      this.target = link.href;
      this.$refs.dialog.showModal();
    },
    answer(how) {
      this.$refs.dialog.close();
      this.$emit("leave", { how, target: this.target });
    },
    // Called by the server when the text is saved, discarded, or kept.
    go(target) {
      this.isDone = true;
      location.href = target;
    },
    warn(event) { if (this.changed && !this.isDone) event.preventDefault(); },
  },
  mounted() {
    document.addEventListener("click", this.ask, true);
    addEventListener("beforeunload", this.warn);
  },
  unmounted() {
    document.removeEventListener("click", this.ask, true);
    removeEventListener("beforeunload", this.warn);
  },
};
