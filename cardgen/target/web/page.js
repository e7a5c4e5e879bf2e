"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (selector) => document.querySelector(selector);
const list = find("#cards"), dialog = find("#large");

/** A text with two numbers. */
const fill = (text, one, other) => text.replace("{one}", one).replace("{other}", other);

function make(name, attributes = {}, ...parts) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}

// Letters that no accent is separated from.
const PLAIN = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i" };
/** A text without accents, and in lower case. */
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[øłđßæœı]/g, (letter) => PLAIN[letter]);

const cards = [...list.children].map((element, number) => ({
  element, number, values: data.values[number],
  link: element.querySelector("a.card"),
  name: element.querySelector(".name").textContent,
  text: fold(element.textContent),
}));
let shown = cards, current = null;

// Each field has its controls, a test of a value, and its part of the address.

function choiceField(field, index, choices, numbersOf) {
  const boxes = choices.map((choice) => make("input", { type: "checkbox", value: choice }));
  const amounts = choices.map(() => make("span", { class: "amount" }));
  const labels = boxes.map((box, number) =>
    make("label", {}, box, make("span", { dir: "auto" }, choices[number]), amounts[number]));
  return {
    controls: make("fieldset", { class: "choices" }, make("legend", {}, field.label), ...labels),
    isOn: () => boxes.some((box) => box.checked),
    test: (value) => numbersOf(value).some((number) => boxes[number].checked),
    written: () => boxes.filter((box) => box.checked).map((box) => box.value),
    read: (texts) => boxes.forEach((box) => { box.checked = texts.includes(box.value); }),
    count(passing) {
      const counts = new Array(choices.length).fill(0);
      for (const card of passing) for (const number of numbersOf(card.values[index])) counts[number] += 1;
      counts.forEach((count, number) => {
        amounts[number].textContent = count;
        labels[number].classList.toggle("empty", !count);
      });
    },
  };
}

function numberField(field, index) {
  const numbers = cards.map((card) => card.values[index]).filter((value) => value !== null);
  const ends = { [data.words.from]: Math.min(...numbers), [data.words.to]: Math.max(...numbers) };
  const [from, to] = Object.entries(ends).map(([name, value]) =>
    make("input", { type: "number", step: "any", placeholder: value, inputmode: "decimal", "aria-label": `${field.label} ${name.toLowerCase()}` }));
  return {
    controls: make("fieldset", { class: "range" }, make("legend", {}, field.label),
      make("label", {}, data.words.from, from), make("label", {}, data.words.to, to)),
    isOn: () => from.value !== "" || to.value !== "",
    test: (value) => value !== null && (from.value === "" || value >= Number(from.value))
      && (to.value === "" || value <= Number(to.value)),
    written: () => from.value !== "" || to.value !== "" ? [`${from.value}..${to.value}`] : [],
    read: (texts) => { [from.value, to.value] = (texts[0] ?? "..").split(".."); },
    count() {},
  };
}

const makeField = {
  choice: (field, index) => choiceField(field, index, field.choices, (value) => value ?? []),
  flag: (field, index) => choiceField(field, index, [data.words.yes, data.words.no], (value) => value === null ? [] : [value ? 0 : 1]),
  number: numberField,
};
const fields = data.fields.map((field, index) => ({ ...field, index, ...makeField[field.sort](field, index) }));

function buildForm() {
  for (const [number, field] of fields.entries()) {
    field.summary = make("summary", {}, field.label);
    const details = make("details", {}, field.summary, field.controls);
    details.open = number < 2;
    find("#fields").append(details);
    if (field.sort === "number") find("#sort").append(make("option", { value: field.key }, field.label));
  }
  find("#panel").hidden = !fields.length;
  find("#panel").open = matchMedia("(min-width: 62rem)").matches;
}

/** Show the cards that match the search and all filters; each field counts those that match all others. */
function filter() {
  const words = fold(find("#search").value).split(/\s+/).filter(Boolean);
  const on = fields.filter((field) => field.isOn());
  const found = [], butOne = new Map(fields.map((field) => [field, []]));
  for (const card of cards) {
    const fails = words.every((word) => card.text.includes(word)) ? on.filter((field) => !field.test(card.values[field.index])) : null;
    if (fails && !fails.length) found.push(card);
    if (fails && fails.length === 1) butOne.get(fails[0]).push(card);
  }
  for (const field of fields) {
    field.count(found.concat(butOne.get(field)));
    field.summary.classList.toggle("on", on.includes(field));
  }
  const isAll = found.length === cards.length;
  find("#count").textContent = isAll ? data.words.all : fill(data.words.some, found.length, cards.length);
  find("#active").textContent = on.length ? `(${on.length})` : "";
  find("#clear").hidden = !on.length && !words.length;
  find("#none").hidden = found.length > 0;
  shown = sorted(found);
  // Browsers take a hundred times longer to hide the others.
  if (shown.length !== list.children.length || shown.some((card, number) => list.children[number] !== card.element)) {
    list.replaceChildren(...shown.map((card) => card.element));
  }
}

