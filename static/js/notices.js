// Notices: the bell, the tab's title and icon, one announcement each, and marking them as read without a new page.
//
// Reads   #bell > [data-unread][data-told]       how many are unread, and which (templates/notices/bell.html)
//         button[data-read] of #notices-form     posted in the background; the answer is what the page shows then
//         a[data-reads="token"]                  whoever follows this link has read that notice
//         link[data-shows-unread]                the page's icon, which gets a dot with how many there are
//         button[data-dismiss] in [data-notice]  a message of this page only: just removed; the focus then goes to the
//                                        button that sends what is in the element with that id, if there is one
// Hears   document event "genius:told", detail: a frame of live.js with `said` (token -> text) and `sound`
// Tells   document events "genius:announce", "genius:toast" (see live-region.js), "genius:new-notices"

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`genius:${name}`, { detail }));
const bell = () => document.querySelector("#bell > [data-unread]");

// -- the tab -----------------------------------------------------------------------------------------

const title = document.title;
const icon = document.querySelector("link[rel=icon][data-shows-unread]");
const plainIcon = icon?.getAttribute("href");

// Up to nine: more cannot be read at that size.
let drawn = null;

async function numbered(count) {
  drawn ??= fetch(plainIcon).then((answer) => answer.text());
  const shown = count > 9 ? "9+" : String(count);
  const dot = '<circle cx="22" cy="9" r="9.500" fill="#ff8b98" stroke="#10321f" stroke-width="1.500"/>';
  const number = `<text x="22" y="14.500" font-family="sans-serif" font-size="${shown[1] ? 13 : 16}" font-weight="700" text-anchor="middle" fill="#16070a">${shown}</text>`;
  return `data:image/svg+xml,${encodeURIComponent((await drawn).replace("</svg>", `${dot}${number}</svg>`))}`;
}

async function markIcon(count) {
  if (!icon) return;
  let href = plainIcon;
  try {
    if (count) href = await numbered(count);
  } catch {
    drawn = null; // the title of the tab says it too
  }
  // There may have been more, or none, meanwhile.
  const isLatest = Number(bell()?.dataset.unread ?? 0) === count;
  if (isLatest && icon.getAttribute("href") !== href) icon.setAttribute("href", href); // a browser draws even the same anew
}

function markTab() {
  const count = Number(bell()?.dataset.unread ?? 0);
  const wanted = count ? `(${count > 99 ? "99+" : count}) ${title}` : title;
  if (document.title !== wanted) document.title = wanted;
  markIcon(count);
}

// -- what is new -------------------------------------------------------------------------------------

// What was there when the page opened is not announced, and nothing twice: not after a lost connection either.
const known = new Set(bell()?.dataset.told.split(" ").filter(Boolean));

function isInView(element) {
  const box = element?.getBoundingClientRect();
  return Boolean(box && box.height && box.bottom > 0 && box.top < innerHeight);
}

// A frame says only what is different from the one before.
let wantsSound = false;

document.addEventListener("genius:told", ({ detail }) => {
  wantsSound = detail.sound ?? wantsSound;
  markTab();
  const fresh = Object.entries(detail.said ?? {}).filter(([token]) => !known.has(token));
  if (!fresh.length) return;
  for (const [token] of fresh) known.add(token);
  tell("new-notices");
  if (wantsSound) ring();
  if (document.hidden) return; // the tab's title and icon say so
  const seen = isInView(document.querySelector("#notices > [data-notice]"));
  for (const [, text] of fresh) tell(seen ? "announce" : "toast", text);
});

// -- the sound: two short tones, if the reader wants them, after a first touch of the page --------------

let audio = null;

function allowSound() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

// Only one of many tabs rings.
function ring() {
  if (!audio || audio.state !== "running") return;
  if (navigator.locks) navigator.locks.request("genius-ring", { ifAvailable: true }, (lock) => lock && play());
  else play();
}

function play() {
  const start = audio.currentTime;
  for (const [number, frequency] of [659, 880].entries()) {
    const tone = new OscillatorNode(audio, { frequency, type: "sine" });
    const volume = new GainNode(audio, { gain: 0 });
    const from = start + number * 0.14;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.12, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.4);
  }
  return new Promise((resolve) => setTimeout(resolve, 1500));
}

if (bell()) for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, allowSound, { once: true });

// -- reading -----------------------------------------------------------------------------------------

function keepFocus(notice) {
  const next = notice.nextElementSibling ?? notice.previousElementSibling;
  return notice.contains(document.activeElement) ? () => (next?.querySelector("a, button") ?? document.getElementById("main"))?.focus() : () => {};
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.id !== "notices-form" || !button?.matches("[data-read]")) return;
  event.preventDefault();
  const hadFocus = button.contains(document.activeElement);
  const body = new FormData(form);
  body.set(button.name, button.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin", headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    for (const [name, html] of Object.entries(await answer.json())) document.getElementById(name).innerHTML = html;
    markTab();
    if (hadFocus) bell()?.focus();
  } catch {
    // The notice would come back with the next page, so say that it was not marked.
    tell("toast", "That did not reach the server. Please try again in a moment.");
  }
});

// Sent beside the way to the other page, which does not wait for it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-reads]");
  const form = document.getElementById("notices-form");
  if (!link || !form) return;
  const body = new FormData(form);
  body.set("token", link.dataset.reads);
  navigator.sendBeacon(form.action, body);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-dismiss]");
  const notice = button?.closest("[data-notice]");
  if (!notice) return;
  const sends = document.getElementById(button.dataset.dismiss)?.querySelector("[type=submit]");
  const settle = sends ? () => sends.focus() : keepFocus(notice);
  notice.remove();
  settle();
});

markTab();

// A browser that gets pushes is to look now and then whether it still does (see push-worker.js).
if (bell()) navigator.serviceWorker?.controller?.postMessage("look");
