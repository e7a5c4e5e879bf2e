import * as CM from "nicegui-codemirror";

// The text in the browser is the truth: the server asks for changes of it, and follows every change, its own ones too.
export default {
  template: `<div hidden></div>`,
  props: { editor: Number },
  methods: {
    // Replace the text as one step that can be undone, unless it is not `base` any more; return whether it was.
    async replace(base, text) {
      const { view } = await this.ready, old = view.state.doc.toString();
      if (base !== null && old !== base) return false;
      let start = 0, end = 0;
      const most = Math.min(old.length, text.length);
      while (start < most && old[start] === text[start]) start++;
      while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
      view.dispatch({
        changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
        annotations: CM.isolateHistory.of("full"), // otherwise, edits within half a second would be one step
      });
      return true;
    },
    // Take back the last step, or make it again.
    async undo(again) {
      const { view } = await this.ready;
      return (again ? CM.redo : CM.undo)(view);
    },
    async prepare() {
      await this.$nextTick(); // the page is complete only then
      const element = this.$root.$refs["r" + this.editor];
      element.setEditorValue = () => {}; // an update, such as of marks, comes with a text that may be old by now
      const view = element.editor ?? (await element.editorPromise);
      view.contentDOM.tabIndex = 0; // it has the focus anyway, but programs that test pages ask for this
      return { view };
    },
  },
  created() { this.ready = new Promise((resolve) => { this.resolve = resolve; }); },
  async mounted() { this.resolve(await this.prepare()); },
};
