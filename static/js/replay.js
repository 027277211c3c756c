// Steers the replay of a match: step, play and jump. Without this script its links show one moment after another.
//
// Reads   #replay with data-number (from 1), data-count, data-roll (frames in a roll), data-row (of the log) and
//           data-frames, the address of the rolls
//         [data-replay-to] links, [data-replay-here] a link and [data-replay-row] a field of the moment that is shown
// Asks    data-frames with roll=2 for roll=-: [{row, at, when, told: [text], parts: {name: html | splices}}, …]; the first frame
//           of a roll is whole, the others say what is different: [[in which line, cut before each "<", from
//           which piece on, how many are replaced, [by these]], …]; goes into #part-<name>
// Tells   document event "genius:stand-still": the time of the moment
// Keys    ← → one moment, Page Up and Page Down ten, Home and End, space: play or pause

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
const CUT = /(?=<)/;
const FRAGMENT = /^<[a-z]+ data-fragment id="([\w-]+)"/; // an element that has a line of its own
const OURS = new Set(["open", "tabindex", "title"]); // what the reader and other scripts have set

let place = Number(root.dataset.number) - 1;
let row = root.dataset.row;
let now = find("replay-when").dateTime;
const shown = new Map(); // part -> its lines, as far as this script has written them
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

// The lines of every part at a place of a roll. Those of the frame before are used where they are known.
let last = { number: -1, index: -1, lines: new Map() };

function linesAt(roll, number, index) {
  const goesOn = last.number === number && last.index <= index;
  const lines = new Map(goesOn ? last.lines : []);
  for (let each = goesOn ? last.index + 1 : 0; each <= index; each += 1) {
    for (const [name, change] of Object.entries(roll[each].parts)) lines.set(name, changed(lines.get(name), change));
  }
  last = { number, index, lines };
  return lines;
}

function changed(before, change) {
  if (typeof change === "string") return change.split("\n");
  const lines = [...before];
  // From the last on: the places are those in the old line.
  for (const [line, start, replaced, by] of [...change].reverse()) {
    const pieces = lines[line].split(CUT);
    pieces.splice(start, replaced, ...by);
    lines[line] = pieces.join("");
  }
  return lines;
}

// -- what is shown -------------------------------------------------------------------------------

const outOfSight = new Set(); // parts
const waiting = new Map(); // part -> its lines, which nobody can see yet

function write(name, lines) {
  waiting.delete(name);
  const target = find(`part-${name}`);
  if (shown.get(name) === lines || !target) return;
  if (playing && outOfSight.has(name)) {
    waiting.set(name, lines);
    return;
  }
  const before = shown.get(name);
  shown.set(name, lines);
  const places = before && fragmentsThatDiffer(before, lines);
  if (places) places.forEach(([element, line]) => patch(element, parsed(line).firstChild));
  else patchChildren(target, parsed(lines.join("\n")));
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Elements and their new lines, where two versions of a part differ in fragments alone: then only these are read again.
function fragmentsThatDiffer(before, after) {
  if (before.length !== after.length) return null;
  const found = [];
  for (const [index, line] of after.entries()) {
    if (before[index] === line) continue;
    const [opening, id] = FRAGMENT.exec(line) ?? [];
    const element = id && before[index].startsWith(opening) ? find(id) : null;
    if (!element) return null;
    found.push([element, line]);
  }
  return found;
}

// What nobody sees need not follow while it plays: it is there when one scrolls to it, and when it stands still.
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    const name = target.id.replace("part-", "");
    // What has no height now may get one.
    if (isIntersecting || !boundingClientRect.height) {
      outOfSight.delete(name);
      if (waiting.has(name)) write(name, waiting.get(name));
    } else outOfSight.add(name);
  }
}, { rootMargin: "50%" });
document.querySelectorAll('[id^="part-"]').forEach((part) => sight.observe(part));

// Only what is different is touched: all else need not be styled, laid out and painted sixty times a second.
function patchChildren(element, made) {
  const [before, after] = [[...element.childNodes], [...made.childNodes]];
  if (before.length === after.length) {
    before.forEach((node, index) => patch(node, after[index]));
    return;
  }
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start].isEqualNode(after[start])) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end).isEqualNode(after.at(-1 - end))) end += 1;
  const behind = before[before.length - end] ?? null;
  before.slice(start, before.length - end).forEach((node) => node.remove());
  after.slice(start, after.length - end).forEach((node) => element.insertBefore(node, behind));
}

function patch(node, made) {
  if (node.isEqualNode(made)) return;
  if (node.nodeName !== made.nodeName) node.replaceWith(made);
  else if (node.nodeType === Node.ELEMENT_NODE) patchElement(node, made);
  else node.data = made.data;
}

function patchElement(element, made) {
  for (const { name } of [...element.attributes]) {
    if (!made.hasAttribute(name) && !OURS.has(name)) element.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  patchChildren(element, made);
}

function tellTime() {
  if (now) document.dispatchEvent(new CustomEvent("genius:stand-still", { detail: now }));
}

async function show(index) {
  wanted = Math.min(Math.max(index, 0), count - 1);
  const number = Math.floor(wanted / rollSize);
  let roll;
  try {
    roll = await rollOf(number);
  } catch {
    pause();
    caption.textContent = "We could not load this moment. Try again in a while.";
    return;
  }
  if (Math.floor(wanted / rollSize) !== number) return; // somebody has gone elsewhere meanwhile
  const frame = roll[wanted % rollSize];
  if (wanted !== place) {
    place = wanted;
    ({ row, at: now } = frame);
    for (const [name, lines] of linesAt(roll, number, place % rollSize)) write(name, lines);
    writeCaption(frame);
    tellTime();
  }
  ahead(number + 1);
}

function ahead(number) {
  if (number * rollSize < count) rollOf(number).catch(() => {});
}

function writeCaption(frame) {
  const when = document.createElement("time");
  when.id = "replay-when";
  when.dateTime = frame.at;
  when.textContent = frame.when;
  const told = document.createElement("ul");
  told.id = "replay-told";
  told.className = "replay__told";
  told.append(...frame.told.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
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
  if (root.dataset.frames) here.searchParams.set("at", row);
  else here.hash = `at=${row}`;
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
  waiting.forEach((lines, name) => write(name, lines));
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
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
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
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
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
