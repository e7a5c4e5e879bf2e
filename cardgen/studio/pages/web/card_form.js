// The card as a form. Every change goes to the server, which edits the text; the form then shows what the text says.
import { AddControl, FieldView } from "cardgen-form/field_view.js";
import { idOf, keyOf, languageName } from "cardgen-form/paths.js";
import { SentenceControl } from "cardgen-form/sentence_controls.js";
import { TranslationControl } from "cardgen-form/translation_control.js";

export default {
  components: { FieldView, AddControl, SentenceControl, TranslationControl },
  template: `
    <section class="form" aria-label="Form" tabindex="-1">
      <div v-if="fault" class="bar warning" role="alert">
        <p>{{ line ? 'Line ' + line + ' cannot be read: ' : '' }}{{ fault }}.<template v-if="root"> The form shows the card as it was.</template></p>
        <div class="studio-row"><button v-if="line" type="button" class="studio-button" @click="$emit('go', line)">Go to line {{ line }}</button>
          <button v-if="restorable" type="button" class="studio-button primary" @click="$emit('restore')">Back to the last text that could be read</button></div>
      </div>
      <p v-if="refusal" class="bar warning" role="alert">{{ refusal }}</p>
      <fieldset v-if="root" class="form-body" :disabled="!!fault" :aria-label="kind + ' ' + root.label">
        <FieldView v-for="(field, number) in root.fields" :key="keyOf(field.path)" :field="field" :position="number" :count="root.fields.length"></FieldView>
        <AddControl :field="root"></AddControl>
        <p v-if="translationFault" class="bar warning" role="alert">{{ translationFault }}</p>
        <fieldset v-if="others.length" class="field" :aria-label="'Other texts in ' + languageName">
          <legend class="field-label">Other texts</legend>
          <div v-for="text in others" :key="card + language + text.field" class="field text">
            <div class="field-label"><span class="field-help">{{ text.field }}</span></div>
            <p class="field-text">{{ text.source }}</p>
            <TranslationControl :text="text" :label="text.field"></TranslationControl>
          </div>
        </fieldset>
        <p v-if="root.made" class="made" role="status"><b>Prints</b> {{ root.made }}</p>
        <SentenceControl v-if="root.takes_sentences" :field="root"></SentenceControl>
        <div v-for="problem in problemsOf(root.path)" :key="problem.number" class="field-problem" :class="problem.severity">
          <span>{{ problem.message }}</span><small v-if="problem.help"> {{ problem.help }}</small>
          <button v-for="{title, action} in problem.fixes" :key="action" type="button" class="studio-button" @click="fix(problem.number, action)">{{ title }}</button>
        </div>
      </fieldset>
      <p v-else-if="!fault" class="card-none">Reading …</p>
    </section>`,
  emits: ["translate", "change", "options", "icon", "sentence", "go", "restore", "fix"],
  provide() { return { form: this }; },
  data() {
    return { root: null, kind: "", fault: "", line: 0, restorable: false, refusal: "", problems: [], revision: 0, fits: {}, undone: 0, shown: 0,
      card: "", language: "", texts: [], translationFault: "", translationFaults: {} };
  },
  computed: {
    languageName() { return this.language && languageName(this.language); },
    translations() { return new Map(this.texts.map((text) => [text.field, text])); },
    // Translated texts without a field of their own, such as sentences that the game writes.
    others() {
      const shown = new Set();
      const visit = (field) => field.widget === "text" ? shown.add(this.pointer(field.path)) : field.fields.forEach(visit);
      if (this.root) visit(this.root);
      return this.texts.filter((text) => !shown.has(text.field));
    },
  },
  methods: {
    keyOf,
    // Called by the server: the fields of the text as it is now, or why it cannot be read.
    show(state) {
      const { field, kind, fault, line, restorable } = state;
      this.update(field ? { fault, line, restorable, root: field, kind, shown: state.revision } : { fault, line, restorable });
      if (!field) return;
      this.$el.dataset.revision = state.revision;
      if (this.waiting) this.$nextTick(this.focusWaiting);
    },
    showProblems(problems, revision) { this.update({ problems, revision }); },
    // Show something new. The focus of an element that goes away, such as a fix, stays at its field, or else in the form.
    update(data) {
      const element = document.activeElement, path = element.closest?.("[data-path]")?.dataset.path;
      const hadFocus = this.$el.contains(element);
      Object.assign(this, data);
      this.$nextTick(() => {
        if (!hadFocus || document.activeElement !== document.body || this.waiting) return;
        const place = path && this.$el.querySelector(`[data-path="${CSS.escape(path)}"]`);
        (place?.querySelector("input, select:not(.add), textarea") ?? this.$el).focus({ preventScroll: !place });
      });
    },
    // Called by the server: the texts of the card in a language, or why they cannot be read.
    showTranslations(card, language, texts, fault) {
      if (language !== this.language || card !== this.card) this.translationFaults = {};
      this.update({ card, language, texts, translationFault: fault });
    },
    // Called by the server: a translation is saved, or why it is not.
    translated(field, fault) { this.translationFaults = { ...this.translationFaults, [field]: fault }; },
    translate(field, text) { this.$emit("translate", { card: this.card, field, text, language: this.language }); },
    pointer(path) {
      const escape = (step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1");
      return path.slice(this.root.path.length).map(escape).join("/");
    },
    translationAt(path) { return this.translations.get(this.pointer(path)); },
    showFits(fits) { this.fits = fits; },
    // Called by the server after a change: where to go on, or why nothing has changed.
    finish(path, fault) {
      if (fault) {
        this.refusal = fault;
        this.forgetDrafts();
      }
      this.waiting = fault || !path.length ? null : path;
    },
    answer(number, data) {
      this.answers?.get(number)?.(data);
      this.answers?.delete(number);
    },
    change(action, path, argument = null, stays = false) {
      this.refusal = "";
      this.waiting = null;
      this.tool = document.activeElement?.dataset?.tool;
      this.$emit("change", { action, path, argument, stays, revision: this.shown });
    },
    fix(problem, action) { this.$emit("fix", { problem, action, revision: this.revision }); },
    ask(event, data) {
      this.answers ??= new Map();
      const number = (this.asked = (this.asked ?? 0) + 1);
      return new Promise((resolve) => {
        this.answers.set(number, resolve);
        this.$emit(event, { ...data, number });
      });
    },
    options(path, prefix) { return this.ask("options", { path, prefix }); },
    // Send an icon; return its name, or '' if it cannot be one.
    async addIcon(file, name) {
      this.refusal = "";
      try {
        const answer = await fetch("/upload", { method: "POST", body: file }), text = await answer.text();
        const { icon, fault } = answer.ok ? await this.ask("icon", { upload: text, name }) : { icon: "", fault: text };
        this.refusal = fault;
        return icon;
      } catch { this.refusal = "The file could not be sent; the studio does not answer."; }
    },
    sentence(path, text) { return this.ask("sentence", { path, text }); },
    problemsOf(path) {
      const key = keyOf(path);
      return this.problems.filter((problem) => problem.path === key);
    },
    isInvalid(field) { return this.problemsOf(field.path).some((problem) => problem.severity === "error"); },
    // The ids of the elements that describe a control: its help and its problems.
    describe(field) {
      const id = idOf(field.path), problems = this.problemsOf(field.path).map((problem) => `${id}-problem-${problem.number}`);
      return [field.help && `${id}-help`, ...problems].filter(Boolean).join(" ") || null;
    },
    fitOf(field) {
      if (!["text", "list"].includes(field.widget) || !this.root || field.value === "") return 0;
      return this.fits[this.pointer(field.path)] ?? 0;
    },
    focusWaiting() {
      const place = this.waiting && this.$el.querySelector(`[data-path="${CSS.escape(keyOf(this.waiting))}"]`);
      if (!place) return; // the fields that are shown may be those of a text before the change
      this.waiting = null;
      const tool = this.tool && place.querySelector(`:scope > .field-label [data-tool=${this.tool}]:not([disabled])`);
      const control = tool || place.querySelector("input, select:not(.add), textarea") || place.querySelector("select, button");
      control?.focus();
      if (!tool && control?.value === "…") control.select();
    },
    // Show what the text says instead of what was typed, after an undo or a change that was not made.
    forgetDrafts() { this.undone++; },
  },
  mounted() { document.addEventListener("studio-undo", this.forgetDrafts); },
  unmounted() { document.removeEventListener("studio-undo", this.forgetDrafts); },
};
