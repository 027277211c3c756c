// The hosts' overview, asked for again while the page is open and seen: soon after something has changed, and regularly,
// for what no socket tells.
//
// Reads   #overview[data-overview="?part=1"]   the list, and where to ask for it
//         #overview-stale                      what is said while the site does not answer
// Hears   document events "genius:hint" and "genius:changed" (see live.js)

const EVERY = 10_000;
const SOON = 150;

const list = document.getElementById("overview");
const stale = document.getElementById("overview-stale");
let mark = "";
let timer = null;
let asking = false;

function take(html) {
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  list.replaceChildren(...fresh.body.children);
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

async function ask() {
  try {
    const headers = mark ? { "If-None-Match": mark } : {};
    const answer = await fetch(list.dataset.overview, { cache: "no-store", headers });
    stale.hidden = answer.ok || answer.status === 304;
    if (answer.redirected) location.reload(); // signed out meanwhile
    if (!answer.ok) return;
    mark = answer.headers.get("ETag") ?? "";
    take(await answer.text());
  } catch {
    stale.hidden = false;
  }
}

function askIn(wait) {
  clearTimeout(timer);
  timer = setTimeout(askNow, wait);
}

// One question at a time: what changes while it is asked is asked for after it.
async function askNow() {
  askIn(asking ? SOON : EVERY);
  if (asking || document.hidden) return;
  asking = true;
  await ask();
  asking = false;
}

askIn(EVERY);
document.addEventListener("genius:hint", () => askIn(SOON));
document.addEventListener("genius:changed", () => askIn(SOON));
document.addEventListener("visibilitychange", () => askIn(0));
