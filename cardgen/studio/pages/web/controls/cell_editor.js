import { FieldView } from "./field_view.js";

// The control of a field on its own, for a cell of a table: it holds a text until the cell is left.
export const CellEditor = {
  name: "CellEditor",
  components: { FieldView },
  props: { field: Object, text: String, label: String, ask: Function },
  template: `<div class="cell-editor" :class="field.widget" @keydown="key"><FieldView :field="shown" :position="0" :count="1"></FieldView>
    <small v-if="word" aria-live="polite">{{ word }} is not a choice</small></div>`,
  provide() { return { form: this }; },
  data() { return { value: this.valueOf(this.text), undone: 0, isCell: true, word: "" }; },
  computed: {
    shown() { return { ...this.field, path: ["cell"], label: this.label, value: this.value, can_remove: false }; },
  },
  methods: {
    valueOf(text) {
      if (this.field.widget === "number") return text === "" || !isFinite(text) ? null : Number(text);
      if (this.field.choices.length) return this.field.choices.find((each) => String(each) === text) ?? null;
      return text;
    },
    change(action, path, value) { if (this.field.choices.length) Object.assign(this, { value, word: "" }); },
    // The text of the cell as it would be typed.
    read() {
      if (this.word) return this.word;
      const input = this.$el.querySelector("input:not([type=checkbox]), textarea");
      return input ? input.value : this.value === null ? "" : String(this.value);
    },
    options(path, prefix) { return this.ask(prefix); },
    key(event) {
      if (event.target.matches("select") && !event.ctrlKey && !event.metaKey) this.type(event.key);
      // A line break in a long text; Enter alone leaves the cell.
      if (event.key === "Enter" && (event.shiftKey || event.altKey) && event.target.matches("textarea")) event.stopPropagation();
    },
    // The choice that begins with what is typed, or a word that is none.
    type(key) {
      if (key.length > 1 && key !== "Backspace" && !key.startsWith("Arrow")) return;
      const word = key === "Backspace" ? this.word.slice(0, -1) : key.length === 1 ? this.typed + key : "";
      const found = this.field.choices.find((each) => String(each).toLowerCase().startsWith(word.toLowerCase()));
      this.typed = word;
      this.word = found === undefined ? word : "";
      if (word && found !== undefined) this.value = found;
    },
    focus(typed) {
      const control = this.$el.querySelector("input, textarea, select");
      control?.focus();
      this.typed = "";
      if (typed && control?.matches("select")) this.type(typed);
      if (!control?.matches("input:not([type=checkbox]), textarea")) return;
      if (typed) {
        control.value = typed;
        control.dispatchEvent(new Event("input"));
      } else control.select();
    },
    problemsOf: () => [],
    isInvalid: () => false,
    describe: () => null,
    fitOf: () => 0,
    translationAt: () => null,
  },
};
