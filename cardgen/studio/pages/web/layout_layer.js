// The boxes of a layout over the picture of its card: chosen, moved, resized, added, removed, ordered, and dressed with the
// mouse, a finger, keys, or fields. The server writes each gesture into the text once it has ended, and the boxes follow it.
// Those of templates and drawings (`fixed`) are only moved and resized.
import { shownText, writtenText } from "cardgen-form/printed_lines.js";
import { ARROWS, PAUSE, rounded, stage } from "cardgen-form/stage.js";

const EDGES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const FIELDS = ["Left", "Top", "Width", "Height"];
const ALIGNMENTS = {
  Left: ([, y, w, h], size, safe) => [safe, y, w, h],
  Center: ([, y, w, h], size) => [(size[0] - w) / 2, y, w, h],
  Right: ([, y, w, h], size, safe) => [size[0] - safe - w, y, w, h],
  Top: ([x, , w, h], size, safe) => [x, safe, w, h],
  Middle: ([x, , w, h], size) => [x, (size[1] - h) / 2, w, h],
  Bottom: ([x, , w, h], size, safe) => [x, size[1] - safe - h, w, h],
};
// What can be changed about the look of a box: words, names that the server knows, or a number.
const LOOKS = {
  text: { label: "Words" },
  icons: { label: "Icon", names: "icons" },
  style: { label: "Style", names: "styles" },
  size: { label: "Type size, pt", least: 4, most: 200, step: 0.5, unit: "pt" },
  align: { label: "Lines", words: ["left", "center", "right", "justify"] },
  valign: { label: "Text at", words: ["top", "middle", "bottom"] },
  fill: { label: "Color", names: "colours" },
  stroke: { label: "Outline", names: "colours" },
  stroke_width: { label: "Outline, mm", least: 0, most: 50, step: 0.05 },
  radius: { label: "Corners, mm", least: 0, most: 200, step: 0.5 },
  opacity: { label: "Opacity", least: 0, most: 1, step: 0.1 },
  fit: { label: "Picture", words: ["cover", "contain"] },
  count: { label: "How many", names: "numbers" },
  label: { label: "Label", words: ["above", "below", "before"] },
};
const SHAPES = { rect: { fill: "panel", stroke: "line" }, ellipse: { fill: "panel", stroke: "line" }, line: { stroke: "line" }, emblem: {} };
const NEAR = 1; // mm from which an edge snaps
// A field shows another value unless something is being typed in it.
const showValue = (input, { value }) => { if (!input.isTyped) input.value = value; };
const watchTyping = (input, value) => {
  for (const [event, isTyped] of Object.entries({ input: true, change: false, blur: false })) input.addEventListener(event, () => { input.isTyped = isTyped; });
  showValue(input, value);
};

