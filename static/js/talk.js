// Talk, while its page is open: new messages come by themselves, and sending leaves the page where it is.
//
// Reads   #talk-lines[data-latest="/…/latest/"]  the latest messages; asked for when there may be new ones. data-token:
//                                                the channel, as hints call it; empty before its first message
//         #talk-channels[data-channels="/…/"]    the list of channels; asked for when there is news of another one.
//                                                data-of: what hints of them are called
//         [data-closed]                          in #talk-lines: nobody can write there now
//         [data-talk-form]                       the form to write with, inside #talk-form. data-keep: whose it is
//         #talk-below                            a button that counts what has come below, for whoever reads further up
// Hears   document events "genius:hint" {of, match, channel}, "genius:connected" (see live.js); in a lounge the hint
//         has the message itself: {id, name, text, at}
// Tells   document event "genius:announce" (see site.js)
//
// Without this script the form is a plain post, and the page is as old as its load.

import { counted, fire, make, ofTab, tell } from "./site.js";

const QUIET = 250;
const EVERY = 300_000; // hints may be lost
const QUOTED = 120; // letters
const NEAR = 100; // pixels from the foot at which a reader still is there
const HEAD = 150; // pixels that the site's head may take
const READ = 60_000; // what was shown from a hint is asked for some time later: so the server knows that it was read

const lines = document.getElementById("talk-lines");
const list = document.getElementById("talk-channels");
const place = document.getElementById("talk-form");
const below = document.getElementById("talk-below");
const column = lines?.parentElement;

const stale = new Set(); // what there may be something new in: the elements above
let waiting = null;

const addressOf = (element) => element.dataset.latest ?? element.dataset.channels;

// The page follows what is written as long as its reader is at the foot.
const toFoot = () => column.getBoundingClientRect().bottom - innerHeight;
const follow = () => scrollBy({ top: toFoot(), behavior: "instant" });
const isAtFoot = () => toFoot() < NEAR;

let unseen = 0; // messages that came while the reader was further up

function countBelow(more) {
  unseen += more;
  below.hidden = !unseen;
  below.textContent = `${counted(unseen, "new message")} ↓`;
}

const shownLines = () => [...lines.querySelectorAll(".talk__line")].map((line) => line.id);

async function renew(element) {
  if (!addressOf(element)) return;
  const follows = element === lines && isAtFoot();
  const from = scrollY;
  const known = new Set(lines ? shownLines() : []);
  try {
    const answer = await fetch(addressOf(element));
    if (!answer.ok) return;
    const text = await answer.text();
    await htmx.swap({ sourceElement: element, target: element, swap: "innerMorph", text, transition: false });
    if (element === lines) heedClosing();
    if (follows && scrollY >= from) follow(); // unless they have gone up meanwhile
    else if (element === lines) countBelow(shownLines().filter((id) => !known.has(id)).length);
  } catch {
    // The network is away; the connection that comes back asks again.
  }
}

// Hosts close rooms while people write: the draft stays.
function heedClosing() {
  const button = place?.querySelector("button");
  if (!button) return;
  const isClosed = Boolean(lines.querySelector("[data-closed]"));
  if (button.disabled && !isClosed) place.querySelector(".field__error")?.remove(); // it said that the room is closed
  button.disabled = isClosed;
}

async function refresh() {
  waiting = null;
  if (document.hidden) return; // what nobody looks at is not read yet
  const old = [...stale];
  stale.clear();
  await Promise.all(old.map(renew));
}

function refreshSoon(...elements) {
  for (const element of elements) if (element) stale.add(element);
  waiting ??= setTimeout(refresh, QUIET * (0.5 + Math.random()));
}

let unasked = null;

function addUnread(channel) {
  const link = list?.querySelector(`[data-token="${CSS.escape(channel)}"]`);
  const badge = link?.querySelector(".badge");
  if (badge) badge.firstChild.textContent = Number.parseInt(badge.textContent, 10) + 1;
  else refreshSoon(list);
}

function showLine({ id, name, text, at }) {
  const list = lines.querySelector("ol");
  if (!list || document.getElementById(`message-${id}`)) return;
  const line = make("li", { className: "talk__line box", id: `message-${id}` });
  line.dataset.announce = `${name} writes: ${text.slice(0, 200)}`;
  const isSame = list.lastElementChild?.querySelector(".talk__who")?.dataset.name === name;
  line.classList.toggle("talk__line--same", isSame);
  line.innerHTML = '<p class="row talk__head"><strong class="talk__who"></strong> <time class="small soft"></time></p><div class="talk__text"></div>';
  line.querySelector("strong").textContent = line.querySelector("strong").dataset.name = name;
  line.querySelector("time").dateTime = at;
  line.querySelector("time").textContent = `${at.slice(11, 16)} UTC`;
  line.querySelector("div").textContent = text;
  for (const each of line.firstElementChild.children) each.classList.toggle("visually-hidden", isSame);
  const follows = isAtFoot();
  list.append(line);
  if (follows) follow();
  else countBelow(1);
  unasked ??= setTimeout(askAgain, READ * (1 + 2 * Math.random()));
}

