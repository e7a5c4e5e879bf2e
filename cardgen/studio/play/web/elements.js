// Elements without HTML in strings: names and texts of cards are always text.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

// A part of a page that is drawn again only if its data has changed, so that focus and inputs stay.
export class Region {
  constructor(tag, attributes, draw) {
    this.element = element(tag, attributes);
    this.draw = draw;
    this.shown = null;
  }

  show(data) {
    const key = JSON.stringify(data);
    if (key === this.shown) return false;
    this.shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    const unit = document.activeElement.dataset.unit;
    this.element.replaceChildren(...[this.draw(data)].flat().filter(Boolean));
    if (hadFocus && !focusAgain(this.element, unit)) this.element.querySelector("[data-focus]")?.focus();
    return true;
  }
}

// Moves the focus to the name of a unit; returns whether there is one.
export function focusAgain(part, unit) {
  const named = [...part.querySelectorAll("[data-unit]")].find((each) => each.dataset.unit === unit);
  named?.focus();
  return Boolean(named);
}

export function sideView(side, isAsked, show) {
  return element("section", { class: `side${isAsked ? " asked" : ""}`, "aria-label": side.name },
    element("h2", {}, side.name, side.score && element("span", { class: "score" }, side.score)),
    element("ul", { class: "units" }, side.units.map((unit) =>
      element("li", { class: unit.is_out ? "out" : "" },
        unit.card ? element("button", { type: "button", class: "name", "data-unit": unit.name, onclick: () => show(unit, side) }, unit.name)
          : element("span", { class: "name" }, unit.name), element("span", { class: "state" }, unit.state), meter(unit)))));
}

// A bar for units that have so many Wounds, or so much damage, of a number.
function meter(unit) {
  const parts = /^(\d+)\/(\d+)( damage)?/.exec(unit.state);
  if (!parts || unit.is_out) return null;
  const [value, most] = [Number(parts[1]), Number(parts[2])];
  const left = parts[3] ? most - value : value;
  const bar = element("span", { class: left * 3 <= most ? "bar low" : "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.width = `${Math.max(0, Math.min(100, (100 * left) / most))}%`;
  return bar;
}

export function logView(lines) {
  return element("ol", { class: "log", tabindex: 0, "aria-label": "The last events, the newest first" }, [...lines].reverse().map((line) => element("li", { class: line.kind }, line.text)));
}

const FAREWELLS = {
  freed: "Your seat was freed. To take a seat again, join with the new code of the battle.",
  over: "The battle is over.",
};
const STOPPED = "The battle is not being played now. This page continues when it is.";
const RETRY_MILLISECONDS = 2000;

// Calls `show` with each state of the battle; the browser connects again by itself, or else this does.
export function follow(show) {
  const state = document.querySelector("#state");
  const events = new EventSource(`${location.pathname}/events`);
  const say = (text) => { if (state.textContent !== text) state.textContent = text; };
  events.onopen = () => say("");
  events.onmessage = (message) => { say(""); show(JSON.parse(message.data)); };
  events.addEventListener("closed", (message) => {
    events.close();
    if (message.data in FAREWELLS) return leave(FAREWELLS[message.data]);
    say(STOPPED);
    setTimeout(comeBack, RETRY_MILLISECONDS);
  });
  events.onerror = () => {
    if (state.textContent !== STOPPED) say("Connection lost. Trying again …");
    if (events.readyState === EventSource.CLOSED) setTimeout(comeBack, RETRY_MILLISECONDS);
  };
  // Asks whether there is a battle again, and whether the seat is still one at its table.
  async function comeBack() {
    const answer = await fetch(`${location.pathname}/here`).catch(() => null);
    if (answer?.status === 403) return leave("Enter the code of the battle again.");
    if (answer?.ok) return follow(show);
    say(answer?.status === 404 ? STOPPED : "Connection lost. Trying again …");
    setTimeout(comeBack, RETRY_MILLISECONDS);
  }
}

function leave(text) {
  document.querySelector("dialog")?.close();
  document.title = "Battle";
  document.querySelector("#state").textContent = "";
  document.querySelector("#page").replaceChildren(
    element("main", { class: "left" }, element("p", { role: "alert" }, text), element("a", { href: "/" }, "Join a battle")));
}

// Sends data as JSON; returns the problem, or "".
export async function send(action, data) {
  try {
    const answer = await fetch(`${location.pathname}/${action}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
    return isJson ? (await answer.json()).problem : await answer.text();
  } catch {
    return "No connection. Try again.";
  }
}
