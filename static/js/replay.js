// Steers the replay of a match: step, play and jump. Without this script its links show one moment after another.
//
// Reads   #replay with data-number (from 1), data-count, data-roll (frames in a roll), data-row (of the log) and
//           data-frames, the address of the rolls
//         [data-replay-to] links, [data-replay-here] a link and [data-replay-row] a field of the moment that is shown
// Asks    data-frames with roll=2 for roll=-: [{row, at, when, told: [text], parts: {name: html}}, …]; the first frame
//           of a roll is whole, the others have the parts that are different; they go into #part-<name>
// Tells   document event "genius:stand-still": the time of the moment
// Keys    ← → one moment, Page Up and Page Down ten, Home and End, space: play or pause

import { put } from "./live.js";
import { isPlain, make, tell } from "./site.js";

const root = document.getElementById("replay");
const find = (id) => document.getElementById(id);
const button = find("replay-play");
const slider = find("replay-slider");
const speed = find("replay-speed");
const caption = find("replay-caption");

const count = Number(root.dataset.count);
const rollSize = Number(root.dataset.roll);
const TEN = 10;
const SETTLED_MS = 300;

let place = Number(root.dataset.number) - 1;
let row = root.dataset.row;
let now = find("replay-when").dateTime;
const shown = new Map(); // part -> its text, as far as this script has written it
let wanted = place;
let playing = false;
let settling = null;

// -- frames --------------------------------------------------------------------------------------

const rolls = new Map();

function rollOf(number) {
  if (!rolls.has(number)) {
    const found = load(number);
    found.catch(() => rolls.delete(number));
    rolls.set(number, found);
  }
  return rolls.get(number);
}

async function load(number) {
  const answer = await fetch(root.dataset.frames.replace("roll=-", `roll=${number}`));
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

// -- what is shown -------------------------------------------------------------------------------

async function write([name, html]) {
  if (shown.get(name) === html) return;
  shown.set(name, html);
  await put(find(`part-${name}`), html);
}

const tellTime = () => now && tell("stand-still", now);

async function show(index) {
  wanted = Math.min(Math.max(index, 0), count - 1);
  const number = Math.floor(wanted / rollSize);
  let roll;
  try {
    roll = await rollOf(number);
  } catch {
    pause();
    caption.textContent = "We could not load this moment. Try again later.";
    return;
  }
  if (Math.floor(wanted / rollSize) !== number) return; // somebody has gone elsewhere meanwhile
  const frame = roll[wanted % rollSize];
  if (wanted !== place) {
    place = wanted;
    ({ row, at: now } = frame);
    const parts = Object.assign({}, ...roll.slice(0, (place % rollSize) + 1).map((each) => each.parts));
    await Promise.all(Object.entries(parts).map(write));
    writeCaption(frame);
    tellTime();
  }
  ahead(number + 1);
}

function ahead(number) {
  if (number * rollSize < count) rollOf(number).catch(() => {});
}

function writeCaption(frame) {
  const when = make("time", { id: "replay-when", className: "soft", dateTime: frame.at, textContent: frame.when });
  const told = make("ul", { id: "replay-told", className: "replay__told" });
  told.append(...frame.told.map((textContent) => make("li", { textContent })));
  caption.replaceChildren(when, told);
  slider.value = place + 1;
  find("replay-place").textContent = `${place + 1} of ${count}`;
  slider.setAttribute("aria-valuetext", `Moment ${place + 1} of ${count}`);
  settleLinks();
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED_MS);
}

// What need not follow each of sixty moments a second.
function settle() {
  caption.scrollTop = 0; // for which all must be laid out
  const here = new URL(location.href);
  here.searchParams.set("at", row);
  history.replaceState(history.state, "", here);
  document.querySelectorAll("[data-replay-here]").forEach((link) => (link.href = here.href));
  document.querySelectorAll("[data-replay-row]").forEach((field) => (field.value = row));
}

function settleLinks() {
  const ends = { first: place === 0, previous: place === 0, next: place === count - 1, last: place === count - 1 };
  document.querySelectorAll("[data-replay-to]").forEach((link) => {
    link.toggleAttribute("aria-disabled", ends[link.dataset.replayTo]);
  });
}

// -- playing -------------------------------------------------------------------------------------

function label() {
  button.textContent = playing ? "Pause" : "Play";
  // While it plays, a screen reader would read without an end.
  caption.setAttribute("aria-live", playing ? "off" : "polite");
}

function pause() {
  playing = false;
  label();
}

async function play() {
  playing = true;
  label();
  if (place === count - 1) await show(0);
  let since = performance.now();
  const next = async (time) => {
    if (!playing) return;
    const steps = Math.floor(((time - since) * Number(speed.value)) / 1000);
    if (steps > 0) {
      since += (steps * 1000) / Number(speed.value); // what is over belongs to the next one
      await show(place + steps);
      if (place === count - 1) pause();
    }
    if (playing) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

const toggle = () => (playing ? pause() : play());

function go(index) {
  pause();
  show(index);
}

const targets = {
  first: () => 0,
  previous: () => wanted - 1,
  next: () => wanted + 1,
  last: () => count - 1,
};

button.addEventListener("click", toggle);
slider.addEventListener("input", () => go(Number(slider.value) - 1));
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-replay-to]");
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  go(targets[link.dataset.replayTo]());
});

const keys = {
  ArrowLeft: () => go(wanted - 1),
  ArrowRight: () => go(wanted + 1),
  PageUp: () => go(wanted - TEN),
  PageDown: () => go(wanted + TEN),
  Home: () => go(0),
  End: () => go(count - 1),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || !isPlain(event)) return;
  const taken = event.key === " " ? "a, button, summary, input, select, textarea" : "input, select, textarea, [data-lot]";
  const key = keys[event.key];
  if (!key || event.target.closest(taken)) return;
  event.preventDefault();
  key();
});

[button, slider, speed].forEach((each) => (each.hidden = false));
tellTime();
label();
settleLinks();
slider.setAttribute("aria-valuetext", `Moment ${place + 1} of ${count}`);

rollOf(Math.floor(place / rollSize)).catch(() => {});
