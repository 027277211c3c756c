// Time on the page, by the server's clock: a laptop that is ten minutes wrong must not cost a bid.
//
// Reads   <meta name="server-now" content="ISO">      when the page was made
//         <html data-tz="Europe/Berlin">              the viewer's zone; empty: the browser's own
//         <meta name="viewer-zone" content="…">       the same, where the html element is another's (the console)
//         [data-deadline="ISO"] [data-paused="ISO"]   a deadline (templates/components/deadline.html)
//         [data-deadline-left="short"]                    its countdown, on a board: as short as possible
//         time[data-moment]                           any other moment; data-moment="short": “Sun 08:02”,
//                                                     "dated": “Sun 22 Nov, 14:00 UTC (15:00 your time)”
//         [data-ago="ISO"]                            how long ago a moment was, or in how long it comes
// Hears   document event "genius:server-time", detail: ISO string or ms   (each live frame carries one)
//         document event "genius:stand-still", detail: ISO string         it is that time from now on (a replay)
// Tells   document event "genius:deadline-passed", target: the deadline's element, once
// Writes  cookie "tz" ("__Host-tz" over https), so that the server can show a visitor's own time before this script runs.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SIX_DAYS = 144 * HOUR; // within this time the day's name is enough
const SOON = 2 * HOUR;
const URGENT = 15 * MINUTE;
const FEW = 2 * MINUTE;
const CLOCK_WAS_SET = 5 * SECOND;

const BROWSERS_OWN = "";
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const viewerZone = document.documentElement.dataset.tz || document.querySelector('meta[name="viewer-zone"]')?.content || BROWSERS_OWN;

let offset = null;
let still = null; // the time at which the clock stands

// Whether it is noticeably another time than was thought.
function heardServerTime(value) {
  const serverNow = typeof value === "number" ? value : Date.parse(value);
  if (Number.isNaN(serverNow)) return false;
  const heard = serverNow - Date.now();
  const before = offset;
  // Network delay only makes the server's time look late, so the largest offset is the best one, unless this machine's
  // clock was set in between.
  if (offset === null || heard > offset || offset - heard > CLOCK_WAS_SET) offset = heard;
  return before === null || Math.abs(offset - before) >= SECOND;
}

function now() {
  return still ?? Date.now() + (offset ?? 0);
}

// The same words as matches/pages/texts.py, which writes them before this script runs.
function inWords(milliseconds) {
  const total = Math.max(0, Math.floor(milliseconds / SECOND));
  const minutes = Math.floor(total / 60) % 60;
  if (total >= 48 * 3600) {
    const days = Math.floor(total / 86400);
    const hours = Math.floor(total / 3600) % 24;
    return hours ? `${days} days ${hours} h` : `${days} days`;
  }
  if (total >= 3600) {
    const hours = Math.floor(total / 3600);
    return minutes ? `${hours} h ${minutes} min` : `${hours} h`;
  }
  if (total >= 60) {
    const seconds = String(total % 60).padStart(2, "0");
    return total >= URGENT / SECOND ? `${minutes} min` : `${minutes} min ${seconds} s`;
  }
  return `${total} s`;
}

function inFewWords(milliseconds) {
  if (milliseconds >= FEW && milliseconds < URGENT) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds >= HOUR && milliseconds < 48 * HOUR) return inWords(milliseconds).replace(" h", "h").replace(" min", "m");
  return milliseconds < FEW ? `${Math.floor(milliseconds / SECOND)} s` : inWords(milliseconds);
}

const twoDigits = (number) => String(number).padStart(2, "0");

function inParts(day, date, month, hours, minutes) {
  return { day: `${DAYS[day]} ${date} ${MONTHS[month]}`, clock: `${twoDigits(hours)}:${twoDigits(minutes)}` };
}

const formats = new Map();

// A date knows two zones by itself. `Intl` knows all, but takes 20 ms to begin with, on a slow machine 80.
function parts(moment, zone) {
  const at = new Date(moment);
  if (zone === BROWSERS_OWN) return inParts(at.getDay(), at.getDate(), at.getMonth(), at.getHours(), at.getMinutes());
  if (zone === "UTC") return inParts(at.getUTCDay(), at.getUTCDate(), at.getUTCMonth(), at.getUTCHours(), at.getUTCMinutes());
  if (!formats.has(zone)) {
    const wanted = { timeZone: zone, weekday: "short", day: "numeric", month: "numeric", hour: "numeric", minute: "numeric", hourCycle: "h23" };
    formats.set(zone, new Intl.DateTimeFormat("en-GB", wanted));
  }
  const found = Object.fromEntries(formats.get(zone).formatToParts(at).map((part) => [part.type, part.value]));
  return inParts(DAYS.indexOf(found.weekday), Number(found.day), Number(found.month) - 1, Number(found.hour), Number(found.minute));
}

