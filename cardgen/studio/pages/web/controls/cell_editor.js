import { FieldView } from "./field_view.js";

// The control of a field on its own, for a cell of a table: it holds a text until the cell is left.
export const CellEditor = {
  name: "CellEditor",
  components: { FieldView },
  props: { field: Object, text: String, label: String, ask: Function },
  template: `<div class="cell-editor" :class="field.widget" @keydown="key"><FieldView :field="shown" :position="0" :count="1"></FieldView></div>`,
  provide() { return { form: this }; },
  data() { return { value: this.valueOf(this.text), undone: 0 }; },
  computed: {
    shown() { return { ...this.field, path: ["cell"], label: this.label, value: this.value, can_remove: false }; },
  },
  methods: {
    valueOf(text) {
      if (this.field.widget === "number") return text === "" || !isFinite(text) ? null : Number(text);
      if (this.field.choices.length) return this.field.choices.find((each) => String(each) === text) ?? null;
      return text;
    },
    change(action, path, value) { if (this.field.choices.length) this.value = value; },
    // The text of the cell as it would be typed.
    read() {
      const input = this.$el.querySelector("input:not([type=checkbox]), textarea");
      return input ? input.value : this.value === null ? "" : String(this.value);
    },
    options(path, prefix) { return this.ask(prefix); },
    key(event) {
      // A line break in a long text; Enter alone leaves the cell.
      if (event.key === "Enter" && (event.shiftKey || event.altKey) && event.target.matches("textarea")) event.stopPropagation();
    },
    focus(typed) {
      const control = this.$el.querySelector("input, textarea, select");
      control?.focus();
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
