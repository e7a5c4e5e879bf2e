import { idOf } from "./paths.js";

// A number with steppers and bounds.
export const NumberControl = {
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