function askAgain() {
  unasked = null;
  refreshSoon(lines);
}

addEventListener("pagehide", () => unasked && fetch(addressOf(lines), { keepalive: true }));

// What is written in the channel that is shown changes nothing in the list. One that nobody had written in before has no
// name by which it could be known; nor have those that hosts have closed or opened.
function hinted(hint) {
  const { channel, text } = hint;
  const shown = lines?.dataset.token;
  if (shown && channel === shown && text && !document.hidden && lines.dataset.latest && lines.querySelector("ol")) showLine(hint);
  else if (shown && channel === shown) refreshSoon(lines);
  else if (shown && text) addUnread(channel);
  else if (shown && channel) refreshSoon(list);
  else refreshSoon(lines, list);
}

// At the field, where the server's own sentences are, and said once.
function complain(form, text) {
  let line = form.querySelector(".field__error");
  if (!line) {
    line = make("p", { className: "field__error", role: "alert" });
    form.querySelector("textarea").after(line);
  }
  line.textContent = text;
}

// What is typed and not sent stays in this tab, over a reload, for this person in this room.
const keptAs = (form) => `unsent:${form.dataset.keep}:${form.getAttribute("action")}`;

function keep(form) {
  const field = form.elements.text;
  field.value ||= ofTab.get(keptAs(form)) ?? "";
  form.addEventListener("input", () => ofTab.set(keptAs(form), field.value));
}

async function send(form) {
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      headers: { "X-Talk": "1" },
    });
    if (!answer.headers.has("X-Talk")) {
      const why = answer.redirected ? "You are signed out" : "You may be signed out, or talk may be closed";
      complain(form, `Your message was not sent. ${why}. Copy your text, and load the page again.`);
      return;
    }
    if (answer.ok) ofTab.set(keptAs(form), null);
    place.innerHTML = await answer.text();
    keep(place.querySelector("form"));
    place.querySelector("textarea")?.focus({ preventScroll: true });
    if (answer.ok) {
      tell("announce", "Sent.");
      await renew(lines);
      follow();
    }
  } catch {
    // The same again, with the same key, is stored once.
    complain(form, "The connection is lost, so your message may not have arrived. Your text is still here. Try again.");
  } finally {
    button.disabled = false;
  }
}

addEventListener("scroll", () => unseen && isAtFoot() && countBelow(-unseen), { passive: true });
below?.addEventListener("click", () => {
  document.getElementById("newest").focus({ preventScroll: true });
  follow();
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-talk-form]")) return;
  event.preventDefault();
  send(event.target);
});

// The first words are enough: the message itself stands above.
document.addEventListener("click", (event) => {
  const line = event.target.closest?.("[data-quote]")?.closest(".talk__line");
  const field = place?.querySelector("textarea");
  if (!line || !field) return;
  const words = line.querySelector(".talk__text").cloneNode(true);
  for (const quoted of words.querySelectorAll("blockquote")) quoted.remove();
  const said = words.textContent.trim().replace(/\s+/gu, " ");
  const short = said.length > QUOTED ? `${said.slice(0, QUOTED)}…` : said;
  field.value = `> ${line.querySelector(".talk__who").dataset.name}: ${short}\n${field.value}`;
  fire(field, "input"); // so that it is kept
  line.querySelector("details").open = false;
  field.focus();
  field.scrollTop = field.scrollHeight;
});

// As in chats: where the page says so (at a desk) Enter sends, and Shift with Enter makes a new line. Elsewhere Enter
// makes one, and Ctrl or Cmd with Enter sends.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (!event.target.matches?.("[data-talk-form] textarea")) return;
  const sends = event.ctrlKey || event.metaKey || document.getElementById("talk-keys").checkVisibility();
  if (!sends) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

document.addEventListener("genius:hint", (event) => event.detail.of === (list?.dataset.of ?? "talk") && hinted(event.detail));
document.addEventListener("genius:connected", () => refreshSoon(lines, list));
document.addEventListener("visibilitychange", () => !document.hidden && stale.size && refreshSoon());
setInterval(() => refreshSoon(lines, list), EVERY);
// On a phone the rooms stand in one row.
list?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
// What is new is read from its beginning; whoever comes for one message stands at that.
const isFor = location.hash.startsWith("#message-");
if (lines && !isFor) follow();
const fresh = isFor ? null : document.getElementById("new");
if (fresh && fresh.getBoundingClientRect().top < HEAD) fresh.scrollIntoView({ block: "start", behavior: "instant" });
if (place) keep(place.querySelector("form"));
