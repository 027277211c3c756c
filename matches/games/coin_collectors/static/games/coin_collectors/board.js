// Counts while the player types bids: the coins left of each kind, and how much of the limits is used (the server
// checks what is sent). Leads from a card to the bid on it.
//
// Reads   .coins-form with data-gold, data-silver, data-bronze, data-auction-limit, data-bid-limit
//         [data-bid-on] with input[data-coin]      the player's bid on an auction
//         [data-tray-row]                          an item: its box, and what it is used on ([data-target])
//         input[data-lift]                         the boxes that lift a limit
//         [data-board] [data-lot]                  a card: choosing it leads to the bid on that auction
//         a[data-prize]                            a link that asks with the prize of an auction; the calculator beside it
//                                                  takes that prize
// Writes  [data-left] with one .amount for each coin, [data-taken], [data-count]

const COINS = ["gold", "silver", "bronze"];
const LIFTED_BY = { lift_auction_limit: "wide_net", lift_bid_limit: "deep_pockets" };

const form = () => document.querySelector(".coins-form");
const numberIn = (input) => Math.max(0, Math.trunc(Number(input.value)) || 0);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function isLifted(place, flag) {
  const box = place.querySelector(`[data-lift="${flag}"]`);
  return Boolean(box?.checked || place.querySelector(`[data-tray-row] input[value="${LIFTED_BY[flag]}"]:checked`));
}

function countOn(fieldset, limit) {
  const total = [...fieldset.querySelectorAll("[data-coin]")].reduce((sum, input) => sum + numberIn(input), 0);
  const text = limit === null ? plural(total, "coin") : `${total} of ${plural(limit, "coin")}`;
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
  });
}

function count() {
  const place = form();
  if (!place) return;
  const bidLimit = isLifted(place, "lift_bid_limit") ? null : Number(place.dataset.bidLimit);
  const limit = isLifted(place, "lift_auction_limit") ? null : Number(place.dataset.auctionLimit);
  const taken = [...place.querySelectorAll("[data-bid-on]")].filter((each) => countOn(each, bidLimit)).length;
  const text = limit === null ? plural(taken, "auction") : `${taken} of ${plural(limit, "auction")}`;
  write(place.querySelector("[data-taken]"), text, limit !== null && taken > limit);
  countLeft(place);
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

document.addEventListener("input", (event) => event.target.closest(".coins-form") && count());
document.addEventListener("change", (event) => {
  if (!event.target.closest(".coins-form")) return;
  settleTray(event.target);
  count();
});

// Opens the sheet for a card: act.js does not, because no field here contains a card's name.
document.addEventListener("click", (event) => {
  const lot = event.target.closest("[data-board] [data-lot]");
  if (!lot || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const bid = document.querySelector(`[data-bid-on="${CSS.escape(lot.dataset.lot)}"]`);
  if (!bid) return;
  const sheet = document.getElementById("act");
  if (getComputedStyle(sheet).display === "none") sheet.showPopover();
  bid.scrollIntoView({ block: "nearest" });
  bid.querySelector("[data-coin]").focus();
});

// The calculator takes the prize, and keeps the bids that were typed.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-prize]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const prize = new URL(link.href).searchParams;
  const fields = [...link.closest(".calculator").querySelectorAll('[name^="prize["]')];
  for (const field of fields) field.value = prize.get(field.name) ?? "";
  fields[0].dispatchEvent(new Event("input", { bubbles: true }));
});

// Arrows move between cards as they are laid out, which depends on the screen's width.
function settleColumns() {
  const board = document.getElementById("board");
  const cards = board?.querySelector(".coins__auctions");
  if (!cards) return;
  const columns = String(getComputedStyle(cards).gridTemplateColumns.split(" ").length);
  if (board.dataset.columns !== columns) board.dataset.columns = columns;
}

window.addEventListener("resize", settleColumns);

function watch(id, whenever, options) {
  const place = document.getElementById(id);
  if (place) new MutationObserver(whenever).observe(place, { subtree: true, childList: true, ...options });
  whenever();
}

watch("part-act", count, { attributes: true, attributeFilter: ["value", "checked", "data-gold", "data-silver", "data-bronze"] });
watch("part-board", settleColumns, { attributes: true, attributeFilter: ["data-columns"] });
