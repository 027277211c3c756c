// Says at once what a bid would do, from what the board shows; the server's answer replaces it a moment later.
//
// Reads   #amounts[data-taken]           amounts that nobody can bid now
//         #board[data-fee]              what a bid costs
//         [data-lot]                     data-state, data-amount, data-player, data-owner
//         [data-free][data-garnets]      the purse
//         [data-lot-field], [data-amount-field], #forecast-bid
//         [data-sealed-on], [data-raise-on]   in the player's own parts: their sealed bid, their standing raises
// Writes  [data-lit] of .match-table     the seats whose neighbours are lit: the chosen one and the one that is pointed at

import { counted, fire, make, watch, write } from "../../js/site.js";

const find = (selector) => document.querySelector(selector);
const me = () => find("#match")?.dataset.me;
const seatOf = (name) => (name ? find(`[data-lot="${CSS.escape(name)}"]`) : null);
const taken = () => new Set((find("#amounts")?.dataset.taken ?? "").split(" ").filter(Boolean).map(Number));

let filledIn = "";

function lowestFree(above, numbers) {
  let amount = above + 1;
  while (numbers.has(amount)) amount += 1;
  return amount;
}

// The lowest amount that a seat takes; undefined if it takes no bid.
function lowestOn(seat) {
  const { state, amount } = seat.dataset;
  if (state !== "open" && state !== "standing") return null;
  return lowestFree(state === "standing" ? Number(amount) : 0, taken());
}

// What to say about a seat before an amount is typed.
function ofSeat(seat) {
  const { lot, state, player, amount, owner } = seat.dataset;
  if (state === "won") return { bad: true, text: `${owner === me() ? "You have" : `${player} has`} won ${lot} for ${amount}. Choose another seat.` };
  if (state === "standing" && owner === me()) return { bad: true, text: `Your own bid of ${amount} stands on ${lot}. You can bid there again once it is outbid.` };
  const stands = state === "standing" ? `${player}'s bid of ${amount} stands on ${lot}.` : `Nobody has bid on ${lot}.`;
  return { text: `${stands} The lowest amount that ${lot} takes is ${lowestOn(seat)}.` };
}

function ofBid(seat, amount) {
  const { lot, state, player, amount: standing } = seat.dataset;
  const lowest = lowestOn(seat);
  const known = ofSeat(seat);
  const free = Number(find("[data-free]")?.dataset.free ?? 0);
  if (known.bad) return known;
  if (amount < 1) return { bad: true, text: `Bid at least ${lowest} on ${lot}.` };
  if (state === "standing" && amount <= Number(standing)) return { bad: true, text: `${player}'s bid of ${standing} stands on ${lot}. Bid more. The lowest free amount above it is ${lowest}.` };
  if (taken().has(amount)) return { bad: true, text: `${amount} is taken, and every amount on the board is different. The next free one is ${lowestFree(amount, taken())}.` };
  if (amount > free) return { bad: true, text: `Only ${free} of your chips are free.` };
  const fee = Number(find("#board").dataset.fee ?? 0);
  return { good: true, text: `${amount} is free on the board.${fee ? ` The bid costs ${counted(fee, "garnet")}.` : ""}` };
}

