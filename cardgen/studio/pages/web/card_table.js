// The table of all cards of a kind. A cell shows what was typed at once; the server writes it, and says what the files have.
import { CellEditor } from "cardgen-form/cell_editor.js";
import { PickedBar, tell } from "cardgen-form/picked_bar.js";
import * as AgGrid from "nicegui-aggrid";
import { createApp } from "vue";

// Rows that a narrow window shows first.
const FIRST_ROWS = 40;
const NARROW = matchMedia("(max-width: 36rem)");

export default {
  components: { PickedBar, CellEditor },
  template: `
    <section class="cards card-table" aria-label="Table of cards">
      <form class="cards-filters" role="search" aria-label="Filter cards" @submit.prevent>
        <label>Kind <select :value="kind" data-testid="kind" @change="choose($event.target.value)">
          <option v-for="(name, each) in kinds" :key="each" :value="each">{{ name }}</option></select></label>
        <label class="grow">Search <input type="search" v-model="search" data-testid="search" placeholder="any cell"></label>
        <details class="table-columns"><summary>Columns</summary><div>
          <label v-for="each in columns" :key="each.key" :title="each.field.help"><input type="checkbox" :checked="isShown(each)"
            @change="toggle(each)"> {{ each.field.label }}</label></div></details>
        <button type="button" class="studio-button" @click="add">New row …</button>
        <a class="studio-button" href="/">Pictures</a>
        <output aria-live="polite" data-testid="count">{{ summary }}</output>
      </form>
      <p v-if="fault" class="bar error" role="alert">{{ fault }}
        <button v-if="refused" type="button" class="studio-button" @click="allow">Allow {{ refused.words.join(", ") }}</button> <button type="button" class="studio-button quiet" @click="fault = ''">Dismiss</button></p>
      <p v-if="source" class="bar">Rows in italics are changed in the program that writes {{ source.file }}.
        <button type="button" class="studio-button" @click="takeOver">Turn all its rows into cards</button></p>
      <PickedBar :keys="picked" :has-rows="hasRows" @all="selectShown" @none="api.deselectAll()">
        <button v-if="!narrow" type="button" class="studio-button" @click="fillDown">Fill down</button>
      </PickedBar>
      <div v-show="!narrow" ref="grid" class="table-grid" @paste="paste" @copy="copy"></div>
      <ul v-if="narrow" class="table-cards" aria-label="Cards">
        <li v-for="row in list" :key="row.uid">
          <div class="table-card-head"><label><input type="checkbox" :checked="picked.includes(row.key)" @change="select(row)"> {{ row.name }}</label>
            <button type="button" class="studio-button" :aria-label="'Actions for ' + row.name" aria-haspopup="true" @click="openMenu(row, $event.currentTarget)">⋯</button></div>
          <p v-if="row.lock" class="table-lock">{{ row.lock }}</p>
          <dl><template v-for="each in columns.filter(isShown)" :key="each.key"><dt>{{ each.field.label }}</dt><dd>
            <form v-if="editing === row.uid + each.key" class="field-row" @submit.prevent="leave(row, each)" @keydown.esc="editing = ''">
              <CellEditor ref="editor" :field="each.field" :text="textOf(row, each)" :label="each.field.label" :ask="asker(row, each)"></CellEditor>
              <button class="studio-button primary">Set</button></form>
            <span v-else-if="row.lock || each.lock">{{ textOf(row, each) || '–' }}</span>
            <button v-else type="button" class="table-value" :aria-label="each.field.label + ': ' + textOf(row, each)" @click="edit(row, each)">{{ textOf(row, each) || '–' }}</button>
          </dd></template></dl>
        </li>
        <li v-if="more"><button type="button" class="studio-button" @click="most += 200">Show {{ more }} more</button></li>
      </ul>
    </section>`,
  props: { kind: String, kinds: Object, own: Boolean },
  emits: ["edit", "options"],
  data() {
    return { columns: [], shown: null, search: "", fault: "", refused: null, picked: [], hasRows: false, narrow: NARROW.matches, version: 0, most: FIRST_ROWS, editing: "" };
  },
  computed: {
    summary() {
      this.version;
      const count = this.rows.length, found = this.narrow ? this.found.length : this.filtered ?? count;
      return `${found} of ${count} cards`;
    },
    source() { this.version; return this.rows.find((row) => row.is_row); },
    found() {
      this.version;
      const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
      return this.rows.filter((row) => words.every((word) => row.cells.join(" ").toLowerCase().includes(word)));
    },
    list() { return this.found.slice(0, this.most).map((row) => ({ ...row })); },
    more() { return Math.max(0, this.found.length - this.most); },
  },
  watch: {
    search(text) { this.api?.setGridOption("quickFilterText", text); },
  },
  methods: {
    // Called by the server: the rows that are new or have changed, and all keys in their order.
    show({ columns, rows, order, renamed }) {
      for (const [old, key] of Object.entries(renamed)) {
        const row = this.byKey.get(old);
        this.byKey.delete(old);
        if (row) this.byKey.set(row.key = key, row);
      }
      for (const each of rows) {
        const row = this.byKey.get(each.key) ?? { uid: String(this.next++) };
        this.byKey.set(each.key, Object.assign(row, each));
      }
      const known = new Set(this.rows), fresh = known.size ? order.filter((key) => !known.has(this.byKey.get(key))) : [];
      const every = order.map((key) => this.byKey.get(key)).filter(Boolean);
      const isSame = every.length === this.rows.length && every.every((row, number) => row === this.rows[number]);
      this.rows = every;
      this.byKey = new Map(every.map((row) => [row.key, row]));
      this.showColumns(columns);
      isSame ? this.api.refreshCells() : this.api.setGridOption("rowData", every);
      this.takeSelection();
      this.version++;
      if (fresh.length === 1) this.reveal(this.byKey.get(fresh[0]));
    },
    // Go to a new row.
    reveal(row) {
      const node = this.api.getRowNode(row.uid);
      if (node?.rowIndex === null || !node) return;
      this.api.ensureNodeVisible(node);
      this.api.setFocusedCell(node.rowIndex, "name");
    },
    showColumns(columns) {
      const text = JSON.stringify(columns);
      if (text === this.columnText) return;
      this.columnText = text;
      this.columns = columns;
      this.index = new Map(columns.map((each, number) => [each.key, number]));
      this.api.setGridOption("columnDefs", [...columns.map(this.definition), FILE, this.menuColumn()]);
    },
    definition(column) {
      const { key, field, lock } = column, index = this.index.get(key), isNumber = field.widget === "number";
      return {
        colId: key,
        headerName: field.label,
        headerTooltip: field.help,
        hide: !this.isShown(column),
        initialPinned: key === "name" ? "left" : null,
        initialWidth: key === "name" ? 200 : isNumber ? 105 : field.widget === "flag" ? 100 : 170,
        valueGetter: ({ data }) => data.cells[index],
        valueSetter: ({ data, newValue }) => this.change([[data, key, newValue ?? ""]], `Changed ${field.label} of ${data.name}`),
        filter: isNumber ? "agNumberColumnFilter" : "agTextColumnFilter",
        filterValueGetter: ({ data }) => isNumber ? (data.cells[index] === "" ? null : Number(data.cells[index])) : data.cells[index],
        comparator: compare,
        editable: ({ data }) => !data.lock && !lock,
        cellClass: ({ data }) => data.lock || lock ? "locked" : "",
        tooltipValueGetter: ({ data }) => data.lock || lock,
        cellEditor: FieldCell,
        cellEditorParams: { column, table: this },
        cellEditorPopup: true,
        cellEditorPopupPosition: "over",
        // The control has keys of its own, such as Enter for a choice, and the table clears cells.
        suppressKeyboardEvent: ({ event, editing }) => editing ? event.defaultPrevented : ["Delete", "Backspace"].includes(event.key),
      };
    },
    menuColumn() {
      return {
        colId: "menu", headerName: "Actions", width: 92, sortable: false, filter: false, resizable: false, pinned: innerWidth > 900 ? "right" : null,
        cellRenderer: ({ data, node }) => {
          const button = document.createElement("button");
          button.className = "studio-button";
          button.textContent = "⋯";
          button.tabIndex = -1;
          button.setAttribute("aria-label", "Actions for " + data.name);
          button.setAttribute("aria-haspopup", "true");
          button.onclick = () => this.openMenu(node.data, button);
          return button;
        },
      };
    },
    isShown(column) { return this.shown?.[column.key] ?? (column.is_used || column.field.is_required); },
    toggle(column) {
      this.shown = { ...this.shown, [column.key]: !this.isShown(column) };
      localStorage.setItem("table-columns " + this.kind, JSON.stringify(this.shown));
      this.api.setColumnsVisible([column.key], this.isShown(column));
    },
    choose(kind) { location.href = "/table?" + new URLSearchParams({ kind }); },
    textOf(row, column) { return row.cells[this.index.get(column.key)]; },
    // Show other texts in cells, and send them; a cell is a row, the key of a column, and a text.
    change(cells, title, allow = false) {
      const changed = cells.filter(([row, key, text]) => row.cells[this.index.get(key)] !== text);
      if (!changed.length) return false;
      this.fault = "";
      this.refused = null;
      const number = ++this.sent, before = changed.map(([row, key]) => [row, this.index.get(key), row.cells[this.index.get(key)]]);
      for (const [row, key, text] of changed) {
        row.cells = row.cells.with(this.index.get(key), text);
        if (key === "name") row.name = text;
      }
      this.waiting.set(number, { before, changed, title });
      this.$emit("edit", { number, title, allow, cells: changed.map(([row, key, text]) => [row.key, key, text]) });
      this.api.refreshCells();
      this.version++;
      return true;
    },
    // Called by the server when a change is written, or why it is not.
    settle(number, fault) {
      const { before, changed, title } = this.waiting.get(number) ?? { before: [], changed: [] };
      this.waiting.delete(number);
      if (!fault) return;
      before.forEach(([row, index, old], at) => { if (row.cells[index] === changed[at][2]) row.cells = row.cells.with(index, old); });
      this.refuse(fault);
      // Words that choices of a game of one's own do not have.
      const choices = (key) => this.columns[this.index.get(key)].field.choices.map(String), isNew = ([, key, text]) => text && choices(key)[0] && !choices(key).includes(text);
      const words = this.own ? [...new Set(changed.filter(isNew).map(([, , text]) => text))] : [];
      if (words.length) this.refused = { words, changed, title };
      this.api.refreshCells();
      this.version++;
    },
    refuse(fault) { Object.assign(this, { fault, refused: null }); },
    allow() { this.change(this.refused.changed, this.refused.title, true); },
    // The cells of the column of the focus, from there down or in the selected rows, as they are shown.
    target() {
      const focus = this.api.getFocusedCell(), key = focus?.column.getColId();
      return this.index.has(key) ? { at: focus.rowIndex, key } : null;
    },
    selectedRows() {
      const rows = [];
      this.api.forEachNodeAfterFilterAndSort((node) => { if (node.isSelected()) rows.push(node.data); });
      return rows;
    },
    paste(event) {
      const target = this.target();
      if (event.target.closest("input, textarea, select") || !target) return;
      event.preventDefault();
      const block = parseCells(event.clipboardData.getData("text/plain")), selected = this.selectedRows();
      if (!block.length) return;
      const isOne = block.length === 1 && block[0].length === 1;
      const keys = this.api.getAllDisplayedColumns().map((each) => each.getColId()).filter((key) => this.index.has(key));
      const first = keys.indexOf(target.key);
      const rows = isOne && selected.length ? selected : block.map((_, number) => this.api.getDisplayedRowAtIndex(target.at + number)?.data);
      const cells = rows.flatMap((row, number) => row ? (isOne ? block[0] : block[number]).flatMap((text, column) =>
        keys[first + column] ? [[row, keys[first + column], text]] : []) : []);
      this.changeMany(cells, "Pasted");
      const left = rows.filter((row) => !row).length;
      if (left) this.refuse(`${left} ${left > 1 ? "rows were" : "row was"} left out: there are no cards below the last one. Add new ones first.`);
    },
    changeMany(cells, what) {
      const locked = cells.find(([row, key]) => row.lock || this.columns[this.index.get(key)].lock);
      if (locked) this.refuse(`${locked[0].name}, ${locked[1]}: ${locked[0].lock || this.columns[this.index.get(locked[1])].lock}`);
      else this.change(cells, `${what} ${cells.length} ${cells.length > 1 ? "cells" : "cell"}`);
    },
    copy(event) {
      const target = this.target();
      if (event.target.closest("input, textarea, select") || !target || String(getSelection())) return;
      const selected = this.selectedRows();
      const keys = this.api.getAllDisplayedColumns().map((each) => each.getColId()).filter((key) => this.index.has(key));
      const lines = selected.length ? selected.map((row) => keys.map((key) => row.cells[this.index.get(key)]))
        : [[this.api.getDisplayedRowAtIndex(target.at).data.cells[this.index.get(target.key)]]];
      event.clipboardData.setData("text/plain", lines.map((line) => line.map(quoted).join("\t")).join("\n"));
      event.preventDefault();
    },
    // The selected rows get the value of the first one; without a selection, the cell gets that above it.
    fillDown() {
      const target = this.target(), selected = this.selectedRows();
      if (!target) return this.refuse("Choose a cell of the column to fill.");
      const rows = selected.length ? selected : [target.at - 1, target.at].map((at) => this.api.getDisplayedRowAtIndex(at)?.data);
      if (!rows[0] || rows.length < 2) return;
      this.changeMany(rows.slice(1).map((row) => [row, target.key, rows[0].cells[this.index.get(target.key)]]), "Filled");
    },
    clear() {
      const target = this.target(), selected = this.selectedRows();
      if (!target) return;
      const row = this.api.getDisplayedRowAtIndex(target.at).data;
      this.changeMany((selected.includes(row) ? selected : [row]).map((each) => [each, target.key, ""]), "Cleared");
    },
    keyDown({ event, column, data }) {
      if (!data || event.target.closest(".cell-editor")) return;
      const isCommand = event.ctrlKey || event.metaKey, button = event.target.closest(".ag-row")?.parentElement;
      if (isCommand && event.key === "d") this.fillDown();
      else if (event.key === "Delete" || event.key === "Backspace") this.clear();
      else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) this.openMenu(data, event.target);
      else if (column.getColId() === "menu" && (event.key === "Enter" || event.key === " ")) event.target.querySelector("button")?.click();
      else if (event.key === "Enter" && (data.lock || this.columns[this.index.get(column.getColId())]?.lock)) location.href = data.address;
      else return;
      event.preventDefault();
    },
    openMenu(row, button) {
      const { key, name, is_printed: printed, address } = row;
      tell({ card: { key, name, printed, address }, button });
    },
    takeSelection() {
      const rows = this.selectedRows();
      this.picked = rows.map((row) => row.key);
      this.hasRows = rows.some((row) => row.is_row);
    },
    takeOver() { tell({ what: "take-over", keys: [this.source.key] }); },
    add() { tell({ what: "add", keys: [this.kind] }); },
    selectShown() { this.api.selectAll("filtered"); },
    select(row) { const node = this.api.getRowNode(row.uid); node.setSelected(!node.isSelected()); },
    asker(row, column) {
      return (prefix) => new Promise((resolve) => {
        const number = ++this.sent;
        this.answers.set(number, resolve);
        this.$emit("options", { number, card: row.key, column: column.key, prefix });
      });
    },
    answer(number, options) {
      this.answers.get(number)?.(options);
      this.answers.delete(number);
    },
    async edit(row, column) {
      this.editing = row.uid + column.key;
      await this.$nextTick();
      this.$refs.editor[0].focus();
    },
    leave(row, column) {
      this.change([[this.byKey.get(row.key), column.key, this.$refs.editor[0].read()]], `Changed ${column.field.label} of ${row.name}`);
      this.editing = "";
    },
    setNarrow() { this.narrow = NARROW.matches; },
  },
  created() {
    Object.assign(this, { rows: [], byKey: new Map(), index: new Map(), waiting: new Map(), answers: new Map(), next: 1, sent: 0, columnText: "" });
    this.shown = JSON.parse(localStorage.getItem("table-columns " + this.kind) || "null");
  },
  mounted() {
    AgGrid.ModuleRegistry.registerModules([AgGrid.AllCommunityModule]);
    this.api = AgGrid.createGrid(this.$refs.grid, {
      columnDefs: [],
      rowData: [],
      getRowId: ({ data }) => data.uid,
      theme: AgGrid.themeQuartz.withParams(THEME),
      defaultColDef: { floatingFilter: true, suppressHeaderMenuButton: true, minWidth: 60, wrapHeaderText: true, autoHeaderHeight: true },
      rowSelection: { mode: "multiRow", selectAll: "filtered", enableClickSelection: false },
      selectionColumnDef: { pinned: "left", width: 46 },
      enterNavigatesVerticallyAfterEdit: true,
      stopEditingWhenCellsLoseFocus: true,
      animateRows: false,
      suppressColumnMoveAnimation: true,
      tooltipShowDelay: 400,
      onCellKeyDown: this.keyDown,
      onSelectionChanged: this.takeSelection,
      onFilterChanged: () => { this.filtered = this.api.getDisplayedRowCount(); this.version++; },
    });
    NARROW.addEventListener("change", this.setNarrow);
  },
  unmounted() {
    this.api.destroy();
    NARROW.removeEventListener("change", this.setNarrow);
  },
};