export default {
  template: `
    <section v-if="boxes.length || note" aria-labelledby="layout-title" @keydown.esc="cancel">
      <h2 id="layout-title">Layout by hand</h2>
      <p v-if="note" class="option-help">{{ note }}</p>
      <template v-else>
        <div class="layout-row">
          <label>Box <select :value="chosen" data-testid="box" @change="choose(Number($event.target.value))">
            <option :value="-1">none</option>
            <option v-for="(box, index) in boxes" :key="index" :value="index">{{ index + 1 }}. {{ box.name }}</option></select></label>
          <button v-if="box?.line" type="button" class="studio-button" data-testid="line" @click="$emit('go', box.line)">Line {{ box.line }}</button>
          <label><input type="checkbox" v-model="snaps"> Snap</label>
          <template v-if="!fixed"><label>New <input v-model="added" list="layout-contents" data-testid="added" autocomplete="off" placeholder="type to search"
            @focus="$event.target.select()" @keydown.enter.prevent="add"></label>
          <datalist id="layout-contents"><option v-for="(box, name) in contents" :key="name" :value="name"></option></datalist>
          <button type="button" class="studio-button" data-testid="add" @click="add">Add</button></template>
          <button type="button" class="studio-button" data-testid="undo" @click="undo(false)">Undo</button>
          <button type="button" class="studio-button" data-testid="redo" @click="undo(true)">Redo</button>
        </div>
        <template v-if="box">
          <div class="layout-row" role="group" aria-label="Place in mm">
            <label v-for="(name, index) in fields" :key="name">{{ name }}
              <input type="number" step="0.5" :min="index > 1 ? 0 : null" v-shown="at[index]" :data-testid="name.toLowerCase()"
                @change="type(index, $event.target)"></label>
          </div>
          <div class="layout-row" role="group" aria-label="Align to the card">
            <button v-for="name in alignments" :key="name" type="button" class="studio-button" @click="align(name)">{{ name }}</button>
          </div>
          <div v-if="!fixed" class="layout-row" role="group" aria-label="Look">
            <label v-for="(value, key) in box.look" :key="chosen + key" :class="{ words: key === 'text' }">{{ looks[key].label }}
              <input v-if="looks[key].step" type="number" :step="looks[key].step" :min="looks[key].least" :max="looks[key].most"
                v-shown="number(value)" :data-testid="'look-' + key" @change="dress(key, $event.target.value, $event.target)">
              <textarea v-else-if="key === 'text'" rows="2" v-shown="shownText(value)" data-testid="look-text" @change="dress(key, writtenText($event.target.value, value))"></textarea>
              <select v-else :value="typeof value === 'number' ? '' : value ?? ''" :data-testid="'look-' + key" @change="dress(key, $event.target.value)">
                <option v-if="key !== 'icons'" value="">usual</option>
                <option v-for="word in words(key, value)" :key="word" :value="word">{{ word }}</option>
              </select>
              <select v-if="key === 'text'" value="" aria-label="Insert a field" data-testid="insert" @change="insert($event.target)">
                <option value="">Insert a field …</option><option v-for="name in names.fields ?? []" :key="name" :value="name">{{ name }}</option></select>
              <input v-if="key === 'count'" type="number" min="1" max="100" v-shown="typeof value === 'number' ? value : ''" aria-label="How many, as a number"
                data-testid="number-count" @change="dress(key, $event.target.value, $event.target)">
              <input v-if="looks[key].names === 'colours'" type="color" :value="digits(value)" :aria-label="'Other ' + looks[key].label.toLowerCase()"
                :data-testid="'digits-' + key" @change="dress(key, $event.target.value)">
            </label>
          </div>
          <div v-if="!fixed" class="layout-row" role="group" aria-label="Order of painting">
            <button type="button" class="studio-button" :disabled="chosen === boxes.length - 1" @click="order(1)">Forward</button>
            <button type="button" class="studio-button" :disabled="chosen === 0" @click="order(-1)">Backward</button>
            <button type="button" class="studio-button" data-testid="remove" @click="remove">Delete</button>
          </div>
          <div class="layout-row" role="group" aria-label="Distribute">
            <label>With <select :value="-1" data-testid="also" @change="toggle(Number($event.target.value)); $event.target.value = -1">
              <option :value="-1">{{ others.length ? others.length + " more" : "no other box" }}</option>
              <option v-for="index in candidates" :key="index" :value="index">{{ others.includes(index) ? "not " : "" }}{{ index + 1 }}. {{ boxes[index].name }}</option>
            </select></label>
            <button v-for="(name, axis) in ['Across', 'Down']" :key="name" type="button" class="studio-button" :disabled="others.length < 2"
              @click="distribute(axis)">{{ name }}</button>
          </div>
          <p class="option-help">Drag the box or its handles. Ctrl+Z: undo. Arrow keys: 0.5 mm, with Shift 5, with Alt 0.1; with Ctrl they resize.
            {{ fixed ? "Styles, colors, and the order of painting are changed in the text." : "Page Up and Page Down: forward and backward. Delete removes it." }}
            Shift and a click, or Shift and Enter: another box, to distribute.</p>
        </template>
        <template v-else>
          <div v-if="!fixed" class="layout-row"><label>Background <select :value="background ?? ''" data-testid="background" @change="paint($event.target.value)">
            <option value="">none</option><option v-for="word in words('fill', background)" :key="word" :value="word">{{ word }}</option></select>
            <input type="color" :value="digits(background)" aria-label="Other background" @change="paint($event.target.value)"></label></div>
          <p class="option-help">{{ isAdding ? "Adding …" : "Click a box on the card, or choose one here." }}</p>
        </template>
      </template>
      <p :class="{ 'studio-fault': isFault }" :role="isFault ? 'alert' : 'status'" data-testid="placed">{{ said }}</p>
      <div v-if="asked" class="layout-row" role="group" aria-label="Change more than this card">
        <button type="button" class="studio-button" data-testid="confirm" @click="confirm">Change it</button>
        <button type="button" class="studio-button" @click="asked = null; tell('nothing was moved')">Leave it</button>
      </div>
      <teleport v-if="isReady && !note && frame" to=".card-stage">
        <div class="layout-layer" role="group" aria-label="Boxes of the layout" :style="frame" ref="layer"
          @keydown.esc="cancel" @pointermove="drag" @pointerup="drop" @pointercancel="cancel" @lostpointercapture="drop" @dblclick="writeWords">
          <template v-for="(each, index) in boxes" :key="index">
            <div v-for="n in each.times - 1" :key="n" class="layout-copy" :style="style(placeOf(index), n, each.step, index)"></div>
            <div class="layout-box" :class="{ chosen: index === chosen, also: others.includes(index) }" tabindex="0" role="button"
              :aria-pressed="index === chosen || others.includes(index)"
              :aria-label="label(each, placeOf(index))" :data-index="index" :style="style(placeOf(index), 0, each.step, index)"
              @pointerdown="grab($event, index, '')" @keydown="press($event, index)" @click="$event.shiftKey || choose(index)">
              <span v-for="edge in index === chosen ? edges : []" :key="edge" class="layout-handle" :class="edge" aria-hidden="true"
                @pointerdown.stop="grab($event, index, edge)"></span>
            </div>
          </template>
          <div v-for="(guide, n) in guides" :key="'g' + n" class="layout-guide" :style="guideStyle(guide)"></div>
        </div>
      </teleport>
    </section>`,
  mixins: [stage],
  directives: { shown: { mounted: watchTyping, updated: showValue } },
  props: { boxes: Array, background: String, safe: Number, note: String, names: Object, fixed: Boolean },
  emits: ["change", "go"],
  data() {
    return { chosen: -1, isAdding: false, snaps: true, guides: [], others: [], added: "Text", queue: [], fault: "", asked: null, edges: EDGES, fields: FIELDS, alignments: Object.keys(ALIGNMENTS), looks: LOOKS };
  },
  computed: {
    box() { return this.boxes[this.chosen]; },
    at() { return this.placeOf(this.chosen); },
    candidates() { return [...this.boxes.keys()].filter((index) => index !== this.chosen); },
    // What a new box can show, by kinds of contents.
    contents() {
      const each = (title, key) => (this.names[key] ?? []).map((name) => [`${title} ${name}`, { [title.toLowerCase()]: name }]);
      const shapes = Object.entries(SHAPES).map(([shape, look]) => [`Shape ${shape}`, { shape, ...look }]);
      return Object.fromEntries([["Text", { text: "Text" }], ...shapes, ...each("Field", "fields"), ...each("Picture", "pictures"), ...each("Icons", "icons")]);
    },
  },
  watch: {
    // A new text has arrived: what was moved by hand is in it, unless it is being moved further.
    boxes() {
      if (this.moved && !this.from && !this.timer && !this.queue.length && this.isAt(this.boxes[this.moved.index], this.moved.at)) this.moved = null;
      if (this.chosen >= this.boxes.length) this.chosen = -1;
      this.others = this.others.filter((index) => index < this.boxes.length && index !== this.chosen);
      this.$nextTick(this.measure);
    },
  },
  methods: {
    shownText,
    writtenText,
    placeOf(index) { return this.moved?.index === index ? this.moved.at : this.boxes[index].at.map(rounded); },
    label(box, [x, y, w, h]) { return `${box.name}: x ${x}, y ${y}, ${w} by ${h} mm${box.times > 1 ? `, ${box.times} times` : ""}${box.drawn ? "" : ", not on this card"}`; },
    style([x, y, w, h], n, step, index) {
      const unit = this.frame.unit, least = 6;
      const px = (mm) => `${mm * unit}px`;
      // Small boxes are above large ones, so that each can be reached, and those that this card has above others.
      return { left: px(x + n * step[0] + this.shown), top: px(y + n * step[1] + this.shown), width: `max(${px(w)}, ${least}px)`,
        height: `max(${px(h)}, ${least}px)`, zIndex: index === this.chosen ? 2000 : this.boxes[index].drawn ? Math.max(2, 1000 - Math.round(Math.sqrt(w * h) * 8)) : 1 };
    },
    guideStyle({ axis, at }) {
      const px = `${(at + this.shown) * this.frame.unit}px`;
      return axis ? { top: px, left: 0, right: 0, height: "1px" } : { left: px, top: 0, bottom: 0, width: "1px" };
    },
    choose(index) {
      if (index === this.chosen) return;
      this.leaveField();
      this.write();
      this.chosen = index;
      this.others = [];
      this.asked = null;
      this.tell(this.box ? `${this.label(this.box, this.at)}${this.box.line ? `; line ${this.box.line}` : ""}` : "");
    },
    // What is being typed belongs to the box that it was typed for.
    leaveField() { if (document.activeElement?.isTyped) document.activeElement.blur(); },
    async writeWords() {
      await this.$nextTick();
      this.$el.querySelector("[data-testid=look-text]")?.focus();
    },
    grab(event, index, edge) {
      if (event.button) return;
      if (event.shiftKey && !edge) return this.toggle(index);
      this.choose(index);
      this.from = { index, edge, x: event.clientX, y: event.clientY, at: this.placeOf(index) };
      this.$refs.layer.setPointerCapture(event.pointerId);
      event.currentTarget.focus?.({ preventScroll: true });
      event.preventDefault();
    },
    drag(event) {
      if (!this.from) return;
      const { edge, at: [x, y, w, h] } = this.from, unit = this.frame.unit;
      const dx = (event.clientX - this.from.x) / unit, dy = (event.clientY - this.from.y) / unit;
      if (!this.from.isMoving && Math.hypot(dx, dy) * unit < 3) return; // a click
      this.from.isMoving = true;
      const free = this.snaps && !event.altKey ? (value, axis, ends) => this.snap(value, axis, ends) : (value) => value;
      this.guides = [];
      if (!edge) return this.move([free(x + dx, 0, [0, w / 2, w]), free(y + dy, 1, [0, h / 2, h]), w, h]);
      let [left, top, right, bottom] = [x, y, x + w, y + h];
      if (edge.includes("w")) left = Math.min(free(x + dx, 0, [0]), right);
      if (edge.includes("e")) right = Math.max(free(right + dx, 0, [0]), left);
      if (edge.includes("n")) top = Math.min(free(y + dy, 1, [0]), bottom);
      if (edge.includes("s")) bottom = Math.max(free(bottom + dy, 1, [0]), top);
      this.move([left, top, right - left, bottom - top]);
    },
    // The value at which one of the ends is at an edge of the card, of its safe zone, or of another box, if that is near.
    snap(value, axis, ends) {
      const whole = this.size[axis];
      const lines = [0, whole, whole / 2, this.safe, whole - this.safe];
      this.boxes.forEach(({ at }, index) => {
        if (index !== this.chosen) lines.push(at[axis], at[axis] + at[axis + 2] / 2, at[axis] + at[axis + 2]);
      });
      let best = null;
      for (const line of lines) for (const end of ends) {
        const way = Math.abs(line - end - value);
        if (way < (best?.way ?? NEAR)) best = { way, value: line - end, line };
      }
      if (best) this.guides.push({ axis, at: best.line });
      return best ? best.value : Math.round(value * 10) / 10;
    },
    move(at) { this.moved = { index: this.chosen, at: at.map(rounded) }; },
    drop() {
      const isMoving = this.from?.isMoving;
      this.from = null;
      this.guides = [];
      if (isMoving) this.write();
    },
    cancel() {
      if (!this.from && !this.timer) return;
      clearTimeout(this.timer);
      Object.assign(this, { from: null, moved: null, guides: [] });
      this.timer = 0;
      this.tell("cancelled; nothing was moved");
    },
    press(event, index) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        return event.shiftKey ? this.toggle(index) : this.choose(index);
      }
      const act = !this.fixed && { Delete: this.remove, PageUp: () => this.order(1), PageDown: () => this.order(-1) }[event.key];
      if (act && !(event.ctrlKey || event.altKey || event.metaKey)) {
        event.preventDefault();
        this.choose(index);
        return act();
      }
      const arrow = ARROWS[event.key];
      if (!arrow || event.metaKey) return;
      event.preventDefault();
      this.choose(index);
      const step = event.shiftKey ? 5 : event.altKey ? 0.1 : 0.5, [x, y, w, h] = this.at;
      const [dx, dy] = arrow.map((way) => way * step);
      this.move(event.ctrlKey ? [x, y, Math.max(w + dx, 0), Math.max(h + dy, 0)] : [x + dx, y + dy, w, h]);
      clearTimeout(this.timer);
      this.timer = setTimeout(this.write, PAUSE);
    },
    type(index, input) {
      const value = input.valueAsNumber, at = [...this.at];
      if (Number.isNaN(value) || (index > 1 && value < 0)) return (input.value = at[index]);
      at[index] = value;
      this.move(at);
      this.write();
    },
    align(name) {
      this.move(ALIGNMENTS[name](this.at, this.size, this.safe));
      this.write();
    },
    // Choose one more box, or no longer.
    toggle(index) {
      if (index < 0 || index === this.chosen) return;
      if (this.chosen < 0) return this.choose(index);
      this.others = this.others.includes(index) ? this.others.filter((each) => each !== index) : [...this.others, index];
      this.tell(`${this.others.length + 1} boxes are chosen`);
    },
    // Make the gaps between the chosen boxes the same.
    distribute(axis) {
      const places = [this.chosen, ...this.others].map((index) => [index, [...this.placeOf(index)]]).sort((a, b) => a[1][axis] - b[1][axis]);
      const sum = places.reduce((length, [, at]) => length + at[axis + 2], 0), [, first] = places[0], [, last] = places.at(-1);
      const gap = (last[axis] + last[axis + 2] - first[axis] - sum) / (places.length - 1);
      let next = first[axis];
      for (const [, at] of places) {
        at[axis] = rounded(next);
        next += at[axis + 2] + gap;
      }
      this.send(places.map(([index]) => index), (known) => ({ places: known.map((index, n) => [index, places[n][1]]) }));
    },
    add() {
      const box = this.contents[this.added];
      if (!box) return this.tell(`there is no '${this.added}' to add; choose one from the list`, true);
      this.addBox(box);
    },
    addPicture(picture) { this.addBox({ picture }); },
    addBox(box) {
      const [width, height] = this.size, [w, h] = [width / 2, box.shape === "line" ? 0 : box.text || box.field || box.icons ? 8 : width / 3].map(rounded);
      this.leaveField();
      const [content, ...look] = Object.entries(box), at = [rounded((width - w) / 2), rounded((height - h) / 2), w, h];
      this.write();
      Object.assign(this, { chosen: -1, others: [], isAdding: true }); // until the new box is there
      this.send([], () => ({ add: Object.fromEntries([content, ["at", at], ...look]) }));
    },
    paint(value) { this.send([], () => value !== (this.background ?? "") && { background: value || null }); },
    insert(select) {
      const area = select.parentElement.querySelector("textarea"), at = area.selectionStart;
      area.value = area.value.slice(0, at) + `{{ ${select.value} }}` + area.value.slice(area.selectionEnd);
      select.value = "";
      this.dress("text", writtenText(area.value, this.box.look.text));
    },
    // Make a gesture that changes more than the card that is seen, after the server has asked.
    confirm() {
      const { places } = this.asked;
      this.asked = null;
      this.send(places.map(([index]) => index), () => ({ places, confirmed: true }));
    },
    undo(again) {
      if (!again && (this.timer || this.from)) return this.cancel();
      this.send([], () => ({ undo: again }));
    },
    remove() { this.send([this.chosen], ([index]) => ({ remove: index })); },
    order(way) { this.send([this.chosen], ([index]) => index + way in this.boxes && { order: [index, index + way] }); },
    dress(key, text, input) {
      const { step, unit } = LOOKS[key];
      if (input && !input.validity.valid && !input.validity.stepMismatch) return (input.value = this.number(this.box.look[key]));
      if (key === "text" && !text) return this.tell("a box of text needs words; delete the box, or write some", true);
      const value = text === "" ? null : unit ? text + unit : step || (key === "count" && input) ? Number(text) : text;
      this.send([this.chosen], ([index]) => value !== this.boxes[index].look[key] && { look: [index, key, value] });
    },
    number(value) { return value == null ? "" : rounded(value); },
    words(key, value) {
      const known = LOOKS[key].words ?? this.names[LOOKS[key].names] ?? [], words = known.map((each) => (Array.isArray(each) ? each[0] : each));
      return value && typeof value !== "number" && !words.includes(value) ? [value, ...words] : words;
    },
    digits(value) {
      const digits = value?.startsWith("#") ? value : Object.fromEntries(this.names.colours ?? [])[value];
      return /^#[0-9a-f]{6}$/i.test(digits ?? "") ? digits : "#000000";
    },
    // Ask the server to write where the box is now.
    write() {
      clearTimeout(this.timer);
      this.timer = 0;
      if (!this.moved || this.moved.isSent) return;
      const { index, at } = this.moved;
      if (!this.isWriting && this.isAt(this.boxes[index], at)) return (this.moved = null);
      this.moved.isSent = true;
      this.queue.push({ indices: [index], make: ([index]) => !this.isAt(this.boxes[index], at) && { places: [[index, at]] } });
      this.sendNext();
    },
    // Ask the server to write a gesture that `make` returns for the indices of its boxes, after those that wait.
    send(indices, make) {
      this.write();
      this.queue.push({ indices, make });
      this.sendNext();
    },
    sendNext() {
      while (!this.isWriting && this.queue.length) {
        const { indices, make } = this.queue.shift(), gesture = indices.every((index) => index in this.boxes) && make(indices);
        if (!gesture) continue;
        this.isWriting = gesture;
        const known = [...new Set([...indices, ...(gesture.order ?? [])])];
        this.$emit("change", { gesture, known: known.map((index) => [index, this.boxes[index].name, this.boxes[index].at]) });
      }
    },
    // Where a box is after the gesture that was written, -1 if it is gone.
    indexAfter({ remove, order }, index) {
      if (remove !== undefined) return index === remove ? -1 : index - (index > remove);
      if (!order || !order.includes(index)) return index;
      return order[0] + order[1] - index;
    },
    // Called by the server: the gesture is in the text and what moved along, or why not, and whether it can be confirmed; then
    // the next one that waits is sent.
    async finish(fault, note, asks) {
      const gesture = this.isWriting || {};
      this.asked = asks ? gesture : null;
      this.fault ||= fault;
      await this.$nextTick();
      const hadFocus = document.activeElement?.classList.contains("layout-box") || document.activeElement === document.body;
      if (!fault) {
        let chosen = gesture.add && this.chosen < 0 ? this.boxes.length - 1 : this.indexAfter(gesture, this.chosen);
        if (gesture.remove === this.chosen) chosen = Math.min(this.chosen, this.boxes.length - 1);
        if (this.moved) this.moved.index = this.indexAfter(gesture, this.moved.index);
        for (const each of this.queue) each.indices = each.indices.map((index) => this.indexAfter(gesture, index));
        if (chosen !== this.chosen) Object.assign(this, { chosen, others: [] });
        await this.$nextTick();
        if (hadFocus && chosen >= 0) this.$refs.layer?.querySelector(`[data-index="${chosen}"]`)?.focus({ preventScroll: true });
      }
      this.tell(this.fault || [this.box ? this.label(this.box, this.at) : "", note].filter(Boolean).join("; "), Boolean(this.fault));
      this.isWriting = null;
      if (gesture.add) this.isAdding = false;
      this.sendNext();
      if (this.isWriting) return;
      this.fault = "";
      if (this.moved && (this.moved.isSent || this.moved.index < 0) && !this.from && !this.timer) this.moved = null;
    },
    // Undo, as in a text, wherever the focus is, but in a text or a field in which something is being typed.
    undoKey(event) {
      const key = event.key.toLowerCase(), { target } = event;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key) || !this.boxes.length) return;
      if (target.closest(".cm-editor, textarea, dialog, .q-dialog") || target.isTyped) return;
      if (target.matches("input:not([type=number], [type=checkbox], [type=color])")) return;
      event.preventDefault();
      this.undo(key === "y" || event.shiftKey);
    },
    // Called by the server before it saves: once all gestures are written.
    async settled() {
      this.leaveField();
      this.write();
      while (this.isWriting || this.queue.length) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    isAt(box, at) { return box && box.at.every((value, n) => Math.abs(value - at[n]) < 0.01); },
  },
  mounted() { document.addEventListener("keydown", this.undoKey); },
  unmounted() { document.removeEventListener("keydown", this.undoKey); },
};
