// The card as a form. Every change goes to the server, which edits the text; the form then shows what the text says.
const idOf = (path) => "field-" + path.map((step) => encodeURIComponent(step).replace(/%/g, "_")).join("-");
const MOST_CLAUSES = 24;
const keyOf = (path) => JSON.stringify(path);

// A text that knows what can be chosen for it: a combobox, as the ARIA practices describe it.
const TextControl = {
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
        @input="typed" @focus="ask" @click="ask" @blur="leave" @keydown="key"></component>
      <ul v-if="options.length" class="options" role="listbox" :id="id + '-options'" :aria-label="'Choices for ' + field.label">
        <li v-for="(option, number) in options" :key="option.kind + option.label" :id="id + '-option-' + number" role="option"
          :aria-selected="number === chosen" @mousedown.prevent="choose(option)">
          <img v-if="option.picture" :src="option.picture" alt="" loading="lazy">
          <svg v-if="option.outline" :viewBox="option.outline.box" aria-hidden="true"><path :d="option.outline.path" :fill-rule="option.outline.rule"/></svg>
          <span>{{ option.label }}</span> <small>{{ [option.detail, option.help].filter(Boolean).join(' · ') }}</small></li>
      </ul>
    </div>`,
  data() { return { draft: null, options: [], chosen: -1 }; },
  computed: {
    id() { return idOf(this.field.path); },
    shown() { return this.field.value === null ? "" : String(this.field.value); },
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
    send(text) {
      const value = typeof this.field.value === "number" && text.trim() && !isNaN(text) ? Number(text) : text;
      this.form.change("set", this.field.path, value);
    },
    async ask() {
      const input = this.$refs.input, text = input.value, caret = input.selectionStart;
      const isNew = text === "…" || this.draft === null;
      const prefix = isNew && !this.field.is_long ? "" : text.slice(0, caret);
      const found = await this.form.options(this.field.path, prefix);
      if (document.activeElement !== input || input.value !== text) return;
      this.options = found.filter((option) => option.label !== text).slice(0, 50);
      this.chosen = -1;
    },
    choose(option) {
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
      if (this.draft === this.shown) this.draft = null;
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

const NumberControl = {
  name: "NumberControl",
  props: { field: Object },
  inject: ["form"],
  template: `
    <div class="field-number">
      <button type="button" class="step" :aria-label="'Less: ' + field.label" :disabled="atLeast" tabindex="-1" @click="step(-1)">−</button>
      <input ref="input" type="number" :id="id" :value="draft ?? field.value" :min="field.minimum" :max="field.maximum"
        :step="field.is_whole ? 1 : 'any'" inputmode="decimal" :placeholder="field.inherited" :aria-describedby="form.describe(field)"
        :aria-invalid="form.isInvalid(field) || !!fault" @input="typed" @blur="leave" @keydown.up.prevent="step(1)" @keydown.down.prevent="step(-1)">
      <button type="button" class="step" :aria-label="'More: ' + field.label" :disabled="atMost" tabindex="-1" @click="step(1)">+</button>
      <small v-if="range" class="range">{{ range }}</small>
      <p v-if="fault" class="field-problem error" role="alert">{{ fault }}</p>
    </div>`,
  data() { return { draft: null, isEmpty: false }; },
  computed: {
    id() { return idOf(this.field.path); },
    number() { return Number((this.draft || null) ?? this.field.value ?? this.field.minimum ?? 0); },
    atLeast() { return this.field.minimum !== null && this.number <= this.field.minimum; },
    atMost() { return this.field.maximum !== null && this.number >= this.field.maximum; },
    range() {
      const { minimum, maximum } = this.field;
      if (minimum !== null && maximum !== null) return `${minimum} to ${maximum}`;
      return minimum !== null ? `from ${minimum}` : maximum !== null ? `to ${maximum}` : "";
    },
    // What is wrong with what was typed; an optional key may be empty, and goes away when the field is left.
    fault() {
      if (this.draft !== "" || this.field.value === null || (this.isEmpty && this.field.can_remove)) return "";
      const { minimum, maximum } = this.field, bounds = [minimum !== null && `from ${minimum}`, maximum !== null && `to ${maximum}`];
      return `${["enter a number", ...bounds].filter(Boolean).join(" ")}; the text still has ${this.field.value}`;
    },
  },
  watch: {
    "field.value"() { if (this.draft && Number(this.draft) === this.field.value) this.draft = null; },
    "form.undone"() { this.draft = null; },
  },
  methods: {
    typed(event) {
      this.draft = event.target.value;
      this.isEmpty = this.draft === "" && !event.target.validity.badInput;
      if (this.draft !== "" && isFinite(this.draft)) this.form.change("set", this.field.path, Number(this.draft));
    },
    leave() {
      if (this.draft === "" && this.isEmpty && this.field.can_remove && this.field.is_set) this.form.change("remove", this.field.path, null, true);
      if (!this.fault) this.draft = null;
    },
    step(by) {
      const least = this.field.minimum ?? -Infinity, most = this.field.maximum ?? Infinity;
      const next = Math.min(most, Math.max(least, Number((this.number + by).toFixed(6))));
      if (next === this.number && this.field.value !== null) return;
      this.draft = String(next);
      this.form.change("set", this.field.path, next);
    },
  },
};

// How the game reads the sentences of a text.
const Readings = {
  name: "SentenceReadings",
  props: { readings: Array },
  template: `
    <div class="readings" role="status"><ul>
      <li v-for="(reading, number) in readings" :key="number" :class="reading.level">
        <span class="chip" :class="reading.level === 'read' ? '' : 'warning'">{{ reading.level }}</span>
        <span v-if="reading.canonical"> as <q>{{ reading.canonical }}</q></span><span v-else> <q>{{ reading.text }}</q></span>
        <p v-if="reading.reason">{{ reading.reason }}</p>
        <p v-if="reading.referee">The referee {{ reading.referee }}.</p>
        <p v-for="[text, nearest] in reading.unread" :key="text">Not read: <q>{{ text }}</q><template v-if="nearest">; try <q>{{ nearest }}</q></template></p>
      </li>
    </ul></div>`,
};

// A sentence that becomes effects of a part; the clauses that can follow are offered as buttons.
const SentenceControl = {
  name: "SentenceControl",
  components: { Readings },
  props: { field: Object },
  inject: ["form"],
  template: `
    <details class="sentence" @toggle="$event.target.open && ask()">
      <summary>Add a sentence</summary>
      <label :for="id">As you would print it; it becomes effects</label>
      <div class="field-row"><input ref="input" type="text" :id="id" v-model="text" data-own-undo @input="ask" @keydown.enter.prevent="add"
          placeholder="At the start of its activation, the bearer heals 1 wound.">
        <button type="button" class="studio-button" :disabled="!answer.acceptable" @click="add">Add effects</button></div>
      <div v-if="clauses.length" class="clauses" role="group" aria-label="Words that can follow">
        <button v-for="clause in clauses" :key="clause.text" type="button" class="chip" @click="append(clause)">{{ clause.text }}</button></div>
      <Readings v-if="text.trim() && answer.readings.length" :readings="answer.readings"></Readings>
    </details>`,
  data() { return { text: "", answer: { readings: [], acceptable: false }, clauses: [] }; },
  computed: { id() { return idOf(this.field.path) + "-sentence"; } },
  methods: {
    async ask() {
      const { text } = this, [answer, options] = await Promise.all([
        this.form.sentence(this.field.path, text), this.form.options([...this.field.path, "text"], text)]);
      if (text !== this.text) return;
      this.answer = answer;
      this.clauses = options.filter((option) => option.kind === "clause").slice(0, MOST_CLAUSES);
    },
    append(clause) {
      const kept = this.text.slice(0, this.text.length - clause.replaced);
      const gap = kept && !/\s$/.test(kept) && /^\w/.test(clause.text) ? " " : "";
      this.text = kept + gap + clause.text + (/[.:]$/.test(clause.text) ? "" : " ");
      this.$refs.input.focus();
      this.ask();
    },
    add() {
      if (!this.answer.acceptable) return;
      this.form.change("sentence", this.field.path, this.text);
      this.text = "";
      this.ask();
    },
  },
};

const AddControl = {
  name: "AddControl",
  props: { field: Object },
  inject: ["form"],
  template: `
    <select v-if="field.additions.length" class="add" :aria-label="'Add to ' + (field.label || 'the card')" @change="add">
      <option value="">+ Add …</option>
      <option v-for="each in field.additions" :key="each.key" :value="each.key">{{ each.label }}{{ each.help ? ': ' + each.help.slice(0, 70) : '' }}</option>
    </select>`,
  methods: {
    add(event) {
      if (event.target.value) this.form.change("add", this.field.path, event.target.value);
      event.target.value = "";
    },
  },
};

// Effects of other cards, by the sentence that they print.
const ExampleControl = {
  name: "ExampleControl",
  props: { field: Object },
  inject: ["form"],
  template: `
    <details class="examples" @toggle="load">
      <summary>Add what another card has</summary>
      <p v-if="examples && !examples.length">No other card has an effect that stands for one sentence.</p>
      <ul v-else><li v-for="example in examples" :key="example.text"><button type="button" class="studio-button"
        @click="form.change('example', field.path, example.text)">{{ example.label }}</button></li></ul>
    </details>`,
  data() { return { examples: null }; },
  methods: {
    async load(event) {
      if (!event.target.open || this.examples) return;
      const found = await this.form.options([...this.field.path, this.field.fields.length], "");
      this.examples = found.filter((option) => option.kind === "example");
    },
  },
};

const FieldView = {
  name: "FieldView",
  components: { TextControl, NumberControl, Readings, SentenceControl, AddControl, ExampleControl },
  props: { field: Object, position: Number, count: Number, isEntry: Boolean },
  inject: ["form"],
  template: `
    <component :is="isGroup ? 'fieldset' : 'div'" class="field" :class="[field.widget, {item: isItem, entry: isEntry}]" :data-path="key" :aria-label="isGroup ? name : null">
      <component :is="isGroup ? 'legend' : 'div'" class="field-label">
        <input v-if="isEntry" class="entry-name" type="text" :value="field.key" :aria-label="'Name of ' + field.key"
          @change="form.change('rename', field.path, $event.target.value)">
        <label v-if="!isGroup" :for="id" :class="{'sr-only': isEntry}">{{ name }}</label><span v-else>{{ name }}</span>
        <small v-if="field.is_required && !field.is_set" class="chip warning">required</small>
        <small v-if="fit" class="chip" :class="{error: fit > 1.001}" :title="'The text fills ' + percent + ' of its box'">{{ percent }}</small>
        <small class="field-help" :id="id + '-help'" :title="field.help">{{ field.help }}</small>
        <span class="field-tools">
          <button v-if="field.is_long" type="button" title="Insert an icon" :aria-label="'Insert an icon into ' + field.label" @click="$refs.text.openIcons()">{ }</button>
          <button v-if="field.is_short" type="button" @click="form.change('full', field.path)" :aria-label="'All fields of ' + name">All fields</button>
          <template v-if="isItem">
            <button type="button" :aria-label="'Move up: ' + name" :disabled="position === 0" data-tool="up" @click="move(-1)">↑</button>
            <button type="button" :aria-label="'Move down: ' + name" :disabled="position === count - 1" data-tool="down" @click="move(1)">↓</button>
          </template>
          <button v-if="field.can_remove && field.is_set" type="button" :aria-label="'Remove ' + name" @click="form.change('remove', field.path)">×</button>
        </span>
      </component>
      <NumberControl v-if="field.widget === 'number'" :field="field"></NumberControl>
      <input v-else-if="field.widget === 'flag'" type="checkbox" :id="id" :checked="field.value === true" :aria-describedby="form.describe(field)" @change="set($event.target.checked)">
      <select v-else-if="field.widget === 'choice'" :id="id" :value="choice" :aria-invalid="form.isInvalid(field)" :aria-describedby="form.describe(field)" @change="set(field.choices[$event.target.value])">
        <option v-if="choice < 0" :value="-1">{{ field.inherited || '–' }}</option>
        <option v-for="(each, number) in field.choices" :key="number" :value="number">{{ wordOf(each) }}</option></select>
      <TextControl v-else-if="field.widget === 'text'" ref="text" :field="field"></TextControl>
      <template v-else>
        <FieldView v-for="(each, number) in field.fields" :key="keyOf(each.path)" :field="each" :position="number"
          :count="field.fields.length" :is-entry="field.widget === 'entries'"></FieldView>
        <button v-if="field.can_add && field.widget === 'list'" type="button" class="studio-button add" :aria-label="'Add to ' + name"
          @click="form.change('insert', field.path, field.fields.length)">+ Add to {{ name.toLowerCase() }}</button>
        <ExampleControl v-if="field.has_examples" :field="field"></ExampleControl>
        <AddControl :field="field"></AddControl>
        <p v-if="field.made" class="made" role="status"><b>Prints</b> {{ field.made }}</p>
        <SentenceControl v-if="field.takes_sentences" :field="field"></SentenceControl>
      </template>
      <Readings v-if="field.readings.length" :readings="field.readings"></Readings>
      <button v-if="field.is_acceptable" type="button" class="studio-button primary" @click="form.change('accept', field.path)">Replace the text by these effects</button>
      <p v-if="field.obstacle" class="field-help">{{ field.obstacle }}</p>
      <div v-for="problem in form.problemsOf(field.path)" :key="problem.number" class="field-problem" :class="problem.severity" :id="id + '-problem-' + problem.number">
        <span>{{ problem.message }}</span><small v-if="problem.help"> {{ problem.help }}</small>
        <button v-for="{title, action} in problem.fixes" :key="action" type="button" class="studio-button" @click="form.fix(problem.number, action)">{{ title }}</button>
      </div>
    </component>`,
  computed: {
    id() { return idOf(this.field.path); },
    key() { return keyOf(this.field.path); },
    isGroup() { return ["map", "list", "entries"].includes(this.field.widget); },
    isItem() { return typeof this.field.path.at(-1) === "number"; },
    name() { return this.isItem && /^\d+$/.test(this.field.label) ? `${this.position + 1}` : this.field.label; },
    choice() { return this.field.choices.indexOf(this.field.value); },
    fit() { return this.form.fitOf(this.field); },
    percent() { return Math.round(this.fit * 100) + " %"; },
  },
  methods: {
    keyOf,
    set(value) { this.form.change("set", this.field.path, value); },
    move(by) { this.form.change("move", this.field.path, this.position + by); },
    wordOf: (value) => value === true ? "yes" : value === false ? "no" : String(value).replaceAll("_", " "),
  },
};

export default {
  components: { FieldView, AddControl, SentenceControl },
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
        <p v-if="root.made" class="made" role="status"><b>Prints</b> {{ root.made }}</p>
        <SentenceControl v-if="root.takes_sentences" :field="root"></SentenceControl>
        <div v-for="problem in problemsOf(root.path)" :key="problem.number" class="field-problem" :class="problem.severity">
          <span>{{ problem.message }}</span><small v-if="problem.help"> {{ problem.help }}</small>
          <button v-for="{title, action} in problem.fixes" :key="action" type="button" class="studio-button" @click="fix(problem.number, action)">{{ title }}</button>
        </div>
      </fieldset>
      <p v-else-if="!fault" class="card-none">Reading …</p>
    </section>`,
  emits: ["change", "options", "sentence", "go", "restore", "fix"],
  provide() { return { form: this }; },
  data() {
    return { root: null, kind: "", fault: "", line: 0, restorable: false, refusal: "", problems: [], revision: 0, fits: {}, undone: 0, shown: 0 };
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
    showFits(fits) { this.fits = fits; },
    // Called by the server after a change: where to go on, or why nothing has changed.
    finish(path, fault) {
      if (fault) {
        this.refusal = fault;
        this.forgetDrafts();
      }
      this.waiting = fault ? null : path;
    },
    answer(number, data) {
      this.answers?.get(number)?.(data);
      this.answers?.delete(number);
    },
    change(action, path, argument = null, stays = false) {
      this.refusal = "";
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
      return this.fits[field.path.slice(this.root.path.length).join("/")] ?? 0;
    },
    focusWaiting() {
      const path = this.waiting, place = path.length && this.$el.querySelector(`[data-path="${CSS.escape(keyOf(path))}"]`);
      this.waiting = null;
      if (!place) return;
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
