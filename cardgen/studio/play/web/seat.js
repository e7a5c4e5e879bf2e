// The page of a player: the question, the units, the secrets of the side, and the log.
import { showCard } from "/cards.js";
import { element, follow, logView, Region, send, sideView } from "/elements.js";
import { questionForm } from "/questions.js";

const LOG_LINES = 15;
let view = null;
let secretsShown = false;
const fault = element("p", { class: "fault", role: "alert" });

const header = new Region("header", {}, ({ name, title, time, score }) => [
  element("h1", {}, name), element("p", { class: "time" }, [time, score].filter(Boolean).join(" · ")),
  element("p", { class: "title" }, title)]);
const ask = new Region("section", { class: "ask", "aria-live": "polite", "aria-label": "Question" }, drawQuestion);
const secrets = new Region("section", { class: "secrets", "aria-label": "Your secrets" }, drawSecrets);
const sides = new Region("div", { class: "sides" }, ({ own, others, asked }) =>
  [own, ...others].map((side) => 
    sideView(side, side.name === asked, (unit) => showCard(unit, side, [own, ...others]))));
const log = new Region("section", { "aria-label": "Log" }, (lines) => [element("h2", {}, "Log"), logView(lines)]);
const agreement = new Region("section", { class: "agreement", "aria-live": "polite", "aria-label": "Undo" }, drawAgreement);
const tools = new Region("footer", {}, drawTools);

function drawQuestion({ question, outcome, asked, problem }) {
  if (problem) return element("p", { class: "fault", role: "alert" }, problem);
  if (outcome.length) return [element("h2", { tabindex: -1, "data-focus": true }, "The battle is over"),
    ...outcome.map((line) => element("p", {}, line))];
  if (!question.mine) {
    const waits = question.kind === "seal" ? `${question.text}: a secret choice.` : question.text;
    return [element("h2", { tabindex: -1, "data-focus": true }, `Waiting for ${asked}`), element("p", {}, waits)];
  }
  const only = question.kind === "seal" && element("p", { class: "hint" }, "Only you see this. Nobody else learns what you choose.");
  return [element("h2", { tabindex: -1, "data-focus": true }, question.text), only, ...questionForm(question, answer)];
}

function drawSecrets({ lines, shown }) {
  if (!lines.length) return [];
  const toggle = element("button", { type: "button", "aria-expanded": shown, "data-focus": true,
    onclick: () => { secretsShown = !secretsShown; show(view); } }, shown ? "Hide my secrets" : `Show my secrets (${lines.length})`);
  return [toggle, shown && element("ul", {}, lines.map((line) => element("li", {}, line)))];
}

// All players must agree to undo an answer, because dice and secret choices are known by then.
function drawAgreement({ undo, name }) {
  if (!undo.length || undo.includes(name)) return [];
  return [
    element("p", {}, `${undo.join(", ")} ${undo.length > 1 ? "ask" : "asks"} to undo the last answer. To refuse, go on playing.`),
    element("button", { type: "button", class: "primary", onclick: askToUndo }, "Agree to undo the last answer")];
}

function drawTools({ canUndo, undo, name, code, url, notes, commitment, save }) {
  return [
    element("button", { type: "button", disabled: !canUndo || undo.length > 0, onclick: askToUndo, "data-focus": true },
      undo.includes(name) ? "Waiting for the others to agree" : "Undo the last answer"),
    element("details", {}, element("summary", {}, "Another window of this seat"),
      element("p", {}, `Open ${url || location.origin} and enter the code `, element("strong", { class: "code" }, code),
        ". It is for you alone: it shows your secrets."),
      url && element("img", { src: `${location.pathname}/code.svg`, alt: "QR code of the address", class: "qr" })),
    element("details", {}, element("summary", {}, "About this battle"), element("p", {}, `Saved in ${save}.`),
      commitment && element("p", {}, "Commitment to the secrets: ", element("code", {}, commitment)),
      ...notes.map((note) => element("p", {}, `Not adjudicated: ${note}`)))];
}

// One request at a time: a second tap on a button counts for nothing.
let isBusy = false;
async function request(action, data) {
  if (isBusy) return;
  isBusy = true;
  fault.textContent = "";
  const { step } = view;
  const problem = await send(action, { step, ...data });
  if (step === view.step) [fault.textContent, isBusy] = [problem, false];
}
const answer = (value) => request("reply", { value });
const askToUndo = () => request("undo", {});

function show(next) {
  if (view && next.step !== view.step) [fault.textContent, isBusy] = ["", false];
  view = next;
  document.body.dataset.step = view.step;
  const { question, side } = view;
  const own = view.sides[side];
  const asked = question ? view.sides[question.side]?.name ?? "all players" : "";
  header.show({ name: own.name, title: view.title, time: view.time, score: own.score });
  ask.show({ question, outcome: view.outcome, asked, problem: view.problem, step: view.step });
  secrets.show({ lines: view.secrets, shown: secretsShown });
  sides.show({ own, others: view.sides.filter((_, place) => place !== side), asked });
  log.show(view.log.slice(-LOG_LINES));
  agreement.show({ undo: view.undo, name: own.name });
  tools.show({ canUndo: view.canUndo, undo: view.undo, name: own.name, code: view.seatCode, url: view.url, notes: view.notes,
    commitment: view.commitment, save: view.save });
  document.body.classList.toggle("mine", Boolean(question?.mine));
  document.title = `${question?.mine ? "● " : ""}${own.name}`;
}

document.querySelector("#page").append(header.element, element("main", {}, ask.element, fault, agreement.element,
  secrets.element, sides.element, log.element), tools.element);
follow(show);
