// The menu of a card: on its own page a button opens it, on the page of all cards the button of a cell.
export default {
  template: `
    <span class="card-menu">
      <button v-if="page" type="button" class="studio-button" :disabled="!card" :aria-expanded="isOpen" data-testid="card-menu"
        @click="open(card, $event.currentTarget)">Card ▾</button>
      <div popover="auto" ref="menu" class="menu" role="group" :aria-label="'Actions for ' + shown.name" @toggle="toggled" @keydown="move">
        <button type="button" @click="act('duplicate')">Duplicate</button>
        <button type="button" @click="act('like')">New like this …</button>
        <button type="button" @click="act('rename')">Rename …</button>
        <a v-if="!page && shown.address" :href="shown.address">Edit</a>
        <button v-if="shown.printed" type="button" @click="act('print')">Print this</button>
        <a v-if="shown.printed" :href="address('sheets')">Print with options</a>
        <a v-if="shown.printed" :href="address('export')">Export this</a>
        <a :href="odds">Show odds</a>
        <button type="button" class="grave" @click="act('delete')">Delete …</button>
      </div>
    </span>`,
  props: { card: Object, page: Boolean },
  emits: ["act"],
  data() { return { shown: { key: "", name: "" }, isOpen: false }; },
  computed: { odds() { return "/rules?" + new URLSearchParams({ card: this.shown.key }); } },
  methods: {
    address(part) { return printAddress(part, [this.shown.key]); },
    act(what) {
      this.$refs.menu.hidePopover();
      this.send({ what, keys: [this.shown.key] });
    },
    send(action) {
      if (action.what === "print") window.cardgenTab.begin();
      this.$emit("act", action);
    },
    // Called by the server: where the PDF is, or nothing if there is none.
    printed(address) { address ? window.cardgenTab.show(address) : window.cardgenTab.cancel(); },
    async open(card, button) {
      this.shown = card;
      const menu = this.$refs.menu;
      await this.$nextTick();
      menu.showPopover({ source: button });
      const at = button.getBoundingClientRect();
      menu.style.left = Math.max(4, Math.min(at.left, innerWidth - menu.offsetWidth - 4)) + "px";
      menu.style.top = Math.max(4, Math.min(at.bottom + 2, innerHeight - menu.offsetHeight - 4)) + "px";
      this.button = button;
      menu.querySelector("button, a").focus();
    },
    toggled(event) { this.isOpen = event.newState === "open"; },
    move(event) {
      const every = [...this.$refs.menu.querySelectorAll("button, a")];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      every.at((every.indexOf(document.activeElement) + step) % every.length).focus();
    },
    asked({ detail }) { "card" in detail ? this.open(detail.card, detail.button) : this.send(detail); },
    // Undo, as in a text; on the page of a card the text has its own.
    undo(event) {
      if (this.page || event.key !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if (event.target.closest("input, textarea, [contenteditable]")) return;
      event.preventDefault();
      this.$emit("act", { what: "undo", keys: [] });
    },
  },
  mounted() {
    document.addEventListener("card-action", this.asked);
    document.addEventListener("keydown", this.undo);
  },
  unmounted() {
    document.removeEventListener("card-action", this.asked);
    document.removeEventListener("keydown", this.undo);
  },
};

// The address of the page that prints or exports cards with some keys.
const printAddress = (part, keys) =>
  "/print?" + new URLSearchParams([["part", part], ...keys.map((key) => ["only", key.split("/").at(-1)])]);
