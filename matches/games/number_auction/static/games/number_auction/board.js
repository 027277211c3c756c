// What the page shows of each number: which bid is typed, whether it would go through, and what is known of it.
//
// Reads   [data-fates="7:3:through 9:4:dropped"]    of what is sealed, around the form, and of what is typed, in the
//                                                   forecast: number, amount, and the word that goes into [data-fate-of]
//         input[data-bid-on]                        a bid on each number; data-sealed: what the server has taken
//         #board [data-lot]                         all numbers; what is known of one goes into #told
//         #what-if[data-round][data-mine="7 12"]    the player's numbers, to begin with
//         a[data-try="7 12"][data-tokens-left]     ticks these numbers in the form around or below it, perhaps with tokens
//         [data-play="7"]                           a player's half of a tile: gets what is in template#play, which is
//                                                   what the number would bring ([data-worth-of]) and whom else
//                                                   ([data-others-of]), a stepper for the same field, and whether that
//                                                   is unsent or sealed
// Hears   document event "genius:lot-chosen"        then the field of that number is the first one

import { fire, isPlain, watch, write } from "../../js/site.js";

const fieldOf = (number) => document.querySelector(`[data-bid-on="${number}"]`);

// -- bids ----------------------------------------------------------------------------------------

const FATES = { through: "✓ goes through", dropped: "✕ dropped" };

function showFates() {
  const form = document.querySelector("[data-fates]");
  if (!form) return;
  const isRefused = form.querySelector(".submission__forecast--bad, .field__error:not([hidden])");
  const said = isRefused ? "" : (form.querySelector("[data-fates]") ?? form).dataset.fates.trim();
  const fates = new Map(said.split(" ").map((each) => each.split(/:(?=\D)/)));
  for (const place of form.querySelectorAll("[data-fate-of]")) {
    const { fateOf } = place.dataset;
    const fate = fates.get(`${fateOf}:${Number(fieldOf(fateOf).value)}`) ?? ""; // none for what was typed since
    write(place, FATES[fate] ?? "");
    place.className = `na-field__fate ${fate === "through" ? "good" : "bad"}`;
    place.dataset.fate = fate;
  }
}

// -- the same bids on the tiles --------------------------------------------------------------------

function wordFor(field, fate) {
  const { sealed } = field.dataset;
  if (!Number(field.value) && !Number(sealed)) return "";
  const word = Number(field.value) === Number(sealed) ? "sealed" : "unsent";
  return fate && fate !== "through" ? `${word} ✕` : word;
}

function showPlay() {
  for (const place of document.querySelectorAll("[data-play]")) {
    const field = fieldOf(place.dataset.play);
    if (!field) {
      if (place.firstElementChild) place.replaceChildren();
      continue;
    }
    if (!place.firstElementChild) place.append(document.getElementById("play").content.cloneNode(true));
    for (const button of place.querySelectorAll("[data-step]")) button.dataset.steps = field.id;
    const fate = document.querySelector(`[data-fate-of="${place.dataset.play}"]`)?.dataset.fate ?? "";
    const word = wordFor(field, fate);
    for (const kind of ["worth", "others"]) {
      const said = document.querySelector(`[data-${kind}-of="${place.dataset.play}"]`);
      place.querySelector(`.na-play__${kind}`).replaceChildren(...(said?.cloneNode(true).childNodes ?? []));
    }
    place.querySelector(".na-play__amount").textContent = field.value || "–";
    place.querySelector(".na-play__word").textContent = word;
    place.dataset.fate = fate;
    place.toggleAttribute("data-unsent", word.startsWith("unsent"));
  }
}

function show() {
  showFates();
  showPlay();
}

document.addEventListener("input", (event) => event.target.matches("[data-bid-on]") && show());

document.addEventListener("genius:lot-chosen", (event) => {
  for (const field of document.querySelectorAll("[data-bid-on]")) {
    field.toggleAttribute("data-first-field", field.dataset.bidOn === event.detail);
  }
});

// -- what if -------------------------------------------------------------------------------------

// Ticks these numbers and no others; the form then asks what they score.
function tick(fields, numbers) {
  const wanted = new Set(numbers.split(" "));
  for (const box of fields.querySelectorAll("input[type=checkbox]")) box.checked = wanted.has(box.value);
  fire(fields, "input");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-try]");
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  const fields = link.closest("fieldset") ?? link.closest("details").querySelector("fieldset");
  const { tokensLeft } = link.dataset;
  if (tokensLeft !== undefined) fields.querySelector('[name="tokens"]').value = tokensLeft;
  tick(fields, link.dataset.try);
});

// -- an answer or a push has changed fields, tokens or the round ----------------------------------

let knownRound;

// Results for bids of the last round are removed. Pushes do not change the what-if; in a new round it starts again with
// the player's present numbers.
function beginRound(whatIf) {
  document.querySelector("#answer [data-said]")?.remove();
  tick(whatIf.querySelector("fieldset"), whatIf.dataset.mine);
}

function keepUp() {
  show();
  const whatIf = document.getElementById("what-if");
  const round = whatIf?.dataset.round;
  if (round === knownRound) return;
  if (round !== undefined && knownRound !== undefined) beginRound(whatIf);
  knownRound = round;
}

watch(document.getElementById("part-act"), keepUp, "value", "data-sealed", "data-fates", "data-round");
keepUp();

// -- the board: its height -------------------------------------------------------------------------

function settleBoard() {
  const board = document.querySelector("#board.na-numbers");
  if (!board) return;
  keepHeight(board.closest(".na-table"));
  if (document.querySelector("[data-play]:empty") && fieldOf(document.querySelector("[data-play]").dataset.play)) showPlay();
}

// The result is lower than the tiles of a long last round. Who looks on when it comes keeps a felt of that height, so that
// nothing moves. The browser tells the size after each layout: nobody has to ask for one.
const size = {};

const sizes = new ResizeObserver(([{ target, contentRect: { width, height } }]) => {
  if (size.width !== width) target.style.minHeight = "";
  Object.assign(size, { width, height });
});

function keepHeight(table) {
  const isOpen = Boolean(document.getElementById("now"));
  if (size.isOpen && !isOpen) table.style.minHeight = `${size.height}px`;
  size.isOpen = isOpen;
  sizes.observe(table);
}

watch(document.getElementById("part-board"), settleBoard, "data-state");
settleBoard();

// -- all numbers ---------------------------------------------------------------------------------

function tell(number) {
  const place = document.getElementById("told");
  const parts = [...number.querySelectorAll(".na-number__value, .mark__name, .na-number__words")];
  const mine = number.querySelector(".only-mine");
  if (mine?.checkVisibility()) parts.push({ innerText: mine.dataset.mine });
  if (place) place.textContent = parts.map((part) => part.innerText.trim()).join(" ").replace(/ (?=[,:])/g, "");
}

for (const kind of ["focusin", "mouseover"]) {
  document.addEventListener(kind, (event) => {
    const number = event.target.closest?.("#board [data-lot]");
    if (number) tell(number);
  });
}
