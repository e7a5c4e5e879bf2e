// What the editor of the text knows of the cards: completion, help at the pointer or the cursor, and undo from outside of it.
import * as CM from "nicegui-codemirror";

const TYPES = { key: "property", choice: "enum", card: "class", term: "keyword", icon: "text", file: "text", clause: "text", example: "function" };
const HELP_KEY = "F1";

// Markdown as the server writes it, as elements: its marks are few, and nothing of it is HTML.
function markdown(text) {
  const root = document.createElement("div");
  for (const block of text.split(/\n{2,}/)) {
    if (!block.trim()) continue;
    const isQuote = block.startsWith("> ");
    const element = document.createElement(/^-{3,}$/.test(block.trim()) ? "hr" : isQuote ? "blockquote" : "p");
    if (element.tagName !== "HR") inline(element, isQuote ? block.slice(2) : block);
    root.append(element);
  }
  return root;
}

function inline(element, text) {
  const pattern = /\\([\\`*_[\]<>#|~])|\*\*((?:\\.|[^*])+)\*\*|\*((?:\\.|[^*])+)\*|`([^`]+)`/g;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    element.append(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [, escaped, strong, emphasis, code] = match;
    if (escaped) { element.append(escaped); continue; }
    const part = document.createElement(strong ? "b" : emphasis ? "i" : "code");
    code ? part.append(code) : inline(part, strong ?? emphasis);
    element.append(part);
  }
  element.append(text.slice(at));
}

function helpDom(help) {
  const dom = document.createElement("div");
  dom.className = "text-help";
  dom.dataset.number = help.number;
  if (help.picture) {
    const picture = document.createElement("img");
    picture.src = help.picture;
    picture.alt = help.name;
    dom.append(picture);
  }
  dom.append(markdown(help.markdown));
  return dom;
}

// Python counts code points, CodeMirror counts UTF-16 units.
const codePoints = (text) => Array.from(text).length;
function units(doc, index) {
  const text = doc.toString();
  if (!/[\uD800-\uDBFF]/.test(text)) return index;
  let unit = 0;
  for (const character of text) {
    if (index-- <= 0) break;
    unit += character.length;
  }
  return unit;
}

const setHelp = CM.StateEffect.define();
const helpField = CM.StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHelp)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => CM.showTooltip.from(field),
});

export default {
  template: `<div class="text-assist"><p class="sr-only" role="status">{{ spoken }}</p></div>`,
  props: { editor: Number },
  emits: ["complete", "help", "save"],
  data() { return { spoken: "" }; },
  methods: {
    // Called by the server with the answer to a question.
    answer(number, data) {
      this.answers.get(number)?.(data);
      this.answers.delete(number);
    },
    // Called by the server with what took longer to find out.
    addHelp(number, text) {
      document.querySelector(`.text-help[data-number="${number}"]`)?.append(markdown(text));
    },
    ask(event, data) {
      const number = (this.asked = (this.asked ?? 0) + 1);
      return new Promise((resolve) => {
        this.answers.set(number, (answer) => resolve(answer && !Array.isArray(answer) ? { ...answer, number } : answer));
        this.$emit(event, { ...data, number });
        setTimeout(() => this.answer(number, null), 10000);
      });
    },
    async complete(context) {
      const { state, pos } = context, line = state.doc.lineAt(pos), before = state.sliceDoc(line.from, pos);
      if (!context.explicit && !/[\w{-]$|[:-] $/.test(before)) return null;
      const found = await this.ask("complete", { offset: codePoints(state.sliceDoc(0, pos)) });
      if (!found?.length || context.aborted) return null;
      const from = pos - Math.max(...found.map((each) => each.replaced));
      return {
        from, filter: false,
        options: found.map((each, number) => ({
          label: each.label, detail: each.detail, type: TYPES[each.kind], boost: -number, info: each.help || undefined,
          apply: (view, _, from, to) => view.dispatch({
            changes: { from: to - each.replaced, to, insert: each.text }, selection: { anchor: to - each.replaced + each.text.length },
            userEvent: "input.complete",
          }),
        })),
      };
    },
    async helpAt(view, pos) {
      const line = view.state.doc.lineAt(pos), column = codePoints(view.state.sliceDoc(line.from, pos)) + 1;
      const help = await this.ask("help", { line: line.number, column });
      if (!help) return null;
      const pair = [units(view.state.doc, help.start), units(view.state.doc, help.end)];
      return { pos: pair[0], end: pair[1], above: true, create: () => ({ dom: helpDom(help) }), help };
    },
    async helpAtCursor(view) {
      const tooltip = await this.helpAt(view, view.state.selection.main.head);
      view.dispatch({ effects: setHelp.of(tooltip) });
      this.spoken = tooltip ? helpDom(tooltip.help).textContent : "There is no help here.";
    },
    closeHelp(view) {
      if (!view.state.field(helpField)) return false;
      view.dispatch({ effects: setHelp.of(null) });
      return true;
    },
    extensions() {
      const sources = [{ autocomplete: (context) => this.complete(context) }]; // a new one would be asked again
      return [
        CM.EditorState.languageData.of(() => sources),
        CM.hoverTooltip((view, pos) => this.helpAt(view, pos)),
        helpField,
        CM.EditorView.contentAttributes.of({ "aria-label": "Text of the card file" }),
        CM.Prec.high(CM.keymap.of([
          { key: HELP_KEY, run: (view) => (this.helpAtCursor(view), true) },
          { key: "Escape", run: (view) => this.closeHelp(view) },
        ])),
      ];
    },
    // F6 goes from the form to the text, to the picture, and back.
    nextPane(event) {
      const panes = [".edit-form", ".edit-text", ".edit-card"].map((name) => document.querySelector(name)).filter((pane) => pane.offsetParent);
      const here = panes.findIndex((pane) => pane.contains(document.activeElement));
      const next = panes[(here + (event.shiftKey ? panes.length - 1 : 1)) % panes.length];
      if (next.contains(this.view.dom)) this.view.focus();
      else next.querySelector("input, select:not(.add), textarea, [tabindex='0']")?.focus();
      event.preventDefault();
    },
    // Undo works everywhere on the page, because the form and the text are one document.
    shortcut(event) {
      if (event.key === "F6" && !event.ctrlKey && !event.altKey) return this.nextPane(event);
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      if (event.target.closest?.(".cm-editor, .q-dialog, [data-own-undo]")) return;
      const key = event.key.toLowerCase();
      if (key === "s") this.$emit("save");
      else if (key === "z" || key === "y") {
        document.dispatchEvent(new CustomEvent("studio-undo"));
        (key === "y" || event.shiftKey ? CM.redo : CM.undo)(this.view);
      } else return;
      event.preventDefault();
    },
  },
  async mounted() {
    this.answers = new Map();
    await this.$nextTick(); // the page is complete only then
    const element = this.$root.$refs["r" + this.editor];
    this.view = element.editor ?? (await element.editorPromise);
    this.view.dispatch({ effects: CM.StateEffect.appendConfig.of(this.extensions()) });
    document.addEventListener("keydown", this.shortcut);
    this.$el.dataset.ready = "true";
  },
  unmounted() { document.removeEventListener("keydown", this.shortcut); },
};
