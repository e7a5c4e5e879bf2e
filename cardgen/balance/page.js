"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const cards = data.cards, size = cards.length;
const bytes = Uint8Array.from(atob(data.scores), (letter) => letter.charCodeAt(0));
const find = (selector) => document.querySelector(selector);
const chosenSet = new Set(cards.keys());
let chosen = -1;

/** The score of a card against another, from 0 to 1; the bytes are those below the diagonal. */
function score(one, other) {
  if (one === other) return null;
  const [high, low] = one > other ? [one, other] : [other, one];
  const value = bytes[high * (high - 1) / 2 + low] / 254;
  return one > other ? value : 1 - value;
}

function make(name, attributes = {}, ...parts) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}

function draw(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const percent = (value) => value === null || value === undefined ? "" : (value * 100).toFixed(1) + "\u00a0%";
const signed = (value, show) => value === null || value === undefined ? "" : (value < 0 ? "−" : "+") + show(Math.abs(value));
const amount = (value) => value === null || value === undefined ? "" : String(Math.round(value * 100) / 100);
const counted = (value) => value.toLocaleString("en");
const nameOf = (place) => place === null || place === undefined ? "" : cards[place].name;

/** The text of a cell; paths such as stats.wounds can break after a dot. */
function pieces(column, row) {
  const content = column.cell(row);
  return column.class === "path" ? content.split(/(?<=\.)/).flatMap((part, at) => at ? [make("wbr"), part] : [part]) : [content];
}

/** Fill a table; columns have a title, a cell function, a sort value, and classes. */
function fillTable(section, columns, rows, onRow) {
  const head = section.querySelector("thead tr"), body = section.querySelector("tbody");
  const lines = rows.map((row, index) => {
    const line = make("tr");
    columns.forEach((column, at) => {
      const cell = make(at === column.header ? "th" : "td", { class: column.class || "" }, ...pieces(column, row));
      if (column.side && column.side(row)) cell.classList.add(column.side(row));
      line.append(cell);
    });
    if (onRow) onRow(line, row, index);
    return { line, row };
  });
  body.append(...lines.map(({ line }) => line));
  columns.forEach((column, at) => {
    const button = make("button", { type: "button" }, column.title);
    const cell = make("th", { class: column.class || "", scope: "col" }, button);
    button.addEventListener("click", () => {
      const descending = cell.getAttribute("aria-sort") ? cell.getAttribute("aria-sort") === "ascending" : Boolean(column.down);
      for (const other of head.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      lines.sort((a, b) => compare(column.value(a.row), column.value(b.row), descending));
      body.append(...lines.map(({ line }) => line));
    });
    head.append(cell);
  });
  return lines;
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compare numbers or texts; what is missing comes last in both directions. */
function compare(a, b, descending) {
  const missing = (value) => value === null || value === undefined || value === "";
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  const order = typeof a === "number" ? a - b : collator.compare(a, b);
  return descending ? -order : order;
}

const text = (title, cell, more = {}) => ({ title, cell, value: cell, ...more });
const number = (title, value, show, more = {}) =>
  ({ title, cell: (row) => show(value(row)), value, down: true, class: "number " + (more.wide || ""), ...more });

const titled = (field) => field.charAt(0).toUpperCase() + field.slice(1);
const hasCosts = cards.some((card) => card.cost !== null);
if (!hasCosts) find("#order option[value=cost]").remove();
if (!data.curve.length) find("#side").parentNode.hidden = true;
const columns = [
  number("#", (card) => card.rank, String, { down: false, class: "number wide" }),
  text("Card", (card) => card.name, { header: 1 }),
  ...data.fields.map((field, at) => text(titled(field), (card) => card.groups[at].join(", "), { class: "wide" })),
  ...(hasCosts ? [number("Cost", (card) => card.cost, amount)] : []),
  number("Score", (card) => card.score, percent),
  ...(data.curve.length ? [
    number("Usual", (card) => card.usual, percent, { wide: "wide" }),
    number("Deviation", (card) => card.deviations, (value) => signed(value, (n) => n.toFixed(1)), { side: (card) => card.side }),
    number("Worth", (card) => card.worth, (value) => value === null ? "" : String(Math.round(value)), { wide: "wide" }),
  ] : []),
  text("Best counter", (card) => nameOf(card.counter), { class: "wide" }),
  ...(hasCosts ? [text("Best counter for the cost", (card) => nameOf(card.cheap), { class: "wide" })] : []),
  text("Easiest opponent", (card) => nameOf(card.victim), { class: "wide" }),
];
columns[1].header = 1;
const lines = fillTable(find("#cards"), columns, cards, (line, card, index) => {
  line.tabIndex = 0;
  line.addEventListener("click", () => choose(index));
  line.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(index); });
}).map(({ line }) => line);
const needles = cards.map((card) => [card.name, ...card.groups.flat(), amount(card.cost)].join("\n").toLowerCase());

/* Scatter */
const dots = [];
function drawScatter() {
  const section = find("#scatter"), width = 640, height = 620, left = 72, bottom = 44, top = 16, right = 12;
  const priced = cards.filter((card) => card.cost !== null);
  if (!priced.length) { section.hidden = true; return; }
  const most = Math.max(...priced.map((card) => card.cost)) * 1.03 || 1;
  const x = (cost) => left + cost / most * (width - left - right);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Scatter plot of score against cost" });
  for (let tick = 0; tick <= 4; tick++) {
    svg.append(draw("line", { class: "grid", x1: left, x2: width - right, y1: y(tick / 4), y2: y(tick / 4) }));
    svg.append(draw("text", { x: left - 6, y: y(tick / 4) + 4, "text-anchor": "end" }, tick * 25 + " %"));
  }
  const step = niceStep(most / 6);
  for (let cost = 0; cost <= most; cost += step) {
    svg.append(draw("text", { x: x(cost), y: height - bottom + 20, "text-anchor": "middle" }, amount(cost)));
  }
  svg.append(draw("text", { x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, "Cost"));
  if (data.curve.length) {
    const path = (points) => points.map(([cost, value], at) => `${at ? "L" : "M"}${x(cost).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const lower = data.curve.map(([cost, , low]) => [cost, low]), upper = data.curve.map(([cost, , , high]) => [cost, high]);
    svg.append(draw("path", { class: "band", d: path([...lower, ...upper.reverse()]) + "Z" }));
    svg.append(draw("path", { class: "fit", d: path(data.curve) }));
    find("#scatter .note").textContent = "The line is the usual score for a cost, by a robust fit; the band holds about 19 of 20 ordinary cards. Red cards are too strong for their cost, blue ones too weak.";
  }
  const order = [...cards.keys()].sort((a, b) => (cards[a].side ? 1 : 0) - (cards[b].side ? 1 : 0));
  for (const place of order) {
    const card = cards[place];
    if (card.cost === null) continue;
    const dot = draw("circle", { cx: x(card.cost).toFixed(1), cy: y(card.score).toFixed(1), r: size > 300 ? 3.2 : 5, class: card.side });
    dot.append(draw("title", {}, `${card.name}: cost ${amount(card.cost)}, score ${percent(card.score)}`));
    dot.addEventListener("click", () => choose(place));
    dots[place] = dot;
    svg.append(dot);
  }
  section.querySelector(".plot").append(svg);
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => power * factor >= rough);
}

/* Heat map */
const canvas = find("#heat canvas");
let order = data.order;
function drawHeat() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).split(",").map(Number);
  const [low, mid, high] = ["--low", "--mid", "--high"].map(color);
  const shades = Array.from({ length: 255 }, (_, value) => {
    const share = Math.abs(value - 127) / 127, end = value > 127 ? high : low;
    return mid.map((part, at) => part + (end[at] - part) * share);
  });
  canvas.width = canvas.height = size;
  canvas.classList.toggle("fine", size > 500);
  const context = canvas.getContext("2d"), image = context.createImageData(size, size), pixels = image.data;
  let at = 0;
  for (const one of order) {
    const isOn = chosenSet.has(one);
    for (const other of order) {
      const value = score(one, other);
      const shade = value === null ? mid : shades[Math.round(value * 254)];
      pixels[at++] = shade[0]; pixels[at++] = shade[1]; pixels[at++] = shade[2];
      pixels[at++] = isOn || chosenSet.has(other) ? 255 : 40;
    }
  }
  context.putImageData(image, 0, 0);
  canvas.setAttribute("aria-label", `Heat map of the scores of ${size} cards against each other`);
  canvas.setAttribute("role", "img");
}

function cellAt(event) {
  const box = canvas.getBoundingClientRect();
  const at = (part, whole) => order[Math.min(size - 1, Math.max(0, Math.floor(part / whole * size)))];
  return [at(event.clientY - box.top, box.height), at(event.clientX - box.left, box.width)];
}
canvas.addEventListener("mousemove", (event) => {
  const [row, column] = cellAt(event);
  find("#cell").textContent = row === column ? nameOf(row) : `${nameOf(row)} against ${nameOf(column)}: ${percent(score(row, column))}`;
});
canvas.addEventListener("click", (event) => choose(cellAt(event)[0]));
find("#order").addEventListener("change", (event) => {
  const places = [...cards.keys()];
  order = event.target.value === "cluster" ? data.order
    : event.target.value === "score" ? places
    : places.sort((a, b) => compare(cards[a].cost, cards[b].cost, true));
  drawHeat();
});

/* Detail of one card */
function choose(place) {
  for (const element of [lines[chosen], dots[chosen]]) if (element) element.classList.remove("chosen");
  chosen = place;
  for (const element of [lines[place], dots[place]]) if (element) element.classList.add("chosen");
  if (dots[place]) dots[place].parentNode.append(dots[place]);
  const card = cards[place], detail = find("#detail"), list = make("dl");
  const add = (name, ...parts) => { if (parts.some((part) => part !== "")) list.append(make("dt", {}, name), make("dd", {}, ...parts)); };
  const rivals = [...cards.keys()].filter((other) => other !== place).sort((a, b) => score(place, a) - score(place, b));
  const listed = (places) => places.map((other) => `${nameOf(other)} ${percent(score(place, other))}`).join(", ");
  data.fields.forEach((field, at) => add(titled(field), card.groups[at].join(", ")));
  add("Cost", amount(card.cost));
  add("Score", percent(card.score) + (card.usual === null ? "" : `; usual for the cost ${percent(card.usual)}, band ${percent(card.low)} to ${percent(card.high)}`));
  if (card.worth !== null) add("Worth", "about " + Math.round(card.worth));
  add("Hardest opponents", listed(rivals.slice(0, 5)));
  add("Easiest opponents", listed(rivals.slice(-5).reverse()));
  add("Best counter for the cost", nameOf(card.cheap));
  const changes = data.changes.filter((change) => change.card === place);
  add("Changes into the band", changes.map((change) => `${change.number} ${amount(change.old)} → ${amount(change.new)}`).join(", "));
  const close = make("button", { type: "button" }, "Close");
  close.addEventListener("click", () => { detail.hidden = true; });
  detail.replaceChildren(close, make("h2", {}, card.name), list);
  detail.hidden = false;
  detail.scrollIntoView({ block: "nearest" });
}

/* Filter */
function filter() {
  const words = find("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [field, ...rest] = find("#group").value.split(":"), value = rest.join(":"), side = find("#side").value;
  chosenSet.clear();
  cards.forEach((card, place) => {
    const isShown = words.every((word) => needles[place].includes(word))
      && (!value || card.groups[field].includes(value))
      && (!side || (side === "out" ? card.side !== "" : card.side === side));
    if (isShown) chosenSet.add(place);
    lines[place].hidden = !isShown;
    if (dots[place]) dots[place].classList.toggle("off", !isShown);
  });
  find("#count").textContent = chosenSet.size === size ? `${counted(size)} cards` : `${counted(chosenSet.size)} of ${counted(size)} cards`;
  drawHeat();
}
let timer = 0;
find("#search").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
find("#filter").addEventListener("change", filter);
find("#filter").addEventListener("submit", (event) => event.preventDefault());
data.fields.forEach((field, at) => {
  const values = [...new Set(cards.flatMap((card) => card.groups[at]))].sort(collator.compare);
  if (values.length < 2) return;
  const options = make("optgroup", { label: field });
  options.append(...values.map((value) => make("option", { value: `${at}:${value}` }, value)));
  find("#group").append(options);
});

/* Other tables */
function fillSection(selector, rows, sectionColumns, note) {
  const section = find(selector);
  if (!rows.length) return;
  section.hidden = false;
  if (note) section.querySelector(".note").textContent = note;
  fillTable(section, sectionColumns, rows);
}
fillSection("#groups", data.groups, [
  text("Field", (group) => titled(group.field), { class: "wide" }), text("Group", (group) => group.value, { header: 1 }),
  number("Cards", (group) => group.count, String), number("Score", (group) => group.score, percent),
  number("Surplus", (group) => group.surplus, (value) => signed(value, percent)),
  number("Too strong", (group) => group.strong, String, { wide: "wide" }), number("Too weak", (group) => group.weak, String, { wide: "wide" }),
  text("Best", (group) => nameOf(group.best), { class: "wide" }), text("Worst", (group) => nameOf(group.worst), { class: "wide" }),
]);
fillSection("#teams", data.teams, [
  text("Teams of", (team) => team.name, { header: 0 }), number("Wins", (team) => team.chance, percent),
  number("Error", (team) => team.error, (value) => "± " + percent(value)), text("Best against", (team) => team.beats), text("Worst against", (team) => team.fears),
], data.teamNote);
fillSection("#changes", data.changes, [
  text("Card", (change) => nameOf(change.card), { header: 0 }), text("Number", (change) => change.number, { class: "path" }),
  number("From", (change) => change.old, amount), number("To", (change) => change.new, amount), number("Score", (change) => change.score, percent, { wide: "wide" }),
]);
if (data.changeNote) {
  find("#changes").hidden = false;
  find("#changes .note").textContent = data.changeNote;
}
fillSection("#cycles", data.cycles, [
  text("Card", (cycle) => nameOf(cycle.places[0]), { header: 0 }), text("beats", (cycle) => nameOf(cycle.places[1])),
  text("which beats", (cycle) => nameOf(cycle.places[2])), number("At least", (cycle) => cycle.lowest, percent),
], data.cycleNote);

/** What the numbers leave out, before all of them; a long list is closed at first. */
function showLeftOut() {
  const element = find("#left-out"), count = data.leftOut.length;
  element.hidden = !count;
  element.open = count <= data.mostLeftOut;
  element.querySelector("summary").textContent = `Not adjudicated: ${count} ${count === 1 ? "rule" : "rules"}`;
  element.querySelector("ul").append(...data.leftOut.map((each) => make("li", {}, each)));
}

showLeftOut();
find("#summary").textContent = data.summary;
drawScatter();
filter();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawHeat);
