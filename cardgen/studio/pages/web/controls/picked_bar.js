// What is done with the cards that are selected; the server hears of it through the menu of cards.
export const tell = (detail) => document.dispatchEvent(new CustomEvent("card-action", { detail }));

// As many as the server takes at once, and as fit into an address.
const MOST = 1000;

export const PickedBar = {
  name: "PickedBar",
  props: { keys: Array, hasRows: Boolean },
  emits: ["all", "none"],
  template: `
    <section v-if="keys.length" class="bar cards-picked" aria-label="Selected cards" data-testid="picked">
      <span role="status">{{ keys.length }} selected</span>
      <slot></slot>
      <span v-if="keys.length > most" role="alert">Select at most {{ most }} to change, print, or export them.</span>
      <template v-else>
        <button v-if="hasRows" type="button" class="studio-button" @click="act('take-over')">Turn into cards</button>
        <button type="button" class="studio-button" @click="act('duplicate')">Duplicate</button>
        <button type="button" class="studio-button" @click="act('tag')">Tags …</button>
        <button type="button" class="studio-button" @click="act('move')">Move …</button>
        <button type="button" class="studio-button" @click="act('print')">Print</button>
        <a class="studio-button" :href="printAddress('sheets')">Print with options</a>
        <a class="studio-button" :href="printAddress('export')">Export</a>
        <a class="studio-button" :href="odds">Show odds</a>
        <button type="button" class="studio-button" @click="act('delete')">Delete …</button>
      </template>
      <button type="button" class="studio-button quiet" @click="$emit('all')">Select all shown</button>
      <button type="button" class="studio-button quiet" @click="$emit('none')">Select none</button>
    </section>`,
  data: () => ({ most: MOST }),
  computed: {
    // Of the first card, with the others in the further roles of its trial.
    odds() { return "/rules?" + new URLSearchParams(this.keys.map((key, number) => [number ? "with" : "card", key])); },
  },
  methods: {
    act(what) { tell({ what, keys: this.keys }); },
    printAddress(part) {
      return "/print?" + new URLSearchParams([["part", part], ...this.keys.map((key) => ["only", key.split("/").at(-1)])]);
    },
  },
};
