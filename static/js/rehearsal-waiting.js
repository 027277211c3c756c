// A rehearsal that is being played: shows its report as soon as it is there.
//
// Reads   #waiting[data-state="?state=1"]   where to ask: {"waits": true}
//         #waiting-stale                    what is said while the site does not answer

const EVERY = 1_000;

const place = document.getElementById("waiting");
const stale = document.getElementById("waiting-stale");

async function ask() {
  try {
    const answer = await fetch(place.dataset.state, { cache: "no-store" });
    stale.hidden = answer.ok;
    if (answer.redirected || answer.status === 404) return location.reload(); // signed out, or no longer kept
    if (answer.ok && !(await answer.json()).waits) return location.reload();
  } catch {
    stale.hidden = false;
  }
  setTimeout(ask, EVERY);
}

setTimeout(ask, EVERY);