function sorted(found) {
  const key = find("#sort").value, sign = find("#down").checked ? -1 : 1;
  const field = fields.find((each) => each.key === key && each.sort === "number");
  const compare = field ? (one, other) => {
    const [a, b] = [one.values[field.index], other.values[field.index]];
    if (a === null || b === null) return (a === null) - (b === null) || one.number - other.number; // without a value: last
    return sign * (a - b) || one.number - other.number;
  } : key === "name" ? (one, other) => sign * one.name.localeCompare(other.name, undefined, { numeric: true })
    : (one, other) => sign * (one.number - other.number);
  return [...found].sort(compare);
}

// The part of the address after '#' is the state of the page.

const RESERVED = { search: "q", sort: "sort" };

function address() {
  const parts = new URLSearchParams();
  for (const [id, name] of Object.entries(RESERVED)) if (find(`#${id}`).value) parts.set(name, find(`#${id}`).value);
  for (const id of ["down", "both"]) if (find(`#${id}`).checked) parts.set(id, "1");
  for (const field of fields) for (const text of field.written()) parts.append(`f.${field.key}`, text);
  if (document.documentElement.classList.contains("collection-view")) parts.set("view", "collection");
  if (current) parts.set("card", current.element.id);
  return parts.toString();
}

const remember = () => history.replaceState(null, "", `#${address()}`);

function recall() {
  const hash = location.hash.slice(1);
  const named = cards.find((card) => card.element.id === hash);
  const parts = new URLSearchParams(named || ["cards", "collection"].includes(hash) ? "" : hash);
  if (hash === "collection") parts.set("view", hash);
  for (const [id, name] of Object.entries(RESERVED)) find(`#${id}`).value = parts.get(name) ?? "";
  for (const id of ["down", "both"]) find(`#${id}`).checked = parts.has(id);
  for (const field of fields) field.read(parts.getAll(`f.${field.key}`));
  if (!find("#sort").value) find("#sort").value = "";
  showView(parts.get("view") === "collection" ? "collection" : "cards");
  filter();
  const card = named ?? cards.find((each) => each.element.id === parts.get("card"));
  if (card) open(card); else dialog.close();
}

function showView(view) {
  document.documentElement.classList.toggle("collection-view", view === "collection");
  document.documentElement.classList.toggle("cards-view", view === "cards");
  for (const each of ["cards", "collection"]) find(`#to-${each}`).toggleAttribute("aria-current", each === view);
}

// The large view of a card.

function open(card) {
  current = card;
  const sides = [...card.element.querySelectorAll(".side")].map((side) => {
    const copy = side.cloneNode();
    const label = `${card.name}, ${side.classList.contains("back") ? data.words.back : data.words.front}`;
    copy.setAttribute(copy.tagName === "IMG" ? "alt" : "aria-label", label);
    return copy;
  });
  find("#large-sides").replaceChildren(...sides);
  find("#large-sides").className = card.element.className;
  find("#large-name").textContent = card.name;
  find("#large-about").replaceChildren(card.element.querySelector(".kind").cloneNode(true), card.element.querySelector(".about").cloneNode(true));
  find("#large-about").lang = list.lang;
  const place = shown.indexOf(card);
  find("#large-place").textContent = place < 0 ? "" : fill(data.words.place, place + 1, shown.length);
  find("#previous").disabled = place <= 0;
  find("#next").disabled = place < 0 || place === shown.length - 1;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  find("#large-name").focus();
  remember();
}

function step(distance) {
  const card = shown[shown.indexOf(current) + distance];
  if (current && card) open(card);
}

function changed() {
  filter();
  remember();
}

document.documentElement.classList.add("script");
buildForm();
recall();

find("#filter").addEventListener("input", changed);
find("#filter").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["clear", "clear-too"]) find(`#${id}`).addEventListener("click", () => {
  find("#search").value = "";
  for (const field of fields) field.read([]);
  changed();
  find("#search").focus();
});
find("#print").addEventListener("click", () => print());
for (const view of ["cards", "collection"]) find(`#to-${view}`).addEventListener("click", (event) => {
  event.preventDefault();
  showView(view);
  remember();
});
list.addEventListener("click", (event) => {
  const link = event.target.closest("a.card");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open(cards.find((card) => card.link === link));
});
find("#previous").addEventListener("click", () => step(-1));
find("#next").addEventListener("click", () => step(1));
find("#close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }); // beside it
dialog.addEventListener("keydown", (event) => {
  const distance = { ArrowLeft: -1, ArrowRight: 1, Home: -cards.length, End: cards.length }[event.key];
  if (!distance || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (Math.abs(distance) > 1) open(shown.at(distance > 0 ? -1 : 0)); else step(distance);
});
let start = null;
dialog.addEventListener("touchstart", (event) => { start = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
dialog.addEventListener("touchend", (event) => {
  const end = event.changedTouches[0];
  const [across, down] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
  if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? 1 : -1);
}, { passive: true });
dialog.addEventListener("close", () => {
  const card = current;
  current = null;
  remember();
  if (card?.element.isConnected) card.link.focus();
});
addEventListener("hashchange", recall);
