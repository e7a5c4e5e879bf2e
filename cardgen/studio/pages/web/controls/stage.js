// What gestures over the picture of a card have in common: where the picture is, and what was said about the last gesture.
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
export const PAUSE = 350; // ms without a key after which nudges are one gesture
export const rounded = (number) => Math.round(number * 1000) / 1000 + 0;

export const stage = {
  props: { size: Array, shown: Number },
  data() { return { moved: null, from: null, said: "", isFault: false, frame: null, isReady: false }; },
  watch: { shown() { this.$nextTick(this.measure); } },
  methods: {
    tell(said, isFault = false) { Object.assign(this, { said, isFault }); },
    // Where the picture is: it keeps its proportions inside its element.
    measure() {
      const stage = document.querySelector(".card-stage"), image = stage?.querySelector("img");
      if (!image?.naturalWidth || !this.size) return (this.frame = null);
      const around = stage.getBoundingClientRect(), inside = image.getBoundingClientRect();
      const wide = this.size[0] + 2 * this.shown, high = this.size[1] + 2 * this.shown;
      const unit = Math.min(inside.width / wide, inside.height / high);
      const left = inside.left - around.left - stage.clientLeft + stage.scrollLeft + (inside.width - wide * unit) / 2;
      const top = inside.top - around.top - stage.clientTop + stage.scrollTop + (inside.height - high * unit) / 2;
      this.frame = { left: `${left}px`, top: `${top}px`, width: `${wide * unit}px`, height: `${high * unit}px`, unit };
    },
  },
  mounted() {
    this.isReady = true;
    this.watcher = new ResizeObserver(() => this.measure());
    const stage = document.querySelector(".card-stage");
    this.watcher.observe(stage);
    // A new picture gets its size only after it has arrived.
    this.arrived = ({ target }) => {
      if (target.tagName !== "IMG") return;
      this.watcher.observe(target);
      this.measure();
    };
    stage.addEventListener("load", this.arrived, true);
    stage.querySelectorAll("img").forEach((image) => this.watcher.observe(image));
    this.switched = new MutationObserver(() => this.$nextTick(this.measure)); // another zoom
    this.switched.observe(stage, { attributes: true, attributeFilter: ["class"] });
    this.measure();
  },
  unmounted() {
    document.querySelector(".card-stage")?.removeEventListener("load", this.arrived, true);
    this.watcher.disconnect();
    this.switched.disconnect();
    clearTimeout(this.timer);
  },
};
