// Keeps the page up to date with the server, and says when it cannot.
//
// Reads   <body data-ws-me="/ws/me/?format=html">     the viewer's notices; they go into #notices and #bell
//         [data-live="/ws/matches/…/?format=html"] with data-version, data-private-version and
//           data-parts="/matches/…/parts/"            a board; its parts go into #part-<name>, and a piece of one
//                                                     ([data-fragment], alone in what it is in) in place of #<name>
//         data-own-part on it                     of which part of the match the player's own parts are
//         [data-texts='{"board": "0a…"}'] on both     checksums of the texts that the page was made of
//         [data-hints="/ws/…/?format=hints"]          a page beside a board, or a host's, which hears hints alone
// Frames  {version, parts: {name: html}, private_version, private_parts, now}, {error},
//         own_part among the private parts: as data-own-part, where it has changed,
//         texts: in a whole frame, the checksums of the texts in it
//         {notices, bell, said, sound, now}: what #notices and #bell show now (site.js knows the others),
//         {hint: {of, match, …}}: there is something to ask for, as other scripts know
//         {present: [handle]}: who has this match open, as match.js shows
// Tells   document events "genius:server-time", "genius:announce" (see clock.js, site.js), "genius:hint",
//           "genius:present" (null: nobody knows now), "genius:told" (site.js) and, whenever a connection is there, "genius:connected", detail: {again}
//
// The first frame has everything; what the page was made of already is not put into it again.
// A part is the whole content of its element. Frames may skip versions (the server merges changes of the same moment)
// but never go back. After a lost connection (a sleeping laptop) the page asks for the present parts.

import { make, tell } from "./site.js";

const SECOND = 1000;
const FIRST_DELAY = 0.5 * SECOND;
const LONGEST_DELAY = 30 * SECOND;
const PING_EVERY = 30 * SECOND;
const ANSWER_WITHIN = 10 * SECOND;
const SLEPT = 5 * SECOND;
const GRACE = 2 * SECOND;
const POLL_EVERY = 10 * SECOND;
const AFTER_A_DEADLINE = 1.5 * SECOND;
const FAILURES_UNTIL_POLLING = 3;

const CODE = { badRequest: 4400, signedOut: 4401, notFound: 4404, renew: 4408 };

const heardNow = (frame) => frame.now && tell("server-time", frame.now);

// -- inserting parts --------------------------------------------------------------------------------------

// What the reader opened and what our scripts wrote is not in the server's parts, so it is kept.
const OURS = new Set(["open", "tabindex", "data-urgency", "title", "style"]);

// A browser lets a field that a script has filled keep its text when the attribute goes; it should follow what is served
// as long as it shows that, and nothing that was typed.
function emptyWithItsAttribute(field, attrName) {
  const isText = attrName === "value" && field.matches("input:not([type=checkbox], [type=radio])");
  if (isText && field.value === field.defaultValue) field.value = "";
}

// htmx asks extensions about attributes; there is no event for this.
globalThis.htmx?.registerExtension("ours", {
  htmx_before_morph_attr: (element, { attrName, newValue }) => {
    if (newValue !== null) return true;
    emptyWithItsAttribute(element, attrName);
    return !OURS.has(attrName);
  },
});

export async function put(place, html, swap = "innerMorph") {
  if (!place) return;
  if (html === "") place.replaceChildren();
  else await htmx.swap({ sourceElement: place, target: place, swap, text: html, transition: false });
}

// All of it is another, but what the reader has opened stays open, and the field that they were in has the focus.
function replaceContent(place, html) {
  const open = [...place.querySelectorAll("details[open][id]")].map((each) => each.id);
  const focused = place.contains(document.activeElement) && document.activeElement.name;
  place.innerHTML = html;
  htmx.process(place);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) place.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// The forms of another round, and what counts in it, are others: they take the place of those before, which move nowhere.
// So does what a pause shows instead of them.
const REPLACED = ["act", "panel"];

// What everybody sees comes in a frame of its own, before or after those with the player's parts.
async function putAll(root, { parts, private_parts: own }) {
  const { status, own_part: part = root.dataset.ownPart, ...others } = { ...parts, ...own };
  const isAnother = part !== root.dataset.ownPart;
  if (status !== undefined) await put(document.getElementById("part-status"), status);
  for (const [name, html] of Object.entries(others)) {
    const place = document.getElementById(`part-${name}`);
    if (!place) await put(document.querySelector(`[data-fragment]#${CSS.escape(name)}`), html, "outerMorph");
    else if (isAnother && REPLACED.includes(name)) replaceContent(place, html);
    else await put(place, html);
  }
  if (isAnother) root.dataset.ownPart = part;
}

