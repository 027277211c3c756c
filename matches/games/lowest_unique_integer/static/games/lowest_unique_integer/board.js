// Fills in the lowest amount that a chosen seat takes, and shows on the board what only the player knows.
//
// Reads   #amounts[data-lowest="T=3&U=2"]     in the auction: the lowest amount that each seat takes now
//         [data-lot]                          data-state, data-amount
//         [data-lot-field], [data-amount-field]
//         [data-sealed-on], [data-raise-on]   in the player's own parts: their sealed bid, their standing raises
// Writes  [data-lit] of .match-table     the seats whose neighbours are lit: the chosen one and the one that is pointed at

import { fire, tell, watch, write } from "../../js/site.js";

const find = (selector) => document.querySelector(selector);

let filledIn = "";

// Choosing a seat fills in the lowest amount that it takes: one more press bids it.
function fillIn() {
  const amount = find("[data-amount-field]");
  const lowest = new URLSearchParams(find("#amounts")?.dataset.lowest).get(find("[data-lot-field]")?.value);
  if (!amount || !lowest) return;
  if (amount.value !== "" && amount.value !== filledIn) return;
  amount.value = filledIn = lowest;
  fire(amount, "input");
}

document.addEventListener("genius:lot-chosen", fillIn);
document.addEventListener("change", (event) => event.target.matches("[data-lot-field]") && fillIn());

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
  const field = find("[data-lot-field]");
  if (!seat || !field || field.value === seat.dataset.lot || !find("#amounts")?.dataset.lowest) return;
  const { lot, state } = seat.dataset;
  tell("toast", state === "standing" ? `Your own bid stands on ${lot}. You can bid there again once it is outbid.` : `You can no longer bid on ${lot}.`);
});

// Chips have been bought: the bid that missed them is possible now.
document.addEventListener("htmx:after:swap", (event) => event.target.id === "act-buy_chips" && tell("forecast"));

// Another bid may have made it impossible. Countdowns change the board too, but nothing that a bid depends on.
const boardNow = () => [...document.querySelectorAll("#board [data-lot]")].map(({ dataset }) => `${dataset.lot}${dataset.state}${dataset.amount}`).join(" ");
let boardThen = boardNow();

function keepUp() {
  showOwn();
  const board = boardNow();
  if (board === boardThen) return;
  boardThen = board;
  tell("forecast");
}

for (const part of ["part-board", "part-panel"]) {
  watch(document.getElementById(part), keepUp, "data-amount", "data-state", "data-sealed", "data-sealed-on", "data-raise-on", "data-up-to");
}
showOwn();
