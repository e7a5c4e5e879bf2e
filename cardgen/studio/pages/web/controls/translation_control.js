import { shownText, writtenText } from "./printed_lines.js";

// The translation of a text, beside it: what is typed is saved when the field is left.
export const TranslationControl = {
  name: "TranslationControl",
  props: { text: Object, label: String },
  inject: ["form"],
  template: `
    <div class="translation" :class="text.state">
      <textarea ref="input" :lang="form.language" dir="auto" :rows="rows" :value="draft ?? shown" :aria-label="label + ' in ' + form.languageName"
        :aria-invalid="!!fault" @input="draft = $event.target.value" @blur="leave" @keydown="key"></textarea>
      <small v-if="text.state !== 'translated'" class="chip warning">{{ text.state }}</small>
      <template v-if="text.state === 'stale'">
        <span class="field-help">Translated from: {{ text.before }}</span>
        <button type="button" class="studio-button" @click="save(text.text)">Still right</button>
      </template>
      <span v-if="fault" class="field-problem" role="alert">{{ fault }}</span>
    </div>`,
  data() { return { draft: null }; },
  computed: {
    shown() { return shownText(this.text.text); },
    fault() { return this.form.translationFaults[this.text.field] ?? ""; },
    rows() { return Math.min(12, Math.max(1, Math.ceil(Math.max(this.text.source.length, (this.draft ?? this.shown).length) / 30))); },
  },
  watch: {
    "text.text"(text) { if (document.activeElement !== this.$refs.input || (this.draft !== null && writtenText(this.draft, text) === text)) this.draft = null; },
  },
  methods: {
    save(text) { this.form.translate(this.text.field, text ?? this.text.text); },
    leave() {
      if (this.draft !== null && (this.draft !== this.shown || this.fault)) this.save(writtenText(this.draft, this.text.text));
    },
    key(event) {
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) this.leave();
    },
  },
};
