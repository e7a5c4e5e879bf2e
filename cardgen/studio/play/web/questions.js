// The forms with which a player answers: options as buttons, selections, numbers, and dice.
import { element } from "/elements.js";

const MOST_DICE_BUTTONS = 12;
// From so many options on, they can be searched.
const MANY = 12;

export function questionForm(question, answer) {
  const forms = { choose: options, seal: options, select: selection, measure: number, mark: marked, die: die };
  return forms[question.kind](question, answer);
}

function button(text, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, text);
}

function options(question, answer) {
  const list = element("ul", { class: "options" }, question.options.map((option, place) =>
    element("li", {}, button(option, () => answer(place)))));
  withDigits(list);
  return [question.options.length >= MANY && filter(list), list];
}

// While the focus is among the options, a digit presses the one at its place.
function withDigits(list) {
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const pressed = list.querySelectorAll("button")[Number(event.key) - 1];
    if (/^[1-9]$/.test(event.key) && pressed) pressed.click();
  });
}

function filter(list) {
  const input = element("input", { type: "search", "aria-label": "Filter the options", placeholder: "Filter" });
  input.addEventListener("input", () => {
    for (const item of list.children)
      item.hidden = !item.textContent.toLowerCase().includes(input.value.toLowerCase());
  });
  return input;
}

function selection(question, answer) {
  return question.most ? sequence(question, answer) : subset(question, answer);
}

// Any of the options, each at most once, in the order in which they were chosen; or a number of them within bounds.
function subset(question, answer) {
  let chosen = [];
  const of = question.high && question.low === question.high ? ` of ${question.high}` : "";
  const confirm = button("", () => answer(chosen), { class: "primary" });
  const name = () => {
    confirm.textContent = chosen.length || question.low ? `Confirm (${chosen.length}${of})` : "None";
    confirm.disabled = question.high > 0 && (chosen.length < question.low || chosen.length > question.high);
  };
  const list = element("ul", { class: "options" }, question.options.map((option, place) =>
    element("li", {}, button(option, (event) => {
      chosen = chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place];
      event.currentTarget.setAttribute("aria-pressed", chosen.includes(place));
      name();
    }, { "aria-pressed": "false" }))));
  name();
  withDigits(list);
  return [question.options.length >= MANY && filter(list), list, confirm];
}

// A sequence of up to so many options, which can be repeated, except some.
function sequence(question, answer) {
  let chosen = [];
  const shown = element("p", { class: "chosen", role: "status" });
  const confirm = button("", () => answer(chosen), { class: "primary" });
  const back = button("Remove the last one", () => { chosen = chosen.slice(0, -1); draw(); }, { class: "quiet" });
  const list = element("ul", { class: "options" }, question.options.map((option, place) =>
    element("li", {}, button(option, () => { chosen = [...chosen, place]; draw(); }))));
  function draw() {
    shown.textContent = chosen.map((place, at) => `${at + 1}. ${question.options[place]}`).join(", ") ||
      (question.most === 1 ? "Nothing chosen" : `Nothing chosen; up to ${question.most}, in order`);
    confirm.textContent = chosen.length ? "Confirm" : "None";
    back.disabled = !chosen.length;
    list.querySelectorAll("button").forEach((each, place) => {
      each.disabled = chosen.length >= question.most || (question.once.includes(place) && chosen.includes(place));
    });
  }
  draw();
  withDigits(list);
  return [list, shown, element("div", { class: "row" }, confirm, back)];
}

function numberInput(question) {
  const unit = question.unit ? ` ${question.unit}` : "";
  const input = element("input", { type: "number", inputmode: "numeric", min: question.low, max: question.high,
    step: 1, required: true, id: "number" });
  return [element("label", { for: "number" }, `${question.low} to ${question.high}${unit}`), input];
}

function number(question, answer) {
  const [label, input] = numberInput(question);
  const form = element("form", {}, label, input, element("button", { type: "submit", class: "primary" }, "Confirm"));
  form.addEventListener("submit", (event) => { event.preventDefault(); answer(Number(input.value)); });
  return [form];
}

function marked(question, answer) {
  const [label, input] = numberInput(question);
  const boxes = question.marks.map((mark, place) => element("label", { class: "mark" },
    element("input", { type: "checkbox", value: place }), mark));
  const form = element("form", {}, label, input, element("fieldset", {}, element("legend", {}, question.hint.replace(/^\+ /, "") || "Also"), boxes),
    element("button", { type: "submit", class: "primary" }, "Confirm"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const marks = [...form.querySelectorAll("input[type=checkbox]:checked")].map((box) => Number(box.value));
    answer([Number(input.value), ...marks]);
  });
  return [form];
}

function die(question, answer) {
  if (question.high > MOST_DICE_BUTTONS) return number(question, answer);
  const faces = Array.from({ length: question.high }, (_, place) => place + 1);
  return [element("ul", { class: "options faces" }, faces.map((face) =>
    element("li", {}, button(String(face), () => answer(face), { "aria-label": `The die shows ${face}` }))))];
}
