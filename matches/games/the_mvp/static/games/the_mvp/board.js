// What the page does by itself: it shows the player's own chips, unsent chips and answers on the public cards, and
// adds up chips.
//
// Reads   [data-on-card][data-standing][data-added]    the reader's chips on a card, in the purse
//         [data-known][data-card]                      an answer that the reader bought, in the purse
//         [data-asked]                                 a place of which the reader is told when the round closes
//         #board [data-lot]                            the cards
//         [data-free] around input[data-lot-amount]    what one may add in all; the sum goes into [data-left]; data-sealed:
//                                                      what the server has taken
// Writes  g[data-own]                                  on each card, what only the reader knows of it
// Hears   document event "genius:lot-chosen"           then that card's field is the first one

import { fire, watch, write } from "../../js/site.js";

const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

// -- what only the player knows -------------------------------------------------------------------

const inPurse = (name, place) => document.querySelector(`#part-panel [data-${name}="${place}"]`);

// What the form says is added, sealed or not; without the form, what is sealed.
function chipsOn(place) {
  const { standing, added = "0" } = inPurse("on-card", place)?.dataset ?? {};
  const typed = document.querySelector(`#part-act [data-lot-amount="${place}"]`)?.value ?? added;
  const words = [Number(standing) || "", Number(typed) ? `+${Number(typed)}` : ""].join("");
  return { words, isUnsent: Number(typed) !== Number(added) };
}

const WIDEST = 66; // beside the place's letter; longer numbers are set narrower

function chipsDrawn({ words, isUnsent }) {
  const wanted = 24 + 12 * words.length;
  const wide = Math.min(wanted, WIDEST);
  const narrower = wanted > wide ? { textLength: wide - 12, lengthAdjust: "spacingAndGlyphs" } : {};
  const ground = make("rect", { class: "mvp-own__chips", x: 100 - wide, y: 5, width: wide, height: 30, rx: 15 });
  ground.classList.toggle("mvp-own__chips--unsent", isUnsent);
  return [
    ground,
    make("text", { class: "mvp-own__number", x: 100 - wide / 2, y: 27, ...narrower }, words),
  ];
}

// The purse has it drawn.
const answerDrawn = (answer) => (answer ? [...answer.querySelector("template").content.cloneNode(true).firstElementChild.children] : []);

function showOwn() {
  for (const spot of document.querySelectorAll("#part-board [data-own]")) {
    const place = spot.dataset.own;
    const known = spot.closest('[data-state="hidden"]') && inPurse("known", place);
    const chips = chipsOn(place);
    const asked = inPurse("asked", place);
    const shows = known?.dataset.card || (chips.words && `${chips.words}${chips.isUnsent ? " unsent" : ""}`) || (asked ? "asked" : "");
    if ((spot.dataset.shows ?? "") === shows) continue;
    if (shows) spot.dataset.shows = shows;
    else delete spot.dataset.shows;
    spot.replaceChildren(...(chips.words && !known ? chipsDrawn(chips) : answerDrawn(known ?? asked)));
  }
}

// -- sums -----------------------------------------------------------------------------------------

function showLeft() {
  const form = document.querySelector("[data-free]");
  const words = form?.querySelector("[data-left]");
  if (!words) return;
  const free = Number(form.dataset.free);
  const fields = [...form.querySelectorAll("[data-lot-amount]")];
  const added = fields.reduce((sum, field) => sum + Number(field.value), 0);
  const left = free - added;
  const what = added && fields.every((field) => Number(field.value) === Number(field.dataset.sealed)) ? "sealed" : "chosen";
  const text = left < 0 ? `${added} chips are ${-left} more than your ${free} free ones.` : `${added} of your ${free} free chips ${what}, ${left} left.`;
  write(words, text);
  words.toggleAttribute("data-over", left < 0);
  for (const plus of form.querySelectorAll('[data-step="1"]')) if (plus.disabled !== left <= 0) plus.disabled = left <= 0;
}

// An empty field adds nothing; so does one that was counted down to 0.
// Before its forecast is asked for.
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => target.matches("[data-lot-amount]") && Number(target.value) === 0 && (target.value = ""), true);
}

document.addEventListener("input", (event) => event.target.matches("[data-lot-amount]") && keepUp());

// -- choosing a card ------------------------------------------------------------------------------

// A face-up card leads to its field, a face-down card to the question about it.
document.addEventListener("genius:lot-chosen", (event) => {
  const place = event.detail;
  for (const field of document.querySelectorAll("[data-lot-amount]")) {
    field.toggleAttribute("data-first-field", field.dataset.lotAmount === place);
  }
  const asks = document.querySelector("[data-ask-place]");
  if (!asks) return;
  const isHidden = [...asks.options].some((option) => option.value === place);
  asks.toggleAttribute("data-first-field", isHidden);
  if (!isHidden) return;
  asks.closest("details").open = true;
  asks.value = place;
  fire(asks, "change");
});

// -- an answer or a push has changed something ----------------------------------------------------

function keepUp() {
  showOwn();
  showLeft();
}

for (const part of ["part-board", "part-panel", "part-act"]) {
  watch(document.getElementById(part), keepUp, "value", "data-free", "data-added", "data-standing", "data-own");
}
keepUp();
