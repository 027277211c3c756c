// Lets a rehearsal go on by itself, much faster than the match will be. Without this script its links step through it.
//
// Reads   #play with data-at (match time, seconds), data-length, data-speed, data-who and, to begin at once,
//           data-playing
// Asks    ?at=…&parts=1 of its own address: {at, now, parts: {name: html}}; its parts go into #part-<name>
// Tells   document events "genius:server-time" (the time of the rehearsal, not of the server) and "genius:announce"

const EVERY_MS = 1000;

const button = document.getElementById("play");
const length = Number(button.dataset.length);
const speed = Number(button.dataset.speed);

let at = Number(button.dataset.at);
let now = document.querySelector('meta[name="server-now"]')?.content;
let playing = false;
let timer = null;

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`genius:${name}`, { detail }));

// Other frames bring the real time, at which nothing on this board happens.
document.addEventListener("genius:server-time", ({ detail }) => {
  if (now && detail !== now) tell("server-time", now);
});

async function show(moment) {
  const asked = new URLSearchParams({ at: moment, parts: "1" });
  if (button.dataset.who) asked.set("as", button.dataset.who);
  const answer = await fetch(`?${asked}`, { credentials: "same-origin", headers: { Accept: "application/json" } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const frame = await answer.json();
  for (const [name, text] of Object.entries(frame.parts)) {
    const target = document.getElementById(`part-${name}`);
    if (!target) continue;
    if (text === "") target.replaceChildren();
    else await htmx.swap({ sourceElement: target, target, swap: "innerMorph", text, transition: false });
  }
  ({ at, now } = frame);
  document.getElementById("at").value = at;
  tell("server-time", now);
}

async function step(since) {
  const shown = Date.now();
  const moment = Math.min(length, Math.round(at + ((shown - since) / 1000) * speed));
  try {
    await show(moment);
  } catch {
    pause("The rehearsal cannot be shown now.");
    return;
  }
  if (!playing) return;
  if (at >= length) pause("The rehearsal is over.");
  else timer = setTimeout(() => step(shown), Math.max(0, EVERY_MS - (Date.now() - shown)));
}

function label() {
  button.textContent = playing ? "Pause" : at >= length ? "Play again" : "Play";
  button.setAttribute("aria-pressed", String(playing));
}

function pause(why) {
  playing = false;
  clearTimeout(timer);
  label();
  if (why) tell("announce", why);
}

function play() {
  if (at >= length) at = 0;
  playing = true;
  label();
  step(Date.now());
}

button.addEventListener("click", () => (playing ? pause() : play()));
button.hidden = false;
label();
if ("playing" in button.dataset) play();
