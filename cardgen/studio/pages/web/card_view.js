// The card beside its text: both sides, overlays, zoom up to true size, and the problems of the file.
import { languageName } from "cardgen-form/paths.js";

const ZOOMS = { fit: "Fit", true: "True size", double: "200%" };

export default {
  template: `
    <section class="card-view" aria-label="Card">
      <div class="card-tools">
        <label v-if="cards.length > 1">Card <select :value="selected" data-testid="card" @change="choose($event.target.value)">
          <option v-for="card in cards" :key="card.key" :value="card.key">{{ card.name }}</option></select></label>
        <label>Language <select v-model="language" data-testid="language">
          <option v-for="tag in ['', ...languages, ...pseudo]" :key="tag" :value="tag">{{ nameOf(tag) }}</option></select></label>
        <span role="group" aria-label="Side" class="segments">
          <button type="button" :aria-pressed="!back" @click="turn(false)">Front</button>
          <button type="button" :aria-pressed="back" :disabled="!hasBack" @click="turn(true)" data-testid="back">Back</button>
        </span>
        <span role="group" aria-label="Zoom" class="segments">
          <button v-for="(name, key) in zooms" :key="key" type="button" :aria-pressed="zoom === key"
            :data-testid="'zoom-' + key" @click="zoom = key">{{ name }}</button>
        </span>
        <span role="group" aria-label="Overlays" class="cards-toggles">
          <label v-for="mark in ['bleed', 'safe', 'cut']" :key="mark"><input type="checkbox" :value="mark" v-model="marks">
            {{ {bleed: 'Bleed', safe: 'Safe zone', cut: 'Cut line'}[mark] }}</label>
        </span>
      </div>
      <div class="card-stage" :class="['zoom-' + zoom, {stale}]" tabindex="0" aria-label="Picture">
        <img v-if="picture" :src="picture" :alt="name" :style="scale" @load="arrived" ref="image" data-testid="picture">
        <p v-else class="card-none">{{ problem || 'Drawing …' }}</p>
      </div>
      <p class="card-state" role="status" data-testid="state">{{ state }}<span v-if="coarse" class="coarse">{{ coarse }}</span></p>
    </section>`,
  props: { cards: Array, selected: String, source: String, languages: Array, shown: String, first: Boolean },
  emits: ["choose", "look", "dark", "save"],
  data() {
    return { picture: "", name: "", problem: "", hasBack: false, fill: 0, dpi: 0, isCoarse: false, back: this.first, zoom: "fit", marks: [], language: this.shown,
      pseudo: ["en-XA", "ar-XB"], natural: 0, stale: false, zooms: ZOOMS };
  },
  computed: {
    scale() {
      const factor = { true: 1, double: 2 }[this.zoom];
      return factor && this.natural ? { width: this.natural * factor + "px" } : {};
    },
    state() {
      if (this.problem) return this.picture ? `Shown as last drawn: ${this.problem}` : "";
      const full = this.fill ? `${Math.round(this.fill * 100)} % full` : "";
      const dpi = this.dpi ? `picture ${Math.round(this.dpi)} dpi at its printed size` : "";
      return [full, dpi].filter(Boolean).join(" · ");
    },
    coarse() { return this.isCoarse && !this.problem ? ": it prints blurred; use one with more pixels" : ""; },
  },
  watch: { marks() { this.look(); }, language() { this.look(); } },
  methods: {
    // The address leads to the card that is shown.
    choose(key) {
      const query = new URLSearchParams(location.search);
      if (location.pathname === "/edit") {
        query.delete("line");
        query.set("card", key);
        history.replaceState(history.state, "", "?" + query);
      }
      this.$emit("choose", key);
    },
    // Called by the server with the newest picture; without one, the last picture stays, marked as old.
    show(drawn) {
      const { picture, problem, name } = drawn;
      this.stale = !picture;
      this.problem = problem;
      if (!picture) return;
      Object.assign(this, { picture, name, hasBack: drawn.hasBack, fill: drawn.fill, dpi: drawn.dpi, isCoarse: drawn.isCoarse });
    },
    arrived() {
      this.natural = this.$refs.image.naturalWidth;
      this.$el.dataset.shown = this.picture;
    },
    turn(back) { this.back = back; this.look(); },
    look() { this.$emit("look", { back: this.back, marks: this.marks, language: this.language }); },
    nameOf(tag) {
      if (!tag) return this.source ? `${languageName(this.source)} (source)` : "As written";
      return { "en-XA": "Longer texts (en-XA)", "ar-XB": "Right to left (ar-XB)" }[tag] ?? languageName(tag);
    },
    // The text has this shortcut too; everywhere else the browser would save the page.
    shortcut(event) {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      this.$emit("save");
    },
    tellDark() {
      const dark = document.body.classList.contains("body--dark");
      if (dark !== this.isDark) this.$emit("dark", (this.isDark = dark));
    },
  },
  mounted() {
    this.observer = new MutationObserver(this.tellDark);
    this.observer.observe(document.body, { attributeFilter: ["class"] });
    this.tellDark();
    document.addEventListener("keydown", this.shortcut);
  },
  unmounted() {
    this.observer.disconnect();
    document.removeEventListener("keydown", this.shortcut);
  },
};