// -- what the page has already ----------------------------------------------------------------------------

const without = (parts, known, texts = {}) => Object.fromEntries(Object.entries(parts ?? {}).filter(([name]) => !texts[name] || known[name] !== texts[name]));

// What an element says of the texts in it. It says so once: they will change.
function textsOf(element) {
  const known = JSON.parse(element.dataset.texts || "{}");
  delete element.dataset.texts;
  return known;
}

// -- a connection that comes back -------------------------------------------------------------------------

class Link {
  failures = 0;
  #url;
  #socket = null;
  #timer = null;
  #awaited = null;
  #heard = null; // when, by Date.now(); a socket that has said nothing yet is about to say everything
  #queue = Promise.resolve();
  #wasThere = false;
  #over = false;

  constructor(path, { onFrame = () => {}, onLost = () => {}, onEnd = () => {} }) {
    this.#url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    Object.assign(this, { onFrame, onLost, onEnd });
    document.addEventListener("DOMContentLoaded", () => this.connect()); // when all scripts hear what it tells
    setInterval(() => this.ask("ping"), PING_EVERY);
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.#timer);
    if (this.#over || this.#socket) return;
    let socket;
    try {
      socket = new WebSocket(this.#url);
    } catch {
      this.#lost();
      return;
    }
    this.#socket = socket;
    this.#heard = null;
    let first = true;
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#listenedTo();
      const frame = JSON.parse(event.data);
      heardNow(frame);
      if (frame.hint) tell("hint", frame.hint);
      if (frame.present) tell("present", frame.present);
      if (frame.error || frame.hint || frame.present || frame.type === "pong") return;
      const isFirst = first;
      first = false;
      this.failures = 0;
      // One after the other, because a swap may wait and the next frame must come after it.
      this.#queue = this.#queue.then(() => this.onFrame(frame, isFirst)).catch((error) => console.error(error));
      if (isFirst) tell("connected", { again: this.#wasThere });
      this.#wasThere = true;
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#closed(event.code);
    });
  }

  #listenedTo() {
    this.#heard = Date.now();
    clearTimeout(this.#awaited);
    this.#awaited = null;
  }

  #closed(code) {
    this.#socket = null;
    if (code === CODE.notFound || code === CODE.badRequest) this.end(code);
    else this.#lost(code);
  }

  #lost(code) {
    this.#listenedTo();
    this.failures += 1;
    // Rights are checked when a socket connects, so after an ended one we reconnect with our present rights.
    if (code === CODE.renew) this.failures = 1;
    const wait = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (this.failures - 1));
    // If everybody loses the connection at the same moment, they should not all reconnect at the same moment.
    this.#timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random()));
    this.onLost(code);
  }

  end(code) {
    this.#over = true;
    this.#listenedTo();
    this.#socket?.close();
    this.#socket = null;
    this.onEnd(code);
  }

  ask(type) {
    if (!this.isOpen) return;
    this.#socket.send(JSON.stringify({ type }));
    this.#awaited ??= setTimeout(() => this.#giveUp(), ANSWER_WITHIN);
  }

  // A dead connection is not always reported.
  #giveUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost();
  }

  // The browser knows at once that there is no network; the socket notices only after a while.
  cut() {
    if (!this.#over && this.#socket) this.#giveUp();
  }

  // Back from sleep, another tab or a lost network.
  wake() {
    if (this.#over) return;
    if (this.isOpen) {
      if (this.#heard !== null && Date.now() - this.#heard > SLEPT) this.ask("resync");
    } else if (!this.#socket) {
      this.failures = Math.min(this.failures, 1);
      this.connect();
    }
  }
}

// -- the board --------------------------------------------------------------------------------------------

class Board {
  link;
  #root;
  #banner = new Banner();
  #poll = null;

  constructor(root) {
    this.#root = root;
    this.link = new Link(root.dataset.live, {
      onFrame: (frame, isFirst) => this.#take(frame, isFirst),
      onLost: () => this.#lost(),
      onEnd: (code) => this.#end(code === CODE.signedOut ? "You are signed out, or no longer play in this match." : "You can no longer see this match."),
    });
  }

  // The page shows a player's own view, but the server no longer knows its reader as that player.
  #isForAnother(frame) {
    return this.#root.dataset.privateVersion && frame.private_version == null;
  }

  async #take(frame, isFirst) {
    if (frame.version < Number(this.#root.dataset.version) && !isFirst) {
      this.link.ask("resync");
      return;
    }
    if (isFirst && this.#isForAnother(frame)) return void this.link.end(CODE.signedOut);
    const known = textsOf(this.#root);
    if (!this.#isAsLoaded(frame)) await this.#show(frame);
    else await this.#show({ ...frame, parts: without(frame.parts, known, frame.texts), private_parts: without(frame.private_parts, known, frame.texts) });
    if (!isFirst) return;
    this.#stopPolling();
    this.#banner.hide();
  }

  #isAsLoaded({ version, private_version: own = "" }) {
    const { dataset } = this.#root;
    return dataset.version === String(version) && dataset.privateVersion === String(own);
  }

  async #show(frame) {
    const { dataset } = this.#root;
    await putAll(this.#root, frame);
    if (frame.version != null) dataset.version = frame.version;
    if (frame.private_version != null) dataset.privateVersion = frame.private_version;
    this.#banner.current();
  }

  #stopPolling() {
    clearTimeout(this.#poll);
    this.#poll = null;
  }

  #end(why) {
    this.#stopPolling();
    this.#banner.say(`${why} Load the page again.`);
  }

  #lost() {
    tell("present", null);
    if (this.#poll !== null) return; // polling decides whether the board is old
    this.#banner.show();
    if (this.link.failures >= FAILURES_UNTIL_POLLING) this.#pollSoon(0);
  }

  // If sockets do not get through, poll by plain requests: slower, but correct.
  #pollSoon(wait) {
    this.#poll = setTimeout(() => this.#pollOnce(), wait * (0.8 + 0.4 * Math.random()));
  }

  async #pollOnce() {
    if (!document.hidden) {
      try {
        const answer = await fetch(this.#root.dataset.parts, { headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(String(answer.status));
        const frame = await answer.json();
        if (this.#poll === null) return; // the socket was faster
        if (this.#isForAnother(frame)) return void this.link.end(CODE.signedOut);
        heardNow(frame);
        if (!(frame.version < Number(this.#root.dataset.version))) await this.#show(frame);
        this.#banner.hide();
      } catch {
        if (this.#poll !== null) this.#banner.show();
      }
    }
    if (this.#poll !== null) this.#pollSoon(POLL_EVERY);
  }

  // Most deadlines change the board, and the change is pushed. Some only close a form, without a new version.
  askAfterDeadline() {
    const { version } = this.#root.dataset;
    setTimeout(() => this.#root.dataset.version === version && this.link.ask("resync"), AFTER_A_DEADLINE * (1 + Math.random()));
  }
}

// -- saying that the board may be old ---------------------------------------------------------------------

class Banner {
  #seen = new Date();
  #timer = null;
  #element = null;

  current() {
    this.#seen = new Date();
  }

  show() {
    // Wait a moment: most connections are back before anybody could read a sentence.
    this.#timer ??= setTimeout(() => {
      const at = this.#seen.toLocaleTimeString("en-GB", { hour12: false });
      this.say(`Connection lost. This is the board as of ${at}. Trying again…`);
    }, GRACE);
  }

  say(text) {
    clearTimeout(this.#timer);
    if (!this.#element) {
      this.#element = make("p", { className: "state state--stale", id: "stale" });
      document.getElementById("main")?.prepend(this.#element);
    }
    if (this.#element.textContent === text) return;
    this.#element.textContent = text;
    tell("announce", text);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#element) return;
    this.#element.remove();
    this.#element = null;
    tell("announce", "Connected again. The board is up to date.");
  }
}

// -- the start --------------------------------------------------------------------------------------------

const live = [];
const board = document.querySelector("[data-live]");
const notices = document.body.dataset.wsMe;

if (board) {
  const shown = new Board(board);
  live.push(shown.link);
  document.addEventListener("genius:deadline-passed", () => shown.askAfterDeadline());
}
const hints = document.querySelector("[data-hints]");
if (hints) live.push(new Link(hints.dataset.hints, {}));
if (notices) {
  const link = new Link(notices, {
    onFrame: async (frame) => {
      const parts = Object.fromEntries(["notices", "bell"].filter((name) => name in frame).map((name) => [name, frame[name]]));
      for (const [name, text] of Object.entries(without(parts, textsOf(document.body), frame.texts))) await put(document.getElementById(name), text);
      tell("told", frame);
    },
    onLost: (code) => code === CODE.signedOut && link.failures > 1 && link.end(code),
  });
  live.push(link);
}

const wakeAll = () => document.hidden || live.forEach((each) => each.wake());
document.addEventListener("visibilitychange", wakeAll);
for (const event of ["focus", "online", "pageshow"]) window.addEventListener(event, wakeAll);
window.addEventListener("offline", () => live.forEach((each) => each.cut()));
