// The card of a unit, and its odds against an enemy, in a dialog above the battle, which goes on below it.
import { element, focusAgain } from "/elements.js";

const dialog = element("dialog", { class: "unit-card", "aria-labelledby": "unit-name" });
let [shown, asked] = ["", 0];
dialog.addEventListener("close", () => focusAgain(document, shown));

export function showCard(unit, side, sides) {
  shown = unit.name;
  const odds = element("section", { "aria-live": "polite", "aria-label": "Odds" });
  const picture = element("img", { src: `/cards/${unit.card}`, alt: `The card of ${unit.name}`,
    onerror: () => picture.replaceWith(element("p", { class: "hint" }, "There is no picture of this card.")) });
  const enemies = sides.filter((each) => each.name !== side.name).flatMap((each) => each.units.filter((enemy) => enemy.card));
  const buttons = enemies.map((enemy) => element("button", { type: "button", "aria-pressed": "false", onclick: (event) => {
    for (const each of buttons) each.setAttribute("aria-pressed", each === event.currentTarget);
    showOdds(odds, unit, enemy);
  } }, enemy.name));
  dialog.replaceChildren(
    element("form", { method: "dialog" }, element("h2", { id: "unit-name" }, unit.name), element("button", {}, "Close")),
    element("p", { class: "hint" }, unit.state), picture,
    buttons.length > 0 && element("h3", {}, "Odds against"), element("div", { class: "row" }, buttons), odds);
  document.body.append(dialog);
  dialog.showModal();
}

async function showOdds(place, unit, enemy) {
  const own = ++asked;
  place.replaceChildren(element("p", { class: "hint" }, "Computing …"));
  const answer = await fetch(`/odds/${unit.card}/${enemy.card}`).catch(() => null);
  const odds = answer?.ok ? await answer.json() : { problem: answer ? await answer.text() : "No connection. Try again." };
  if (own !== asked) return;
  place.replaceChildren(...(odds.problem ? [element("p", { class: "fault" }, odds.problem)] : [
    ...odds.tables.map((table) => element("table", {}, element("caption", {}, table.title), element("tbody", {}, table.rows.map((row) =>
      element("tr", {}, element("th", { scope: "row" }, row.label), element("td", {}, row.text)))))),
    ...odds.notes.map((note) => element("p", { class: "hint" }, note))]));
  place.scrollIntoView({ block: "nearest" });
}