const FILE = { colId: "file", headerName: "File", valueGetter: ({ data }) => data.file, filter: "agTextColumnFilter", flex: 1, minWidth: 150, cellClass: "locked" };
const THEME = {
  backgroundColor: "var(--panel)", foregroundColor: "var(--ink)", textColor: "var(--ink)", headerTextColor: "var(--ink)", borderColor: "var(--line)",
  accentColor: "var(--accent)", headerBackgroundColor: "var(--ground)", selectedRowBackgroundColor: "var(--band)", rowHoverColor: "var(--band)",
  browserColorScheme: "inherit", fontFamily: "inherit", fontSize: 14, spacing: 6, inputBackgroundColor: "var(--panel)", inputTextColor: "var(--ink)",
};

// The control of a field, as AG Grid has cell editors.
class FieldCell {
  init(params) {
    const { column, table, data, value, eventKey } = params;
    this.current = () => table.textOf(data, column);
    this.label = `${column.field.label} of ${data.name}`;
    this.typed = eventKey?.length === 1 ? eventKey : "";
    this.gui = document.createElement("div");
    this.app = createApp(CellEditor, { field: column.field, text: (this.text = value ?? ""), label: column.field.label, ask: table.asker(data, column) });
    this.editor = this.app.mount(this.gui);
    this.gui.style.minWidth = params.column.getActualWidth() + "px";
  }
  getGui() { return this.gui; }
  afterGuiAttached() {
    this.gui.closest("[role=dialog]")?.setAttribute("aria-label", this.label);
    this.editor.focus(this.typed);
  }
  // A cell that is left as it was has what others have written meanwhile.
  getValue() {
    const text = this.editor.read();
    return text === this.text ? this.current() : text;
  }
  destroy() { this.app.unmount(); }
}

const compare = (one, other) => {
  const [first, second] = [one, other].map((text) => (text === "" ? NaN : Number(text)));
  if (isNaN(first) || isNaN(second)) return !one - !other || one.localeCompare(other, undefined, { numeric: true });
  return first - second;
};

const quoted = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// The cells of a text from a spreadsheet: tabs between them, and quotes around those with line breaks.
export function parseCells(text) {
  const rows = [[]], pattern = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/gy, plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let match; plain && (match = pattern.exec(plain)); ) {
    rows.at(-1).push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === "\n") rows.push([]);
    if (!match[3]) break;
  }
  return plain ? rows : [];
}