function say(hint) {
  const place = find("#forecast-bid");
  if (!place) return;
  let line = place.querySelector(".submission__forecast");
  if (!line) {
    line = make("p");
    line.append(make("span"));
    place.replaceChildren(line);
  }
  const icon = line.querySelector("use");
  const name = hint.good ? "check" : hint.bad ? "alert" : "info";
  if (icon) icon.setAttribute("href", icon.getAttribute("href").replace(/#.*$/, `#${name}`));
  line.className = `submission__forecast${hint.good ? " submission__forecast--good" : hint.bad ? " submission__forecast--bad" : ""}`;
  line.lastElementChild.textContent = hint.text;
}

function hint() {
  const board = find("#board");
  const field = find("[data-lot-field]");
  if (!board || !field || board.dataset.phase !== "running") return;
  const seat = seatOf(field.value);
  if (!seat) return;
  const typed = find("[data-amount-field]").value;
  say(typed === "" ? ofSeat(seat) : ofBid(seat, Number(typed)));
}

// Choosing a seat fills in the lowest amount that it takes: one more press bids it.
function fillIn() {
  const amount = find("[data-amount-field]");
  const seat = seatOf(find("[data-lot-field]")?.value);
  const lowest = seat && lowestOn(seat);
  if (!amount || !lowest || find("#board").dataset.phase !== "running") return;
  if (amount.value !== "" && amount.value !== filledIn) return;
  amount.value = filledIn = lowest;
  fire(amount, "input");
}

document.addEventListener("genius:lot-chosen", fillIn);
document.addEventListener("input", (event) => event.target.matches("[data-amount-field]") && hint());
// An amount has been said when it was typed. To say it again when the field is left would take away the button below
// it that is being pressed.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-lot-field]")) return;
  fillIn();
  hint();
});

// -- the seat that is pointed at, by a pointer or by keys: style sheets light its neighbours ------------

const table = find(".match-table");
const seatAt = (target) => target.closest?.("#board [data-lot]")?.dataset.lot;

let pointed;

function light() {
  const lit = [table.dataset.chosen, pointed].filter(Boolean).join(" ");
  if (table.dataset.lit !== lit) table.dataset.lit = lit;
}

function point(seat) {
  pointed = seat;
  if (table) light();
}

if (table) new MutationObserver(light).observe(table, { attributeFilter: ["data-chosen"] });

document.addEventListener("pointerover", (event) => point(seatAt(event.target)));
document.addEventListener("pointerout", (event) => event.relatedTarget ?? point());
document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(seatAt(event.target)));
document.addEventListener("focusout", (event) => seatAt(event.target) === pointed && point());

// -- what only the player knows -------------------------------------------------------------------

// The player's own parts say it, which nobody else gets; the board, which is everybody's, has empty places for it.
function writeOn(places, wordsOf) {
  for (const place of document.querySelectorAll(`#part-board ${places}`)) {
    write(place, wordsOf(place.closest("[data-lot]").dataset.lot) || "");
  }
}

function showOwn() {
  const isBefore = find("#board")?.dataset.phase === "pregame";
  const { sealedOn, sealed } = find("#part-panel [data-sealed-on]")?.dataset ?? {};
  writeOn("[data-own]", (lot) => isBefore && lot === sealedOn && `${sealed} sealed`);
  const raises = new Map([...document.querySelectorAll("#part-panel [data-raise-on]")].map(({ dataset }) => [dataset.raiseOn, dataset.upTo]));
  writeOn("[data-raise]", (lot) => raises.has(lot) && `up to ${raises.get(lot)}`);
}

// A seat that takes no bid of this player's cannot be chosen: say why.
document.addEventListener("click", (event) => {
  const seat = event.target.closest("#board [data-lot]");
  if (seat && find("[data-lot-field]") && find("[data-lot-field]").value !== seat.dataset.lot && find("#board").dataset.phase === "running") say(ofSeat(seat));
});

// Chips have been bought: the bid that missed them is possible now.
document.addEventListener("htmx:after:swap", (event) => {
  const amount = find("[data-amount-field]");
  if (event.target.id === "act-buy_chips" && amount?.value) fire(amount, "input");
});

// A push has changed the board while something is typed: update what is said about it. Countdowns change the page too,
// but not what is said; the server may have said more than this script can.
const boardNow = () => [find("#amounts")?.dataset.taken, ...[...document.querySelectorAll("#board [data-lot]")].map((seat) => `${seat.dataset.lot}${seat.dataset.state}${seat.dataset.amount}`)].join(" ");
let boardThen = boardNow();

function keepUp() {
  showOwn();
  const board = boardNow();
  if (board === boardThen) return;
  boardThen = board;
  hint();
}

for (const part of ["part-board", "part-panel"]) {
  watch(document.getElementById(part), keepUp, "data-amount", "data-taken", "data-state", "data-sealed", "data-sealed-on", "data-raise-on", "data-up-to");
}
showOwn();
hint();
