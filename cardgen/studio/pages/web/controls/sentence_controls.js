import { idOf } from "./paths.js";

const MOST_CLAUSES = 24;

// How the game reads the sentences of a text.
export const Readings = {
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
export const SentenceControl = {
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

// Effects of other cards, by the sentence that they print.
export const ExampleControl = {
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
