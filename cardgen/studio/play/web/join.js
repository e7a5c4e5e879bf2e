// The page on which players enter the code of the battle, and choose their seat.
import { element } from "/elements.js";

const [form, input, fault, seats] = ["#form", "#code", "#fault", "#seats"].map((name) => document.querySelector(name));

async function post(data) {
  const answer = await fetch("/join", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) }).catch(() => null);
  if (!answer) return { fault: "No connection. Try again." };
  return answer.ok ? await answer.json() : { fault: await answer.text() };
}

async function showSeats() {
  const code = input.value;
  const answer = await post({ code });
  fault.textContent = answer.fault ?? "";
  seats.hidden = Boolean(answer.fault);
  if (answer.fault) return input.focus();
  list(answer.seats, code);
  seats.querySelector("h2").textContent = "Who are you?";
  seats.querySelector("h2").focus();
}

function list(rows, code) {
  seats.querySelector("ul").replaceChildren(...rows.map((seat) => element("li", {},
    element("button", { type: "button", disabled: !seat.free, onclick: () => take(code, seat.place) },
      seat.own ? `${seat.name} (your seat)` : seat.free ? seat.name : `${seat.name} (taken)`))));
}

// A browser that has a seat already, because its window was closed, needs no code.
async function showOwnSeats() {
  const answer = await post({});
  if (answer.fault || !answer.seats.length || !seats.hidden) return;
  list(answer.seats);
  seats.querySelector("h2").textContent = "Go on playing";
  seats.hidden = false;
  if (!input.value) seats.querySelector("button").focus();
}

async function take(code, place) {
  const answer = await post({ code, place });
  fault.textContent = answer.fault ?? "";
  if (answer.path) location.assign(answer.path);
}

form.addEventListener("submit", (event) => { event.preventDefault(); showSeats(); });
// The address of the QR code ends with the code, which does not stay in the history.
function readAddress() {
  const code = location.hash.slice(1);
  if (!code) return showOwnSeats();
  input.value = code;
  history.replaceState(null, "", "/");
  showSeats();
}

input.focus();
window.addEventListener("hashchange", readAddress);
readAddress();
