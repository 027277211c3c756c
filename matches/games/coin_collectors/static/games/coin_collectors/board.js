// Counts while the player types bids: the coins left of each kind, and how much of the limits is used (the server
// checks what is sent). Leads from a card to the bid on it.
//
// Reads   .coins-form with data-gold, data-silver, data-bronze, data-auction-limit, data-bid-limit
//         [data-bid-on] with input[data-coin]      the player's bid on an auction; data-sealed: what the server has taken
//         [data-tray-row]                          an item: its box, and what it is used on ([data-target])
//         input[data-lift]                         the boxes that lift a limit
//         [data-unsent-on], [data-add-to]          on a card: get what is not sent yet (or what is sealed), and coins to add
//                                                  to it, from template#adding
//         [data-board] [data-lot]                  a card: choosing it leads to the bid on that auction
//         #calculator[data-round] a[data-prize]    asks with the prize of an auction; the calculator takes it, and the bid on it
// Writes  [data-left] with one .amount for each coin, [data-taken], [data-count]

import { counted, fire, isPlain, make, watch } from "../../js/site.js";

const COINS = ["gold", "silver", "bronze"];
const LIFTED_BY = { lift_auction_limit: "wide_net", lift_bid_limit: "deep_pockets" };

const form = () => document.querySelector(".coins-form");
const numberIn = (input) => Math.max(0, Math.trunc(Number(input.value)) || 0);

function isLifted(place, flag) {
  const box = place.querySelector(`[data-lift="${flag}"]`);
  return Boolean(box?.checked || place.querySelector(`[data-tray-row] input[value="${LIFTED_BY[flag]}"]:checked`));
}

function countOn(fieldset, limit) {
  const total = [...fieldset.querySelectorAll("[data-coin]")].reduce((sum, input) => sum + numberIn(input), 0);
  const text = limit === null ? String(total) : `${total}/${limit}`;
  write(fieldset.querySelector("[data-count]"), total ? text : "", limit !== null && total > limit);
  return total;
}

function write(place, text, isOver) {
  if (place.textContent !== text) place.textContent = text;
  place.toggleAttribute("data-over", isOver);
}

function countLeft(place) {
  const amounts = place.querySelectorAll("[data-left] .amount");
  COINS.forEach((coin, number) => {
    const bid = [...place.querySelectorAll(`[data-coin="${coin}"]`)].reduce((sum, input) => sum + numberIn(input), 0);
    const left = Number(place.dataset[coin]) - bid;
    write(amounts[number].querySelector(".number"), left < 0 ? `−${-left}` : String(left), left < 0);
    for (const plus of document.querySelectorAll(`[data-more="${coin}"], .coin-field:has([data-coin="${coin}"]) [data-step="1"]`)) {
      if (plus.disabled !== left <= 0) plus.disabled = left <= 0;
    }
  });
}

// -- the same bids on the cards ---------------------------------------------------------------------

const bidOn = (auction) => document.querySelector(`.coins-form [data-bid-on="${CSS.escape(auction)}"]`);

const iconOf = (field) => field.closest(".coin-field").querySelector(".icon").cloneNode(true);

function showAdding(place) {
  const bid = bidOn(place.dataset.addTo);
  if (!bid) place.replaceChildren();
  else if (!place.firstElementChild) place.append(document.getElementById("adding").content.cloneNode(true));
  for (const button of place.querySelectorAll("[data-step]")) {
    const field = bid.querySelector(`[data-coin="${button.dataset.less ?? button.dataset.more}"]`);
    button.dataset.steps = field.id;
    if (button.dataset.less) button.hidden = !numberIn(field);
  }
}

function showUnsent(place) {
  const fields = [...(bidOn(place.dataset.unsentOn)?.querySelectorAll("[data-coin]") ?? [])];
  const isUnsent = fields.some((field) => numberIn(field) !== Number(field.dataset.sealed));
  const shown = fields.filter(numberIn).flatMap((field) => [iconOf(field), String(numberIn(field))]);
  const word = make("span", { textContent: isUnsent ? `unsent${shown.length ? "" : ": nothing"}` : "sealed" });
  place.replaceChildren(...(isUnsent || shown.length ? [...shown, word] : []));
  place.toggleAttribute("data-unsent", isUnsent);
}

function showCards() {
  document.querySelectorAll("[data-unsent-on]").forEach(showUnsent);
  document.querySelectorAll("[data-add-to]").forEach(showAdding);
}

// -- one stop for the Tab key for each auction; arrows move between its coins ------------------------

function settleTabs() {
  for (const bid of document.querySelectorAll(".coins-form [data-bid-on]")) {
    const fields = [...bid.querySelectorAll("[data-coin]")];
    const current = fields.find((field) => field === document.activeElement) ?? fields.find((field) => field.tabIndex === 0 && field.hasAttribute("tabindex")) ?? fields[0];
    for (const field of fields) {
      const index = field === current ? "0" : "-1";
      if (field.getAttribute("tabindex") !== index) field.setAttribute("tabindex", index);
    }
  }
}

