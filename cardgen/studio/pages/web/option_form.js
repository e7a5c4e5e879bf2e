// A form of options, as the command line has them: texts, numbers, switches, choices, and lists of choices.
let forms = 0;

export default {
  template: `
    <form class="option-form" :aria-label="name" @submit.prevent="$emit('submit-form')">
      <div v-for="field in fields" :key="field.name" class="option" :class="'option-' + field.sort">
        <template v-if="field.sort === 'flag'">
          <label :title="field.help"><input type="checkbox" :checked="values[field.name] ?? field.is_on" :data-testid="field.name"
            @change="set(field, $event.target.checked)"> {{ field.label }}</label>
        </template>
        <template v-else-if="field.sort === 'several'">
          <label :for="id(field)">{{ field.label }}</label>
          <span class="option-list">
            <span v-for="value in chosen(field)" :key="value" class="chip">{{ labelOf(field, value) }}
              <button type="button" :aria-label="'Remove ' + labelOf(field, value)" @click="remove(field, value)">×</button></span>
            <input :id="id(field)" :list="id(field) + '-choices'" :placeholder="chosen(field).length ? 'and …' : field.placeholder"
              :aria-describedby="field.help ? id(field) + '-help' : null" :data-testid="field.name" autocomplete="off"
              @change="add(field, $event)" @keydown.enter.prevent="add(field, $event)">
          </span>
          <datalist :id="id(field) + '-choices'"><option v-for="choice in choices(field)" :key="choice.value"
            :value="choice.label"></option></datalist>
        </template>
        <template v-else>
          <label :for="id(field)">{{ field.label }}<template v-if="field.unit"> ({{ field.unit }})</template></label>
          <select v-if="field.sort === 'choice'" :id="id(field)" :value="values[field.name] ?? ''" :data-testid="field.name"
            :aria-describedby="field.help ? id(field) + '-help' : null" @change="set(field, $event.target.value)">
            <option v-if="!field.is_required" value="">{{ field.placeholder ? labelOf(field, field.placeholder) + ' (default)' : '–' }}</option>
            <option v-for="choice in others(field)" :key="choice.value" :value="choice.value">{{ choice.label }}</option>
          </select>
          <input v-else :id="id(field)" data-autofocus :type="field.sort === 'number' ? 'number' : 'text'" :min="field.low" :max="field.high"
            :value="values[field.name] ?? ''" :placeholder="field.placeholder" :data-testid="field.name" autocomplete="off"
            :list="field.choices.length ? id(field) + '-choices' : null" maxlength="200"
            :aria-describedby="field.help ? id(field) + '-help' : null" @input="later(field, $event.target.value)" @change="set(field, $event.target.value)">
          <datalist v-if="field.sort !== 'choice' && field.choices.length" :id="id(field) + '-choices'">
            <option v-for="choice in field.choices" :key="choice.value" :value="choice.value"></option></datalist>
        </template>
        <span v-if="field.help" :id="id(field) + '-help'" class="option-help">{{ field.help }}</span>
      </div>
    </form>`,
  props: { name: String, fields: Array, sources: Object, initial: Object },
  emits: ["values", "submit-form"],
  data() { return { values: { ...this.initial }, number: ++forms, timer: 0 }; },
  watch: { initial(values) { this.values = { ...values }; } },
  methods: {
    id(field) { return `form${this.number}-${field.name}`; },
    choices(field) { return field.source ? this.sources?.[field.source] || [] : field.choices; },
    // The default is the first choice; it is not offered twice.
    others(field) {
      const isDefault = (choice) => !field.is_required && choice.value === field.placeholder && choice.value !== this.values[field.name];
      return this.choices(field).filter((choice) => !isDefault(choice));
    },
    chosen(field) { return this.values[field.name] || []; },
    labelOf(field, value) { return this.choices(field).find((choice) => choice.value === value)?.label || value; },
    set(field, value) {
      clearTimeout(this.timer);
      this.values = { ...this.values, [field.name]: value };
      this.$emit("values", this.values);
    },
    // While somebody types, the last text counts.
    later(field, value) {
      this.values[field.name] = value;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.$emit("values", { ...this.values }), 350);
    },
    add(field, event) {
      const text = event.target.value.trim().toLowerCase();
      const same = (choice) => [choice.value, choice.label].some((each) => each.toLowerCase() === text);
      const isFree = !field.source && !field.choices.length && text;
      const choice = isFree ? { value: event.target.value.trim() } : this.choices(field).find(same);
      if (!choice) return;
      event.target.value = "";
      if (!this.chosen(field).includes(choice.value)) this.set(field, [...this.chosen(field), choice.value]);
    },
    remove(field, value) { this.set(field, this.chosen(field).filter((each) => each !== value)); },
  },
  unmounted() { clearTimeout(this.timer); },
};