function yourTime(moment) {
  const there = parts(moment, "UTC");
  const here = parts(moment, viewerZone);
  if (here.day === there.day) return here.clock === there.clock ? "" : `(${here.clock} your time)`;
  return `(${here.day}, ${here.clock} your time)`;
}

// Writing unchanged text would trigger every MutationObserver on the page once a second.
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

function mark(element, name, value) {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

function urgencyOf(left) {
  if (left <= 0) return "passed";
  if (left < URGENT) return "urgent";
  return left < SOON ? "soon" : "calm";
}

const passed = new WeakMap();

function showDeadline(element) {
  const at = Date.parse(element.dataset.deadline);
  if (Number.isNaN(at)) return;
  write(element.querySelector("[data-deadline-local]"), yourTime(at));
  if (element.dataset.paused) return; // a stopped clock does not count
  const left = at - now();
  mark(element, "urgency", urgencyOf(left));
  const counter = element.querySelector("[data-deadline-left]");
  const words = counter?.dataset.deadlineLeft === "short" ? inFewWords(left) : `in ${inWords(left)}`;
  write(counter, left > 0 ? words : "time is up");
  if (left <= 0 && passed.get(element) !== at) {
    passed.set(element, at);
    element.dispatchEvent(new CustomEvent("genius:deadline-passed", { bubbles: true, detail: { at } }));
  }
}

function showMoment(element) {
  const at = Date.parse(element.dateTime);
  if (Number.isNaN(at)) return;
  const here = parts(at, viewerZone);
  const there = parts(at, "UTC");
  if (element.dataset.moment === "dated") {
    write(element, `${there.day}, ${there.clock} UTC ${yourTime(at)}`.trim());
    return;
  }
  const today = parts(now(), viewerZone).day;
  const day = element.dataset.moment === "short" && Math.abs(at - now()) < SIX_DAYS ? here.day.split(" ")[0] : `${here.day},`;
  write(element, here.day === today ? here.clock : `${day} ${here.clock}`);
  if (!element.title) element.title = `${there.day}, ${there.clock} UTC`;
}

// The same words as `instant` in notices/templatetags/notice_tags.py.
function showAgo(element) {
  const left = Date.parse(element.dataset.ago) - now();
  if (!Number.isNaN(left)) write(element, left > 0 ? `in ${inFewWords(left)}` : `${inFewWords(-left)} ago`);
}

const TIMES = "[data-deadline], [data-ago], time[data-moment]";

function showTime(element) {
  if (element.dataset.deadline !== undefined) showDeadline(element);
  if (element.dataset.ago !== undefined) showAgo(element);
  if (element.matches("time[data-moment]")) showMoment(element);
}

const showAll = () => document.querySelectorAll(TIMES).forEach(showTime);

// Only the times that came, or that something in has changed: a push changes much, in many steps.
function showChanged(records) {
  const found = new Set();
  for (const { target, addedNodes } of records) {
    found.add((target.closest ? target : target.parentElement)?.closest(TIMES));
    for (const added of addedNodes) {
      if (!added.matches) continue;
      if (added.matches(TIMES)) found.add(added);
      added.querySelectorAll(TIMES).forEach((each) => found.add(each));
    }
  }
  found.forEach((element) => element?.isConnected && showTime(element));
}

function rememberZone() {
  // Not escaped: zone names do not need it in a cookie, and Django would not undo it.
  const secure = location.protocol === "https:";
  // `Temporal` answers at once, and is not in every browser yet.
  const zone = globalThis.Temporal?.Now.timeZoneId() || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const cookie = `${secure ? "__Host-" : ""}tz=${zone}`;
  if (document.cookie.split("; ").includes(cookie)) return;
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure ? "; secure" : ""}`;
}

// On a page from the browser's history the meta element is old: then this machine's clock is the better guess.
const [visit] = performance.getEntriesByType("navigation");
if (visit?.type !== "back_forward") heardServerTime(document.querySelector('meta[name="server-now"]')?.content);

document.addEventListener("genius:server-time", (event) => {
  if (still === null && heardServerTime(event.detail)) showAll();
});
document.addEventListener("genius:stand-still", (event) => {
  still = Date.parse(event.detail);
  showAll();
});
document.addEventListener("visibilitychange", () => (document.hidden ? rememberZone() : showAll()));
window.addEventListener("pageshow", (event) => event.persisted && showAll());
window.addEventListener("pagehide", rememberZone); // in time for the next page, and in the way of nothing on this one

// Swapped-in fragments are in UTC for everybody: change them to the viewer's zone before they are painted.
new MutationObserver(showChanged).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true, // a morph changes existing text nodes
  attributes: true,
  attributeFilter: ["data-deadline", "data-paused", "datetime"],
});

// At the server's full seconds, so that all countdowns on all screens change together.
function tick() {
  showAll();
  setTimeout(tick, SECOND - (((now() % SECOND) + SECOND) % SECOND));
}

setTimeout(tick); // what the server wrote is right until then, and the first of it takes a slow machine long
