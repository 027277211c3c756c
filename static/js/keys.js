// Keys: on the board of a match.
//
// Reads   [data-board] with data-columns="4" and, if its edges meet, data-wrap     a board
//         [data-lot="Z"] inside it, in reading order                               its lots
//         #keys[popover]                                                           the list of keys
// Arrows move from lot to lot, Home and End to the ends of a row; one lot at a time is in the tab order.
// Enter opens the lot (its own link or button, else the first [data-lot-open] inside it).
// `?` lists the keys. Esc closes popovers and dialogs, which browsers do themselves.

const lotsOf = (board) => [...board.querySelectorAll("[data-lot]")];

// By board and lot name, because a swap may have replaced the elements.
const lastLot = new Map();
const nameOf = (board) => board.id || "board";

function settleTabOrder(board) {
  const lots = lotsOf(board);
  if (!lots.length) return;
  const wanted = lastLot.get(nameOf(board));
  const current = lots.find((lot) => lot.dataset.lot === wanted) ?? lots[0];
  for (const lot of lots) {
    const index = lot === current ? "0" : "-1";
    if (lot.getAttribute("tabindex") !== index) lot.setAttribute("tabindex", index);
  }
}

function settleAll() {
  document.querySelectorAll("[data-board]").forEach(settleTabOrder);
}

function step(position, key, columns, count, wraps) {
  const row = Math.floor(position / columns);
  const column = position % columns;
  const rows = Math.ceil(count / columns);
  const rowLength = Math.min(columns, count - row * columns);
  const turn = (value, size) => (wraps ? (value + size) % size : Math.min(Math.max(value, 0), size - 1));
  switch (key) {
    case "ArrowLeft":
      return row * columns + turn(column - 1, rowLength);
    case "ArrowRight":
      return row * columns + turn(column + 1, rowLength);
    case "ArrowUp":
      return Math.min(turn(row - 1, rows) * columns + column, count - 1);
    case "ArrowDown":
      return Math.min(turn(row + 1, rows) * columns + column, count - 1);
    case "Home":
      return row * columns;
    case "End":
      return row * columns + rowLength - 1;
    default:
      return null;
  }
}

function move(event) {
  const lot = event.target.closest("[data-lot]");
  const board = lot?.closest("[data-board]");
  if (!board || event.target.closest("input, select, textarea")) return false;
  const lots = lotsOf(board);
  const columns = Number(board.dataset.columns) || lots.length;
  const next = step(lots.indexOf(lot), event.key, columns, lots.length, "wrap" in board.dataset);
  if (next === null) return false;
  lots[next].focus();
  return true;
}

function open(event) {
  const lot = event.target;
  if (event.key !== "Enter" || !lot.matches?.("[data-lot]") || lot.matches("a[href], button")) return false;
  const opener = lot.querySelector("[data-lot-open]");
  opener?.click();
  return Boolean(opener);
}

// -- the page ----------------------------------------------------------------------------------------------

function help(event) {
  if (event.key !== "?" || event.target.closest("input, select, textarea, [contenteditable]")) return false;
  const list = document.getElementById("keys");
  list?.togglePopover();
  return Boolean(list);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (move(event) || open(event) || help(event)) event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  const lot = event.target.closest("[data-lot]");
  const board = lot?.closest("[data-board]");
  if (!board) return;
  lastLot.set(nameOf(board), lot.dataset.lot);
  settleTabOrder(board);
});

new MutationObserver(settleAll).observe(document.body, { subtree: true, childList: true });
settleAll();
