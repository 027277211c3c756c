// The hosts' overview, asked for again while the page is open and seen.
//
// Reads   #overview[data-overview="?part=1"]   the list, and where to ask for it
//         #overview-stale                      what is said while the site does not answer

const EVERY = 10_000;

const list = document.getElementById("overview");
const stale = document.getElementById("overview-stale");
let mark = "";

function take(html) {
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  list.replaceChildren(...fresh.body.children);
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

async function ask() {
  if (document.hidden) return;
  try {
    const headers = mark ? { "If-None-Match": mark } : {};
    const answer = await fetch(list.dataset.overview, { credentials: "same-origin", cache: "no-store", headers });
    stale.hidden = answer.ok || answer.status === 304;
    if (answer.redirected) location.reload(); // signed out meanwhile
    if (!answer.ok) return;
    mark = answer.headers.get("ETag") ?? "";
    take(await answer.text());
  } catch {
    stale.hidden = false;
  }
}

setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
