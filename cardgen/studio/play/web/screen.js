// The shared screen and the page of spectators: how everybody stands, what is asked, and the log. It knows no secrets.
// Only the shared screen, which has entered the code of the battle, also shows how to join.
import { showCard } from "/cards.js";
import { element, follow, logView, Region, sideView } from "/elements.js";

const header = new Region("header", {}, ({ title, time }) => [
  element("h1", {}, title), element("p", { class: "time" }, time)]);
const ask = new Region("section", { class: "ask", "aria-live": "polite", "aria-label": "Question" }, drawQuestion);
const sides = new Region("div", { class: "sides" }, (view) => view.sides.map((side, place) => 
  sideView(side, place === view.asked, (unit) => showCard(unit, side, view.sides))));
const log = new Region("section", { class: "log-panel", "aria-label": "Log" }, (lines) => [element("h2", {}, "Log"), logView(lines)]);
const join = new Region("aside", { class: "join-panel", "aria-label": "Join" }, drawJoin);

function drawQuestion({ question, outcome, names, problem, undo }) {
  if (undo.length) return [...drawQuestion({ question, outcome, names, problem, undo: [] }),
    element("p", { class: "hint" }, `${undo.join(", ")} ${undo.length > 1 ? "ask" : "asks"} to undo the last answer.`)];
  if (problem) return [element("p", { class: "fault", role: "alert" }, problem)];
  if (outcome.length) return [element("h2", {}, "The battle is over"), ...outcome.map((line) => element("p", {}, line))];
  const asked = names[question.side];
  if (question.kind === "seal") return [element("h2", {}, asked ?? "A player"), element("p", {}, `${question.text}: a secret choice.`)];
  return [element("h2", {}, asked ?? "All players"), element("p", {}, question.text),
    question.options.length > 0 && element("ul", { class: "offers" }, question.options.map((option) => element("li", {}, option)))];
}

function drawJoin({ code, url, seats, origin }) {
  const rows = element("ul", { class: "seats" }, seats.map((seat) => element("li", { class: seat.here ? "here" : "" },
    seat.name, element("span", {}, seat.here ? "connected" : seat.taken ? "away" : "free"))));
  const isFull = seats.every((seat) => seat.taken);
  if (!code || isFull) return rows;
  return [
    element("div", { class: "invite" },
      url && element("img", { src: `${location.pathname}/code.svg`, alt: "QR code of the address", class: "qr" }),
      element("p", {}, "To join, open ", element("strong", {}, url || origin), " and enter the code "),
      element("p", { class: "code" }, code)),
    rows];
}

function show(view) {
  header.show({ title: view.title, time: view.time });
  ask.show({ question: view.question, outcome: view.outcome, names: view.sides.map((side) => side.name),
    problem: view.problem, undo: view.undo });
  sides.show({ sides: view.sides, asked: view.question?.side });
  log.show(view.log.slice(-60));
  join.show({ code: view.code, url: view.url, seats: view.seats, origin: location.origin });
  document.title = `${view.title} · ${view.time}`;
}

document.querySelector("#page").append(header.element,
  element("main", {}, ask.element, sides.element, element("div", { class: "rail" }, join.element, log.element)));
follow(show);
