import { languageName } from "cardgen-form/paths.js";

// The grid of all cards. It filters in the browser; pictures are files that the server draws when they come into view.
import { PickedBar, tell } from "cardgen-form/picked_bar.js";
import { toRaw } from "vue";

// Cells that are made at once, between which the page answers.
const STEP = 200;
const SIZES = { small: 11, medium: 15, large: 22 };

export default {
  components: { PickedBar },
  template: `
    <section class="cards" aria-label="Cards">
      <form class="cards-filters" role="search" aria-label="Filter cards" @submit.prevent>
        <label class="grow">Search <input type="search" v-model="search" ref="search" data-testid="search"
          placeholder="name, id, or tag" @keydown.esc="search = ''" @keydown.enter.prevent="focusFirst"></label>
        <label>Kind <select v-model="kind" data-testid="kind"><option value="">all</option>
          <option v-for="each in kinds" :key="each">{{ each }}</option></select></label>
        <label v-if="tags.length">Tag <select v-model="tag" data-testid="tag"><option value="">all</option>
          <option v-for="each in tags" :key="each">{{ each }}</option></select></label>
        <label v-if="lists.length">List <select v-model="list" data-testid="list"><option value="">all</option>
          <option v-for="each in lists" :key="each">{{ each }}</option></select></label>
        <label>Findings <select v-model="findings" data-testid="findings"><option value="">all</option>
          <option value="any">with findings</option><option value="error">with errors</option>
          <option value="none">without</option></select></label>
        <label>Full <select v-model="fill" data-testid="fill"><option value="">all</option>
          <option value="0.9">90% or more</option><option value="1">too full</option></select></label>
        <label v-if="languages.length">To translate <select v-model="gap" data-testid="gap"><option value="">all</option>
          <option v-for="tag in languages" :key="tag" :value="tag">{{ languageName(tag) }}</option></select></label>
        <label>Size <select v-model="size"><option v-for="(_, name) in sizes" :key="name">{{ name }}</option></select></label>
        <span class="cards-toggles" role="group" aria-label="Show">
          <label><input type="checkbox" v-model="back" data-testid="back"> Backs</label>
          <label><input type="checkbox" v-model="bleed" data-testid="bleed"> Bleed</label>
          <label><input type="checkbox" v-model="safe" data-testid="safe"> Safe zone</label>
          <label><input type="checkbox" v-model="cut" data-testid="cut"> Cut line</label>
        </span>
        <a class="studio-button" href="/table">Table</a>
        <output aria-live="polite" data-testid="count">{{ summary }}</output>
      </form>
      <div v-if="reasons.length" class="bar error" role="alert" data-testid="unread-files">
        {{ reasons.length > 1 ? reasons.length + " files cannot be read." : "1 file cannot be read." }}
        <ul><li v-for="each in reasons.slice(0, 10)" :key="each.file">
          <a :href="each.address">{{ each.file }}, {{ each.place }}</a>: {{ each.message }}</li></ul>
        <template v-if="reasons.length > 10">and {{ reasons.length - 10 }} more</template>
      </div>
      <p v-if="!shown.length" class="cards-empty">{{ cards.length ? 'No card matches these filters.' : 'This project has no cards yet.' }}
        <button v-if="cards.length" type="button" class="studio-button" @click="reset">Clear filters</button></p>
      <PickedBar :keys="picked" @all="selectShown" @none="selected = new Set()"></PickedBar>
      <p v-if="dropped" class="bar" role="alert">To give {{ dropped.name }} this picture, <a :href="address(dropped)">open the card</a>
        and drop it there.</p>
      <ul class="cards-grid" :style="{'--cell': sizes[size] + 'rem'}" @keydown="move" @dragover.prevent @drop.prevent="drop" ref="grid">
        <li v-for="card in drawn" :key="card.key" v-near="card.key" v-memo="near[card.key] ? [card, look, fills[card.key],
            count(card, 'error'), count(card, 'warning'), failed[pictureOf(card)], drafts.has(card.file), selected.has(card.key), gap, gaps[card.key]] : [card, gap]">
          <span v-if="!card.unread && near[card.key]" class="card-corner">
            <input type="checkbox" :checked="selected.has(card.key)" :aria-label="'Select ' + card.name" @change="select(card.key)">
            <button type="button" class="studio-button" :aria-label="'Actions for ' + card.name" aria-haspopup="true"
              @click="openMenu(card, $event.currentTarget)">⋯</button>
          </span>
          <a class="card-cell" :class="{unread: card.unread, selected: selected.has(card.key)}" :href="address(card)" :data-key="card.key">
            <span class="card-picture">
              <span v-if="!card.kind" class="card-none">cannot be read<br>no pictures of its cards since the studio was started</span>
              <span v-else-if="!card.is_printed" class="card-none">{{ card.kind }}<br>not printed</span>
              <template v-else-if="!near[card.key]"></template>
              <span v-else-if="failed[pictureOf(card)]" class="card-none">{{ back ? 'no back' : 'cannot be drawn' }}</span>
              <img v-else :src="pictureOf(card)" :alt="(back ? 'Back of ' : '') + card.name" decoding="async"
                @error="failed[pictureOf(card)] = true">
            </span>
            <span class="card-name">{{ card.name }}</span>
            <span v-if="near[card.key]" class="card-facts"><span>{{ card.kind }}</span>
              <span v-if="card.unread" class="chip error">cannot be read</span>
              <span v-if="drafts.has(card.file)" class="chip warning" data-testid="unsaved">unsaved</span>
              <span v-if="count(card, 'error')" class="chip error">{{ count(card, 'error') }} {{ count(card, 'error') > 1 ? 'errors' : 'error' }}</span>
              <span v-if="count(card, 'warning')" class="chip warning">{{ count(card, 'warning') }} {{ count(card, 'warning') > 1 ? 'warnings' : 'warning' }}</span>
              <span v-if="gapsOf(card)" class="chip warning" data-testid="gaps">{{ gapsOf(card) }}</span>
              <span v-if="fills[card.key]" class="chip" :class="{error: fills[card.key] > 1}">{{ Math.round(fills[card.key] * 100) }} % full</span>
            </span>
          </a>
        </li>
      </ul>
    </section>`,
  props: { project: String, cards: Array, reasons: Array, languages: Array, status: Object },
  data() {
    const kept = JSON.parse(sessionStorage.getItem("cards-view " + this.project) || "{}");
    return {
      search: "", kind: "", tag: "", list: "", findings: "", fill: "", gap: "", size: "medium",
      back: false, bleed: false, safe: false, cut: false, ...kept,
      sizes: SIZES, failed: {}, near: {}, progress: null, selected: new Set(), most: STEP, dropped: null,
    };
  },
  computed: {
    // Proxies of thousands of cards would be slow; neither these nor the status change in part.
    all() { return toRaw(this.cards); },
    state() { return toRaw(this.progress || this.status); },
    fills() { return this.state.fills; },
    gaps() { return this.state.gaps; },
    drafts() { return new Set(this.state.drafts); },
    kinds() { return unique(this.all.map((card) => card.kind).filter(Boolean)); },
    tags() { return unique(this.all.flatMap((card) => card.tags)); },
    lists() { return unique(this.all.flatMap((card) => card.lists)); },
    shown() {
      const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
      return this.all.filter((card) =>
        (!this.kind || card.kind === this.kind) && (!this.tag || card.tags.includes(this.tag)) &&
        (!this.list || card.lists.includes(this.list)) && this.hasFindings(card) &&
        (!this.fill || (this.fill === "1" ? this.fills[card.key] > 1 : this.fills[card.key] >= +this.fill)) &&
        (!this.languages.includes(this.gap) || this.gaps[card.key]?.[this.gap]) &&
        words.every((word) => `${card.name} ${card.id} ${card.tags.join(" ")}`.toLowerCase().includes(word)));
    },
    drawn() { return this.shown.slice(0, this.most); },
    summary() {
      const known = this.all.filter((card) => card.key in this.fills).length;
      const printed = this.all.filter((card) => card.is_printed && !card.unread).length;
      const work = this.state.fault ? " · not checked" : !this.state.checked ? " · checking …" : known < printed ? ` · measured ${known} of ${printed}` : "";
      return `${this.shown.length} of ${this.all.length} cards${work}`;
    },
    // Those that can still be read, even if a filter hides them.
    picked() { return this.all.filter((card) => this.selected.has(card.key) && !card.unread).map((card) => card.key); },
    marks() { return ["bleed", "safe", "cut"].filter((mark) => this[mark]).join(" "); },
    look() { return `${this.back} ${this.marks}`; },
    kept() {
      const { search, kind, tag, list, findings, fill, gap, size, back, bleed, safe, cut } = this;
      return JSON.stringify({ search, kind, tag, list, findings, fill, gap, size, back, bleed, safe, cut });
    },
  },
  // Thousands of whole cells would make each filter slow, so one has only its name until it is nearly in view.
  directives: {
    near: {
      mounted(cell, { value, instance }) {
        cell.cardKey = value;
        instance.observer.observe(cell);
      },
      unmounted(cell, { value, instance }) {
        instance.observer.unobserve(cell);
        delete instance.near[value];
      },
    },
  },
  watch: {
    kept(text) { sessionStorage.setItem("cards-view " + this.project, text); },
    status() { this.progress = null; },
    shown(cards) {
      this.most = Math.min(this.most, Math.max(STEP, cards.length));
      this.drawMore();
    },
  },
  methods: {
    select(key) {
      const selected = new Set(this.selected);
      if (!selected.delete(key)) selected.add(key);
      this.selected = selected;
    },
    selectShown() { this.selected = new Set(this.shown.filter((card) => !card.unread).map((card) => card.key)); },
    openMenu(card, button) {
      const { key, name, is_printed: printed } = card;
      tell({ card: { key, name, printed, address: this.address(card) }, button });
    },
    drawMore() {
      clearTimeout(this.timer);
      if (this.most < this.shown.length) this.timer = setTimeout(() => { this.most += STEP; this.drawMore(); });
    },
    drop(event) {
      const key = event.target.closest(".cards-grid > li")?.querySelector("[data-key]").dataset.key;
      this.dropped = event.dataTransfer.files.length ? this.all.find((card) => card.key === key) : null;
    },
    setProgress(progress) { this.progress = progress; },
    reset() { this.search = this.kind = this.tag = this.list = this.findings = this.fill = this.gap = ""; },
    languageName,
    // What is stale or missing in the chosen language, or else in which languages anything is.
    gapsOf(card) {
      const gaps = this.gaps[card.key] ?? {}, [stale, missing] = gaps[this.gap] ?? [0, 0];
      const words = this.gap ? [missing && `${missing} missing`, stale && `${stale} stale`] : Object.keys(gaps);
      return words.length && words.some(Boolean) ? `${this.gap || "translate"}: ${words.filter(Boolean).join(", ")}` : "";
    },
    count(card, severity) { return this.state.problems[card.key]?.[severity] || 0; },
    hasFindings(card) {
      const counts = this.state.problems[card.key];
      if (this.findings === "any") return !!counts || card.unread;
      if (this.findings === "none") return !counts && !card.unread;
      return !this.findings || !!counts?.error || card.unread;
    },
    address(card) {
      const reason = card.unread && this.reasons.find((each) => each.file === card.file);
      return reason ? reason.address : "/edit?" + new URLSearchParams({ file: card.file, card: card.key, ...(this.gap && { language: this.gap }) });
    },
    pictureOf(card) {
      const { back, marks } = this;
      return "/face?" + new URLSearchParams({ key: card.key, side: back ? "back" : "front", marks, v: card.version });
    },
    focusFirst() { this.$refs.grid.querySelector("a")?.focus(); },
    // Arrow keys move through the grid as it is laid out; X selects, and the key for menus opens that of a card.
    move(event) {
      const cell = event.target.closest(".card-cell")?.closest("li");
      if (cell && event.key === "x") cell.querySelector("input")?.click();
      if (cell && (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))) {
        event.preventDefault();
        cell.querySelector("button")?.click();
      }
      const grid = this.$refs.grid, columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
      const next = cell && step && grid.children[[...grid.children].indexOf(cell) + step];
      if (!next) return;
      event.preventDefault();
      next.querySelector("a").focus();
    },
    shortcut(event) {
      if (event.key !== "/" || event.target.closest("input, select, textarea, [contenteditable]")) return;
      event.preventDefault();
      this.$refs.search.focus();
    },
  },
  created() {
    this.observer = new IntersectionObserver((entries) => {
      for (const each of entries) if (each.isIntersecting) this.near[each.target.cardKey] = true;
    }, { rootMargin: "400px" });
  },
  mounted() {
    document.addEventListener("keydown", this.shortcut);
    this.drawMore();
  },
  unmounted() {
    clearTimeout(this.timer);
    this.observer.disconnect();
    document.removeEventListener("keydown", this.shortcut);
  },
};

const unique = (values) => [...new Set(values)].sort((one, other) => one.localeCompare(other));
