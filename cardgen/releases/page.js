"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (selector) => document.querySelector(selector);
const shown = [];

function make(name, attributes = {}, ...parts) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}

const list = (texts) => texts.map((text) => make("li", {}, text));
const image = (source, alt, name = "") => make("img", { src: source, alt, class: name, loading: "lazy", draggable: "false" });

/** One picture on its own, with the mask of the changed pixels above it. */
function stage(source, alt, mask) {
  const box = make("div", { class: "stage" }, image(source, alt));
  if (mask) box.append(image(mask, "", "over mask"));
  return box;
}

/** Both pictures in one place; the slider shows the old one to the left of its handle. */
function slider(card, side) {
  const box = stage(side.new, `${card.name}, ${side.side}, ${data.new}`, side.mask);
  box.firstChild.after(image(side.old, `${card.name}, ${side.side}, ${data.old}`, "over before"));
  box.append(make("div", { class: "edge" }));
  const range = make("input", { type: "range", min: "0", max: "100", value: "50",
    "aria-label": `${card.name}, ${side.side}: share of ${data.old}` });
  const move = () => box.style.setProperty("--at", `${range.value}%`);
  range.addEventListener("input", move);
  box.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || !event.buttons) return;
    const edges = box.getBoundingClientRect();
    range.value = String(Math.round((event.clientX - edges.left) / edges.width * 100));
    move();
  });
  return [box, range];
}

function caption(side) {
  const share = side.share === null ? "" : side.share ? `${(side.share * 100).toFixed(side.share < .01 ? 2 : 1)} % of pixels` : "equal pixels";
  const releases = side.old && side.new ? `: ${data.old} → ${data.new}` : "";
  return make("figcaption", {}, make("span", {}, side.side + releases), make("span", {}, share));
}

function pictures(card, view) {
  return card.sides.map((side) => {
    const canSlide = side.old && side.new && side.share !== null;
    if (view === "slider" && canSlide) return make("figure", {}, ...slider(card, side), caption(side));
    const pair = make("div", { class: "pair" });
    if (side.old) pair.append(stage(side.old, `${card.name}, ${side.side}, ${data.old}`));
    if (side.new) pair.append(stage(side.new, `${card.name}, ${side.side}, ${data.new}`, side.mask));
    return make("figure", {}, pair, caption(side));
  });
}

function values(card) {
  if (!card.values.length) return [];
  const rows = make("dl");
  for (const [label, old, now] of card.values) {
    rows.append(make("dt", {}, label), make("dd", {}, make("del", {}, old), " → ", make("ins", {}, now)));
  }
  return [rows];
}

function article(card) {
  const former = card.former ? `, formerly ${card.former}` : "";
  const also = card.also.length ? ` · also: ${card.also.join(", ")}` : "";
  const words = make("div", {}, ...values(card));
  if (card.lines.length) words.append(make("ul", { class: "lines" }, ...list(card.lines)));
  words.append(...card.notes.map((note) => make("p", { class: "note" }, note)));
  const both = make("div", { class: "both" });
  const element = make("article", { "aria-label": card.name }, make("h3", {}, card.name),
    make("p", { class: "about" }, `${card.game} ${card.kind} ${card.id}${former}${also}`), both);
  const draw = (view) => {
    const side = view === "none" ? [] : pictures(card, view);
    both.replaceChildren(...(side.length ? [make("div", {}, ...side)] : []), ...(words.childNodes.length ? [words] : []));
  };
  const text = [card.name, card.id, card.former, card.kind, card.game, ...card.lines, ...card.values.flat()].join("\n");
  shown.push({ card, element, draw, text: text.toLowerCase() });
  return element;
}

/** What the numbers leave out, before all of them; a long list is closed at first. */
function showLeftOut() {
  const element = find("#left-out"), count = data.leftOut.length;
  element.hidden = !count;
  element.open = count <= data.mostLeftOut;
  element.querySelector("summary").textContent = `Not adjudicated: ${count} ${count === 1 ? "rule" : "rules"}`;
  element.querySelector("ul").append(...data.leftOut.map((each) => make("li", {}, each)));
}

function fill() {
  showLeftOut();
  find("#summary").textContent = data.summary;
  find("#notes").append(...list(data.notes));
  find("#notes").hidden = !data.notes.length;
  find("#rules ul").append(...list(data.rules));
  find("#rules").hidden = !data.rules.length;
  for (const group of data.classes.filter((each) => each.count)) {
    find("#class").append(make("option", { value: group.id }, `${group.title} (${group.count})`));
    const cards = data.cards.filter((card) => card.change === group.id).map(article);
    find("#classes").append(make("section", { id: `class-${group.id}` },
      make("h2", {}, `${group.title} (${group.count})`), make("div", { class: "cards" }, ...cards)));
  }
}

function filter() {
  const words = find("#search").value.toLowerCase().split(/\s+/).filter(Boolean), wanted = find("#class").value;
  let count = 0;
  for (const { card, element, text } of shown) {
    element.hidden = !(words.every((word) => text.includes(word)) && (!wanted || card.change === wanted));
    count += element.hidden ? 0 : 1;
  }
  for (const section of find("#classes").children) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  find("#count").textContent = `${count} of ${shown.length} ${shown.length === 1 ? "card" : "cards"}`;
}

function draw() {
  const view = find("#view").value;
  find("main").className = view + (find("#mark").checked ? "" : " no-mark");
  for (const each of shown) each.draw(view);
}

fill();
filter();
draw();
find("#search").addEventListener("input", filter);
find("#class").addEventListener("change", filter);
find("#view").addEventListener("change", draw);
find("#mark").addEventListener("change", () => find("main").classList.toggle("no-mark", !find("#mark").checked));
find("#filter").addEventListener("submit", (event) => event.preventDefault());
