// The pictures of a card in their boxes: panned, zoomed, and turned with the mouse, fingers, keys, or sliders. The server writes
// each gesture into the text once it has ended; until then, an outline shows where the whole picture will be.
import { ARROWS, PAUSE, rounded, stage } from "cardgen-form/stage.js";

const CONTROLS = {
  across: { label: "Across", min: 0, max: 1, step: 0.01 },
  down: { label: "Down", min: 0, max: 1, step: 0.01 },
  scale: { label: "Size", min: 0.1, max: 10, step: 0.05 },
  rotate: { label: "Turned", min: 0, max: 270, step: 90 },
};
const ZOOM = 1.1;
const STEPS = { "+": [1], "=": [1], "-": [-1], r: [0, 1], R: [0, -1] };

export default {
  mixins: [stage],
  template: `
    <section v-if="pictures.length" class="picture-panel" aria-label="Pictures by hand" @keydown.esc="cancel">
      <div v-for="picture in pictures" :key="picture.key" class="layout-row" role="group" :aria-label="'Picture ' + picture.key">
        <label v-for="({ label, min, max, step }, name) in controls" :key="name">{{ label }}
          <input type="range" :min="min" :max="max" :step="step" :value="valueOf(picture)[name]" :data-testid="picture.key + '-' + name"
            :aria-valuetext="text(name, valueOf(picture)[name])" :disabled="!isFree(picture, name)"
            @input="set(picture, { [name]: Number($event.target.value) })" @change="write"></label>
      </div>
      <p class="option-help">Drag the picture on the card, or use the arrow keys: 0.5 mm, with Shift 5, with Alt 0.1. Wheel, two fingers, + and −:
        larger or smaller. Shift and the wheel, or R: turn.</p>
      <p :class="{ 'studio-fault': isFault }" :role="isFault ? 'alert' : 'status'" data-testid="framed">{{ said }}</p>
      <teleport v-if="isReady && frame" to=".card-stage">
        <div class="layout-layer" role="group" aria-label="Pictures of the card" :style="frame" @keydown.esc="cancel">
          <template v-for="picture in pictures" :key="picture.key">
            <div v-if="moved?.key === picture.key" class="layout-copy" :style="style(whole(picture))"></div>
            <div class="layout-box" :class="{ chosen: chosen === picture.key }" tabindex="0" role="button" :data-key="picture.key"
              :aria-label="label(picture)" :style="style(onCard(picture, picture.box))" @focus="chosen = picture.key" @blur="chosen = ''"
              @pointerdown="grab($event, picture)" @pointermove="drag" @pointerup="drop" @pointercancel="cancel" @lostpointercapture="drop"
              @wheel="wheel($event, picture)" @keydown="press($event, picture)"></div>
          </template>
        </div>
      </teleport>
    </section>`,
  props: { card: String, pictures: Array }, emits: ["change"],
  data() { return { chosen: "", controls: CONTROLS, fingers: new Map() }; },
  watch: {
    card() { this.tell(""); },
    pictures() {
      if (!this.from && !this.timer && !this.isWriting) this.moved = null;
      this.$nextTick(this.measure);
    },
  },
  methods: {
    valueOf(picture) {
      const { focus: [across, down], scale, rotate } = picture;
      return this.moved?.key === picture.key ? this.moved.value : { across, down, scale, rotate };
    },
    text(name, value) { return { scale: `${value} times`, rotate: `${value}°` }[name] ?? `${Math.round(value * 100)} %`; },
    label(picture) {
      const value = this.valueOf(picture);
      return `${picture.key}: ${Object.entries(CONTROLS).map(([name, { label }]) => `${label.toLowerCase()} ${this.text(name, value[name])}`).join(", ")}`;
    },
    // How much wider and higher the box is than the picture, which lies on its side if it is turned.
    slack({ box, base }, { scale }) { return [box[2] - base[0] * scale, box[3] - base[1] * scale]; },
    isFree(picture, name) {
      const axis = ["across", "down"].indexOf(name), value = this.valueOf(picture);
      return axis < 0 || ((picture.pans || value.scale > 1) && Math.abs(this.slack(picture, value)[axis]) > 0.05);
    },
    whole(picture) {
      const value = this.valueOf(picture), slack = this.slack(picture, value);
      const share = picture.pans || value.scale > 1 ? [value.across, value.down] : [0.5, 0.5];
      const [left, top] = [0, 1].map((axis) => picture.box[axis] + slack[axis] * share[axis]);
      return this.onCard(picture, [left, top, ...picture.base.map((length) => length * value.scale)]);
    },
    onCard({ matrix: [a, b, c, d, e, f] }, [left, top, wide, high]) {
      const ends = [[left, top], [left + wide, top + high]].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
      const [x, y] = [0, 1].map((axis) => Math.min(ends[0][axis], ends[1][axis]));
      return [x, y, Math.abs(ends[1][0] - ends[0][0]), Math.abs(ends[1][1] - ends[0][1])];
    },
    style([x, y, w, h]) {
      const px = (mm) => `${mm * this.frame.unit}px`;
      return { left: px(x + this.shown), top: px(y + this.shown), width: px(w), height: px(h) };
    },
    // Steps of the wheel and of keys are one gesture until there is a pause.
    set(picture, change, isStep = false) {
      const value = { ...this.valueOf(picture), ...change };
      for (const [name, { min, max }] of Object.entries(CONTROLS)) value[name] = rounded(Math.min(Math.max(value[name], min), max));
      this.moved = { key: picture.key, value };
      clearTimeout(this.timer);
      this.timer = isStep ? setTimeout(this.write, PAUSE) : 0;
    },
    pan(picture, dx, dy, value, isStep = false) {
      const [a, b, c, d] = picture.matrix, size = a * d - b * c;
      const way = [(d * dx - c * dy) / size, (a * dy - b * dx) / size], slack = this.slack(picture, value);
      const [across, down] = ["across", "down"].map((name, axis) => value[name] + (this.isFree(picture, name) ? way[axis] / slack[axis] : 0));
      this.set(picture, { across, down }, isStep);
    },
    step(picture, zoom, turns = 0) {
      const { scale, rotate } = this.valueOf(picture);
      this.set(picture, { scale: Math.round(scale * ZOOM ** zoom * 100) / 100, rotate: (rotate + 360 + turns * 90) % 360 }, true);
    },
    span([one, other] = [...this.fingers.values()]) { return other && Math.hypot(one[0] - other[0], one[1] - other[1]); },
    grab(event, picture) {
      if (event.button) return;
      if (this.timer) this.write();
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      this.from = { picture, x: event.clientX, y: event.clientY, value: this.valueOf(picture), span: this.span() };
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
      event.preventDefault();
    },
    drag(event) {
      if (!this.from || !this.fingers.has(event.pointerId)) return;
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const { picture, value, span, x, y } = this.from, [dx, dy] = [event.clientX - x, event.clientY - y];
      if (span) return this.set(picture, { scale: (value.scale * this.span()) / span });
      if (this.moved || Math.hypot(dx, dy) >= 3) this.pan(picture, dx / this.frame.unit, dy / this.frame.unit, value);
    },
    drop(event) {
      this.fingers.delete(event.pointerId);
      if (this.from) this.write((this.from = null));
    },
    cancel() {
      if (!this.from && !this.timer) return;
      clearTimeout(this.timer);
      this.fingers.clear();
      Object.assign(this, { from: null, moved: null, timer: 0 });
      this.tell("cancelled; the picture is as it was");
    },
    // The page scrolls unless the picture has been chosen.
    wheel(event, picture) {
      if (this.chosen !== picture.key) return;
      event.preventDefault();
      const way = Math.sign(event.deltaY || event.deltaX);
      if (!event.shiftKey) this.step(picture, -way);
      else if (!this.timer) this.step(picture, 0, way); // a wheel sends many events for one move
    },
    press(event, picture) {
      if (event.ctrlKey || event.metaKey) return;
      const steps = STEPS[event.key], arrow = ARROWS[event.key], step = event.shiftKey ? 5 : event.altKey ? 0.1 : 0.5;
      if (steps || arrow) event.preventDefault();
      if (steps) this.step(picture, ...steps);
      else if (arrow) this.pan(picture, arrow[0] * step, arrow[1] * step, this.valueOf(picture), true);
    },
    // Ask the server to write how the picture is now, one gesture after the other.
    write() {
      clearTimeout(this.timer);
      this.timer = 0;
      const picture = this.pictures.find(({ key }) => key === this.moved?.key);
      if (!picture || this.isWriting) return;
      const { across, down, ...others } = this.moved.value, all = { focus: [across, down], ...others };
      const values = Object.fromEntries(Object.entries(all).filter(([key, value]) => String(value) !== String(picture[key])));
      if (!Object.keys(values).length) return (this.moved = null);
      this.isWriting = this.moved;
      this.$emit("change", { key: picture.key, values });
    },
    // Called by the server: the gesture is in the text, or why not.
    finish(fault) {
      const sent = this.isWriting, picture = this.pictures.find(({ key }) => key === sent?.key);
      Object.assign(this, { isWriting: null, ...(fault && { moved: null }) });
      this.tell(fault || (picture ? this.label(picture) : ""), Boolean(fault));
      if (this.moved && this.moved !== sent && !this.from && !this.timer) this.write(); // it was moved further meanwhile
    },
  },
};
