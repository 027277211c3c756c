// Marks what hosts have said since the reader looked last, and remembers that they have looked.
//
// Reads   [data-notes="<match>"] with data-read (an instant, or nothing), in it #part-notes: [data-since] and
//           [data-new-note] of each note, [data-new] of the line
//         #notes-read   a form that says that the notes are read; visitors have none, and their browser remembers it

const place = document.querySelector("[data-notes]");
const form = document.getElementById("notes-read");
const storeName = `notes:${place?.dataset.notes}`;

function readUntil() {
  const kept = form ? place.dataset.read : localStorage.getItem(storeName);
  return kept ? Date.parse(kept) : 0;
}

const sinceOf = (note) => Date.parse(note.dataset.since);
const setText = (element, text) => element.textContent !== text && (element.textContent = text);

function markNew() {
  const until = readUntil();
  const notes = [...place.querySelectorAll("[data-since]")];
  const isNew = (note) => sinceOf(note) > until;
  for (const note of notes) note.querySelector("[data-new-note]").hidden = !isNew(note);
  const badge = place.querySelector("[data-new]");
  const count = notes.filter(isNew).length;
  if (!badge) return;
  badge.hidden = count === 0;
  setText(badge, `${count} new`);
}

// The marks stay for this look, so that one sees what is new; the next push or page is without them.
async function haveRead() {
  const latest = Math.max(...[...place.querySelectorAll("[data-since]")].map(sinceOf));
  if (!(latest > readUntil())) return;
  const until = new Date(latest).toISOString();
  place.querySelector("[data-new]").hidden = true;
  if (!form) {
    localStorage.setItem(storeName, until);
    return;
  }
  const headers = { "X-Requested-With": "fetch" };
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form), credentials: "same-origin", headers });
  if (answer.ok) place.dataset.read = until;
}

if (place) {
  markNew();
  new MutationObserver(markNew).observe(document.getElementById("part-notes"), { subtree: true, childList: true });
  // The event does not bubble.
  place.addEventListener("toggle", (event) => event.target.id === "notes" && event.target.open && haveRead().catch(() => {}), true);
}
