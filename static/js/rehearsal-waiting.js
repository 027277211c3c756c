// A rehearsal that is being played: how far it is, until its report is there.
//
// Reads   #waiting[data-state="?state=1"]   where to ask: {"waits": true, "played": 7, "of": 20}
//         #played                           the progress that is shown
//         #waiting-stale                    what is said while the site does not answer

const EVERY = 1_000;

const place = document.getElementById("waiting");
const played = document.getElementById("played");
const stale = document.getElementById("waiting-stale");

async function ask() {
  try {
    const answer = await fetch(place.dataset.state, { credentials: "same-origin", cache: "no-store" });
    stale.hidden = answer.ok;
    if (answer.redirected || answer.status === 404) return location.reload(); // signed out, or no longer kept
    if (answer.ok) {
      const state = await answer.json();
      if (!state.waits) return location.reload();
      played.value = state.played;
    }
  } catch {
    stale.hidden = false;
  }
  setTimeout(ask, EVERY);
}

setTimeout(ask, EVERY);
