import { idOf } from "./paths.js";
import { shownText, writtenText } from "./printed_lines.js";

// The name of an icon that is being written.
const WRITTEN_ICON = /(?<!\\)\{([A-Za-z0-9_-]*)$/;

// A text that knows what can be chosen for it: a combobox, as the ARIA practices describe it.
export const TextControl = {
  name: "TextControl",
  props: { field: Object },
  inject: ["form"],
  template: `
    <div class="field-text">
      <component :is="field.is_long ? 'textarea' : 'input'" ref="input" :id="id" :value="draft ?? shown" :type="field.is_long ? null : 'text'"
        :rows="field.is_long ? rows : null" :role="field.is_long ? null : 'combobox'" aria-autocomplete="list" autocomplete="off" spellcheck="true"
        :aria-expanded="field.is_long ? null : options.length > 0" :aria-controls="options.length ? id + '-options' : null"
        :aria-invalid="form.isInvalid(field)" :aria-describedby="form.describe(field)"
        :aria-activedescendant="chosen >= 0 ? id + '-option-' + chosen : null" :placeholder="field.inherited"
        @input="typed" @focus="enter" @click="ask" @blur="leave" @keydown="key"></component>
      <ul v-if="options.length" class="options" role="listbox" :id="id + '-options'" :aria-label="'Choices for ' + field.label">
        <li v-for="(option, number) in options" :key="option.kind + option.label" :id="id + '-option-' + number" role="option"
          :aria-selected="number === chosen" @mousedown.prevent="choose(option)">
          <img v-if="option.picture" :src="option.picture" alt="" loading="lazy">
          <svg v-if="option.outline" :viewBox="option.outline.box" aria-hidden="true"><path :d="option.outline.path" :fill-rule="option.outline.rule"/></svg>
          <span>{{ option.label }}</span> <small>{{ [option.detail, option.help].filter(Boolean).join(' · ') }}</small></li>
      </ul>
      <input ref="file" type="file" accept=".svg" multiple hidden :aria-label="'Icon for ' + field.label" @change="addIcon">
    </div>`,
  data() { return { draft: null, options: [], chosen: -1 }; },
  computed: {
    id() { return idOf(this.field.path); },
    value() { return this.field.value === null ? "" : String(this.field.value); },
    // Cells have the lines that are printed already.
    isMarkup() { return this.field.is_long && !this.form.isCell; },
    shown() { return this.isMarkup ? shownText(this.value) : this.value; },
    rows() { return Math.min(12, Math.max(2, Math.ceil((this.draft ?? this.shown).length / 44), (this.draft ?? this.shown).split("\n").length)); },
  },
  watch: {
    "field.value"() { if (document.activeElement !== this.$refs.input || this.draft === this.shown) this.draft = null; },
    "form.undone"() { this.draft = null; },
  },
  methods: {
    typed(event) {
      this.draft = event.target.value;
      this.chosen = -1;
      this.options = this.options.filter((option) => option.label.toLowerCase().includes(this.draft.toLowerCase()));
      this.send(this.draft);
      this.ask();
    },
    written(text) { return this.isMarkup ? writtenText(text, this.value) : text; },
    send(text) {
      const value = typeof this.field.value === "number" && text.trim() && !isNaN(text) ? Number(text) : this.written(text);
      this.form.change("set", this.field.path, value);
    },
    // What a new field has instead of a text is replaced by the first key.
    enter() {
      if (this.value === "…") this.$refs.input.select();
      this.ask();
    },
    async ask() {
      const input = this.$refs.input, text = input.value, caret = input.selectionStart;
      const isNew = text === "…" || this.draft === null;
      const prefix = isNew && !this.field.is_long ? "" : text.slice(0, caret);
      const found = await this.form.options(this.field.path, prefix);
      if (document.activeElement !== input || input.value !== text) return;
      this.options = found.filter((option) => option.label !== text).slice(0, 50);
      if (WRITTEN_ICON.test(text.slice(0, caret))) this.options.unshift({ label: "Add an icon …", kind: "file", detail: "an SVG file" });
      this.chosen = -1;
    },
    choose(option) {
      if (option.kind === "file" && !option.text) return this.chooseIcon();
      const input = this.$refs.input, caret = input.selectionStart, isPart = ["icon", "term", "clause"].includes(option.kind);
      const text = isPart ? input.value.slice(0, caret - option.replaced) + option.text + input.value.slice(caret) : option.text;
      this.options = [];
      this.draft = text;
      this.send(text);
      const place = isPart ? caret - option.replaced + option.text.length : text.length;
      this.$nextTick(() => input.setSelectionRange(place, place));
    },
    key(event) {
      const { key } = event;
      if (key === "Escape" && this.options.length) this.options = [];
      else if (key === "ArrowDown" && (this.options.length || event.altKey)) this.options.length ? this.step(1) : this.ask();
      else if (key === "ArrowUp" && this.options.length) this.step(-1);
      else if (key === "Enter" && this.chosen >= 0) this.choose(this.options[this.chosen]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    step(by) {
      this.chosen = (this.chosen + by + this.options.length) % this.options.length;
      this.$nextTick(() => this.$el.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
    },
    leave() {
      this.options = [];
      if (this.draft !== null && this.written(this.draft) === this.value) this.draft = null;
    },
    // An icon of a file, under its own name, or under the one that a text has already.
    chooseIcon(name = "") {
      this.iconName = name;
      this.$refs.file.click();
    },
    async addIcon(event) {
      const [file, ...others] = event.target.files, name = this.iconName, input = this.$refs.input, caret = input.selectionStart;
      event.target.value = "";
      if (!file) return;
      const icon = await this.form.addIcon(file, name ? `${name}.svg` : file.name);
      for (const each of icon ? others : []) await this.form.addIcon(each, each.name);
      if (!icon || name) return;
      this.choose({ kind: "icon", text: `${icon}}`, replaced: input.value.slice(0, caret).match(WRITTEN_ICON)?.[1].length ?? 0 });
      input.focus();
    },
    openIcons() {
      const input = this.$refs.input, at = input.selectionStart;
      input.focus();
      this.draft = input.value.slice(0, at) + "{" + input.value.slice(at);
      this.send(this.draft);
      this.$nextTick(() => { input.setSelectionRange(at + 1, at + 1); this.ask(); });
    },
  },
};
