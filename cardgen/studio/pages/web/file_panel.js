// Takes files: dropped or pasted anywhere on the page, or chosen with a button; one picture, or several files and folders.
export default {
  template: `
    <div class="file-panel">
      <label class="studio-button" :class="{ over }">{{ label }}
        <input type="file" class="sr-only" :accept="suffixes.join()" :multiple="several" @change="chosen"></label>
      <label v-if="several" class="studio-button">Choose a folder …
        <input type="file" class="sr-only" webkitdirectory @change="chosen"></label>
      <span v-if="!text" class="option-help">{{ hint }}</span>
      <span :class="{ 'studio-fault': isFault }" :role="isFault ? 'alert' : 'status'">{{ text }}</span>
    </div>`,
  props: { label: String, hint: String, suffixes: Array, several: Boolean },
  emits: ["files"],
  data() { return { text: "", left: "", isFault: false, over: false }; },
  methods: {
    // Called by the server: where the files are, or why they are not taken.
    tell(text, isFault) { Object.assign(this, { text: text + this.left, isFault }); },
    // Each file has the path that it has in its folder.
    async send(files) {
      const taken = this.several ? files.filter(([, path]) => this.suffixes.some((each) => path.toLowerCase().endsWith(each))) : files.slice(0, 1);
      const left = this.several ? files.filter((each) => !taken.includes(each)).map(([, path]) => path) : [];
      this.left = "";
      if (!taken.length) return this.tell("None of these files can be used.", true);
      this.tell("Sending …", false);
      let count = 0;
      try {
        const sent = await Promise.all(taken.map(async ([file, path]) => {
          const answer = await fetch("/upload", { method: "POST", body: file });
          const text = await answer.text();
          if (!answer.ok) throw new Error(this.several ? `${path}: ${text}` : text);
          if (this.several) this.tell(`Sent ${++count} of ${taken.length} files …`, false);
          return [text, path];
        }));
        if (left.length) this.left = ` Not read: ${left.slice(0, 8).join(", ")}${left.length > 8 ? ", …" : ""}.`;
        this.$emit("files", sent);
      } catch (error) {
        this.tell(error instanceof TypeError ? "The file could not be sent; the studio does not answer." : error.message, true);
      }
    },
    chosen(event) {
      const files = [...event.target.files].map((file) => [file, file.webkitRelativePath || file.name]);
      event.target.value = "";
      if (files.length) this.send(files);
    },
    // The text editor would insert the content of a file.
    async drag(event) {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      this.over = event.type === "dragover";
      if (event.type !== "drop") return;
      const entries = [...event.dataTransfer.items].map((item) => this.several && item.webkitGetAsEntry?.());
      const folders = entries.filter((entry) => entry?.isDirectory);
      const files = [...event.dataTransfer.files].filter((_, number) => !entries[number]?.isDirectory);
      const inside = (await Promise.all(folders.map(filesOf))).flat();
      this.send([...files.map((file) => [file, file.name]), ...inside]);
    },
    paste(event) {
      const files = [...event.clipboardData.files].filter((each) => this.several || each.type.startsWith("image/"));
      if (!files.length) return;
      event.preventDefault();
      event.stopPropagation();
      this.send(files.map((file) => [file, file.name]));
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

// A folder tells its entries in parts, until it tells none.
async function filesOf(entry) {
  if (entry.isFile) return new Promise((done, fail) => entry.file((file) => done([[file, entry.fullPath.slice(1)]]), fail));
  const reader = entry.createReader(), found = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!part.length) return found;
    for (const each of part) found.push(...await filesOf(each));
  }
}
