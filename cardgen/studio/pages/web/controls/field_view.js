import { NumberControl } from "./number_control.js";
import { idOf, keyOf } from "./paths.js";
import { ExampleControl, Readings, SentenceControl } from "./sentence_controls.js";
import { TextControl } from "./text_control.js";
import { TranslationControl } from "./translation_control.js";

// The keys that a map does not have yet.
export const AddControl = {
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

// A field with its label, its tools, its control, and its problems; a group has fields of its own.
export const FieldView = {
  name: "FieldView",
  components: { TextControl, TranslationControl, NumberControl, Readings, SentenceControl, AddControl, ExampleControl },
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
      <TranslationControl v-if="translation" :key="form.card + form.language" :text="translation" :label="name"></TranslationControl>
      <Readings v-if="field.readings.length" :readings="field.readings"></Readings>
      <button v-if="field.is_acceptable" type="button" class="studio-button primary" @click="form.change('accept', field.path)">Replace the text by these effects</button>
      <p v-if="field.obstacle" class="field-help">{{ field.obstacle }}</p>
      <div v-for="problem in form.problemsOf(field.path)" :key="problem.number" class="field-problem" :class="problem.severity" :id="id + '-problem-' + problem.number">
        <span>{{ problem.message }}</span><small v-if="problem.help"> {{ problem.help }}</small>
        <button v-for="{title, action} in problem.fixes" :key="action" type="button" class="studio-button" @click="form.fix(problem.number, action)">{{ title }}</button>
        <button v-if="problem.code === 'CG123' && $refs.text" type="button" class="studio-button" @click="addIcon(problem)">Add this icon …</button>
      </div>
    </component>`,
  computed: {
    id() { return idOf(this.field.path); },
    key() { return keyOf(this.field.path); },
    isGroup() { return ["map", "list", "entries"].includes(this.field.widget); },
    isItem() { return typeof this.field.path.at(-1) === "number"; },
    name() { return this.isItem && /^\d+$/.test(this.field.label) ? `${this.position + 1}` : this.field.label; },
    choice() { return this.field.choices.indexOf(this.field.value); },
    translation() { return this.field.widget === "text" && this.form.translationAt(this.field.path); },
    fit() { return this.form.fitOf(this.field); },
    percent() { return Math.round(this.fit * 100) + " %"; },
  },
  methods: {
    keyOf,
    set(value) { this.form.change("set", this.field.path, value); },
    addIcon({ message }) { this.$refs.text.chooseIcon(message.split("'")[1]); },
    move(by) { this.form.change("move", this.field.path, this.position + by); },
    wordOf: (value) => value === true ? "yes" : value === false ? "no" : String(value).replaceAll("_", " "),
  },
};