document.addEventListener("focusin", (event) => event.target.matches(".coins-form [data-coin]") && settleTabs());
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !event.target.matches?.(".coins-form [data-coin]")) return;
  const fields = [...event.target.closest("[data-bid-on]").querySelectorAll("[data-coin]")];
  const next = fields[fields.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
});

function count() {
  const place = form();
  showCards();
  if (!place) return;
  const bidLimit = isLifted(place, "lift_bid_limit") ? null : Number(place.dataset.bidLimit);
  const limit = isLifted(place, "lift_auction_limit") ? null : Number(place.dataset.auctionLimit);
  const taken = [...place.querySelectorAll("[data-bid-on]")].filter((each) => countOn(each, bidLimit)).length;
  const text = limit === null ? counted(taken, "auction") : `${taken} of ${counted(limit, "auction")}`;
  write(place.querySelector("[data-taken]"), text, limit !== null && taken > limit);
  countLeft(place);
  settleTabs();
}

// Choosing a target means using the item; unticking the item clears its target.
function settleTray(changed) {
  const row = changed.closest("[data-tray-row]");
  if (!row) return;
  const box = row.querySelector("input[type=checkbox]");
  const targets = [...row.querySelectorAll("[data-target]")];
  if (changed === box && !box.checked) for (const target of targets) target.value = "";
  else if (changed !== box && targets.some((target) => target.value !== "")) box.checked = true;
}

document.addEventListener("input", (event) => {
  if (!event.target.closest(".coins-form")) return;
  count();
  follow();
});
document.addEventListener("change", (event) => {
  if (!event.target.closest(".coins-form")) return;
  settleTray(event.target);
  count();
});

// Opens the sheet for a card: match.js does not, because no field here contains a card's name.
document.addEventListener("click", (event) => {
  const lot = event.target.closest("[data-board] [data-lot]");
  if (!lot || !isPlain(event)) return;
  const bid = document.querySelector(`[data-bid-on="${CSS.escape(lot.dataset.lot)}"]`);
  if (!bid) return;
  const sheet = document.getElementById("act");
  if (getComputedStyle(sheet).display === "none") sheet.showPopover();
  bid.scrollIntoView({ block: "nearest" });
  bid.querySelector("[data-coin]").focus();
});

// -- the calculator: a prize, and the player's own unsent bid on it; what was typed for others stays --------

const calculator = () => document.getElementById("calculator");
let calculated; // the auction whose prize it has taken

function takeBid(place, auction) {
  const typed = document.querySelector(`.coins-form [data-bid-on="${CSS.escape(auction)}"]`);
  const mine = place.querySelector(`tr[data-owner="${document.querySelector("[data-me]").dataset.me}"]`);
  for (const field of mine?.querySelectorAll("[data-bids]") ?? []) {
    field.value = typed?.querySelector(`[data-coin="${field.dataset.bids}"]`)?.value ?? "";
  }
}

function takePrize(link) {
  const place = calculator();
  const prize = new URL(link.href).searchParams;
  const fields = [...place.querySelectorAll('[name^="prize["]')];
  for (const field of fields) field.value = prize.get(field.name) ?? "";
  calculated = link.dataset.prize;
  takeBid(place, calculated);
  fire(fields[0], "input");
}

function follow() {
  if (!calculator()?.open || calculated === undefined) return;
  takeBid(calculator(), calculated);
  fire(calculator().querySelector("[data-bids]"), "input");
}

// It begins with the first auction that an unsent bid is on.
function begin(place) {
  const first = [...document.querySelectorAll(".coins-form [data-bid-on]")].find((each) =>
    [...each.querySelectorAll("[data-coin]")].some(numberIn),
  );
  const links = [...place.querySelectorAll("a[data-prize]")];
  takePrize(links.find((link) => link.dataset.prize === first?.dataset.bidOn) ?? links[0]);
}

document.addEventListener("toggle", (event) => event.target.id === "calculator" && event.target.open && calculated === undefined && begin(event.target), true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-prize]");
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  takePrize(link);
});

// In a new round it starts again.
let knownRound;
function keepUp() {
  count();
  const place = calculator();
  const round = place?.dataset.round;
  if (round === knownRound) return;
  calculated = undefined;
  if (round !== undefined && knownRound !== undefined) {
    for (const field of place.querySelectorAll("[data-bids]")) field.value = "";
    if (place.open) begin(place);
  }
  knownRound = round;
}

// -- the board: a round's coins fall onto its cards ---------------------------------------------------
let knownCards;

function settleCards() {
  const cards = document.querySelector("#board .coins__auctions");
  if (!cards) {
    knownCards = ""; // those of the first round are still to come
    return;
  }
  const names = [...cards.children].map((card) => card.id).join(" ");
  if (names === knownCards) return;
  showCards();
  if (knownCards !== undefined) for (const card of cards.children) card.classList.add("coins__auction--new");
  knownCards = names;
}

watch(document.getElementById("part-act"), keepUp, "value", "checked", "data-sealed", "data-gold", "data-silver", "data-bronze");
watch(document.getElementById("part-board"), settleCards, "data-phase");
keepUp();
settleCards();
