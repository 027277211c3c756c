// Keys: on the board of a match, and in rows of links.
//
// Reads   [data-board] with data-columns="4" and, if its edges meet, data-wrap     a board
//         [data-lot="Z"] inside it, in reading order                               its lots
//         #keys[popover]                                                           the list of keys
//         [data-one-stop=".link"]                                                  a row of links, and which are in it
// Arrows move from lot to lot, Home and End to the ends of a row; one lot at a time is in the tab order.
// A row of links is one stop for Tab, too: between a page's head and its form there would be twenty.
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

// -- rows of links ---------------------------------------------------------------------------------------

const lastLink = new WeakMap();
const linksOf = (row) => [...row.querySelectorAll(row.dataset.oneStop)].filter((link) => link.checkVisibility());

function settleRow(row) {
  const links = linksOf(row);
  const current = links.includes(lastLink.get(row)) ? lastLink.get(row) : links[0];
  for (const link of links) link.tabIndex = link === current ? 0 : -1;
}

const settleRows = () => document.querySelectorAll("[data-one-stop]").forEach(settleRow);

function moveInRow(event) {
  const row = event.target.closest("[data-one-stop]");
  const links = row && event.target.matches(row.dataset.oneStop) ? linksOf(row) : [];
  const at = links.indexOf(event.target);
  const end = links.length - 1;
  const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: end }[event.key];
  if (at < 0 || next === undefined) return false;
  links.at(next > end ? 0 : next).focus();
  return true;
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
  if (move(event) || moveInRow(event) || open(event) || help(event)) event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  const row = event.target.closest("[data-one-stop]");
  if (row && event.target.matches(row.dataset.oneStop)) {
    lastLink.set(row, event.target);
    settleRow(row);
  }
  const lot = event.target.closest("[data-lot]");
  const board = lot?.closest("[data-board]");
  if (!board) return;
  lastLot.set(nameOf(board), lot.dataset.lot);
  settleTabOrder(board);
});

new MutationObserver(settleAll).observe(document.body, { subtree: true, childList: true });
settleAll();

// Which links are shown depends on the window, on a menu that is open, and on a notice that takes their place. They are
// asked once the page is laid out anyway, which a notice would otherwise make it do at once.
const settleRowsSoon = () => requestAnimationFrame(() => setTimeout(settleRows));
document.addEventListener("toggle", settleRows, true);
document.addEventListener("genius:told", settleRowsSoon);
window.addEventListener("resize", settleRows);
settleRowsSoon();
