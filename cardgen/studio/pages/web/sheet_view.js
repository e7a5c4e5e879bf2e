// The pages of sheets as they will lie on paper, one at a time.
export default {
  template: `
    <section class="sheets" aria-label="Sheets">
      <div class="card-tools">
        <label v-if="documents.length > 1">Document <select v-model.number="document" data-testid="document" @change="page = 0">
          <option v-for="(each, index) in documents" :key="each.name" :value="index">{{ each.name }}</option></select></label>
        <span role="group" aria-label="Page" class="segments">
          <button type="button" :disabled="!before" aria-label="Previous page" data-testid="previous" @click="turn(-1)">←</button>
          <button type="button" :disabled="!after" aria-label="Next page" data-testid="next" @click="turn(1)">→</button>
        </span>
        <output aria-live="polite" data-testid="page">{{ place }}</output>
        <span role="group" aria-label="Zoom" class="segments">
          <button v-for="(title, key) in zooms" :key="key" type="button" :aria-pressed="zoom === key" @click="zoom = key">{{ title }}</button>
        </span>
      </div>
      <div class="sheet-stage" :class="'zoom-' + zoom" tabindex="0" aria-label="Sheet; arrow keys or Page Up and Page Down turn the pages"
        @keydown="key">
        <img v-if="picture" :src="picture" :alt="place" :class="{stale: busy}" data-testid="sheet" @load="$el.dataset.shown = picture">
        <p v-else class="card-none">{{ busy ? 'Laying out …' : message || 'Nothing to print.' }}</p>
      </div>
    </section>`,
  props: { documents: Array, busy: Boolean, message: String },
  data() { return { document: 0, page: 0, zoom: "fit", zooms: { fit: "Fit", large: "Large" } }; },
  computed: {
    current() { return this.documents[this.document]; },
    before() { return this.page > 0 || this.document > 0; },
    after() { return this.current && (this.page + 1 < this.current.pages || this.document + 1 < this.documents.length); },
    picture() {
      return this.current ? `${this.current.address}?${new URLSearchParams({ page: this.page, dpi: this.zoom === "fit" ? 96 : 160 })}` : "";
    },
    place() { return this.current ? `${this.current.name}: page ${this.page + 1} of ${this.current.pages}` : ""; },
  },
  watch: {
    documents() {
      this.document = Math.min(this.document, Math.max(0, this.documents.length - 1));
      this.page = Math.min(this.page, Math.max(0, (this.current?.pages || 1) - 1));
    },
  },
  methods: {
    // A large page is scrolled with the arrow keys.
    key(event) {
      const arrows = this.zoom === "fit" ? { ArrowLeft: -1, ArrowRight: 1 } : {};
      const step = { PageUp: -1, PageDown: 1, ...arrows }[event.key];
      if (!step) return;
      event.preventDefault();
      this.turn(step);
    },
    turn(step) {
      if (step < 0 ? !this.before : !this.after) return;
      const page = this.page + step;
      if (page >= 0 && page < this.current.pages) { this.page = page; return; }
      this.document += step;
      this.page = step < 0 ? this.current.pages - 1 : 0;
    },
  },
};
