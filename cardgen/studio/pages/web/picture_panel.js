// Takes a picture for the card: dropped or pasted anywhere on the page, or chosen with the button.
export default {
  template: `
    <div class="picture-panel">
      <label class="studio-button" :class="{ over }">Add a picture …
        <input type="file" class="sr-only" accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml" @change="chosen"></label>
      <span v-if="!text" class="option-help">or drop or paste one on this page</span>
      <span :class="{ 'studio-fault': isFault }" :role="isFault ? 'alert' : 'status'">{{ text }}</span>
    </div>`,
  emits: ["picture"],
  data() { return { text: "", isFault: false, over: false }; },
  methods: {
    // Called by the server: where the picture is, or why it is not taken.
    tell(text, isFault) { Object.assign(this, { text, isFault }); },
    async send(file) {
      this.tell("Sending …", false);
      try {
        const answer = await fetch("/upload", { method: "POST", body: file });
        const text = await answer.text();
        answer.ok ? this.$emit("picture", [text, file.name]) : this.tell(text, true);
      } catch {
        this.tell("The file could not be sent; the studio does not answer.", true);
      }
    },
    chosen(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) this.send(file);
    },
    // The text editor would insert the content of a file.
    drag(event) {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      this.over = event.type === "dragover";
      if (event.type === "drop" && event.dataTransfer.files.length) this.send(event.dataTransfer.files[0]);
    },
    paste(event) {
      const file = [...event.clipboardData.files].find((each) => each.type.startsWith("image/"));
      if (!file) return;
      event.preventDefault();
      event.stopPropagation();
      this.send(file);
    },
  },
  mounted() {
    for (const type of DRAGS) document.addEventListener(type, this.drag, true);
    document.addEventListener("paste", this.paste, true);
  },
  unmounted() {
    for (const type of DRAGS) document.removeEventListener(type, this.drag, true);
    document.removeEventListener("paste", this.paste, true);
  },
};

const DRAGS = ["dragover", "dragleave", "drop"];
