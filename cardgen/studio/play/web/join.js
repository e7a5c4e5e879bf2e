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
  seats.querySelector("ul").replaceChildren(...answer.seats.map((seat) => element("li", {},
    element("button", { type: "button", disabled: !seat.free, onclick: () => take(code, seat.place) },
      seat.free ? seat.name : `${seat.name} (taken)`))));
  seats.querySelector("h2").focus();
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
  if (!code) return;
  input.value = code;
  history.replaceState(null, "", "/");
  showSeats();
}

input.focus();
window.addEventListener("hashchange", readAddress);
readAddress();
