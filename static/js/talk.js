// Talk, while its page is open: new messages come by themselves, and sending leaves the page where it is.
//
// Reads   [data-talk-channel]                    the page of a channel
//         #talk-lines[data-latest="/…/latest/"]  the latest messages; asked for when there may be new ones
//         [data-talk-form]                       the form to write with, inside #talk-form
// Hears   document events "genius:hint" {of, match, channel}, "genius:connected" (see live.js)
// Tells   document event "genius:announce" (see live-region.js)
//
// Without this script the form is a plain post, and the page is as old as its load.

const QUIET = 250;
const EVERY = 60_000; // hints may be lost

const lines = document.getElementById("talk-lines");
const place = document.getElementById("talk-form");

let waiting = null;
let missed = false;

async function refresh() {
  waiting = null;
  if (!lines?.dataset.latest) return;
  if (document.hidden) {
    missed = true; // what nobody looks at is not read yet
    return;
  }
  missed = false;
  try {
    const answer = await fetch(lines.dataset.latest, { credentials: "same-origin" });
    if (!answer.ok) return;
    const text = await answer.text();
    await htmx.swap({ sourceElement: lines, target: lines, swap: "innerMorph", text, transition: false });
  } catch {
    // The network is away; the connection that comes back asks again.
  }
}

function refreshSoon() {
  waiting ??= setTimeout(refresh, QUIET * (0.5 + Math.random()));
}

// At the field, where the server's own sentences are, and said once.
function complain(form, text) {
  let line = form.querySelector(".field__error");
  if (!line) {
    line = document.createElement("p");
    line.className = "field__error";
    line.setAttribute("role", "alert");
    form.querySelector("textarea").after(line);
  }
  line.textContent = text;
}

async function send(form) {
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      credentials: "same-origin",
      headers: { "X-Talk": "1" },
    });
    if (!answer.headers.has("X-Talk")) {
      const why = answer.redirected ? "You are signed out" : "You may be signed out, or talk may be closed";
      complain(form, `It was not sent. ${why}. Copy your text, and load the page again.`);
      return;
    }
    place.innerHTML = await answer.text();
    place.querySelector("textarea")?.focus();
    if (answer.ok) {
      document.dispatchEvent(new CustomEvent("genius:announce", { detail: "Sent." }));
      await refresh();
    }
  } catch {
    // The same again, with the same key, is stored once.
    complain(form, "The connection is lost, so it may not have been sent. Your text is still here: try again.");
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-talk-form]")) return;
  event.preventDefault();
  send(event.target);
});

// Enter makes a new line, as in any text; Ctrl or Cmd with Enter sends.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.target.closest?.("[data-talk-form]")?.requestSubmit();
});

document.addEventListener("genius:hint", (event) => event.detail.of === "talk" && refreshSoon());
document.addEventListener("genius:connected", refreshSoon);
document.addEventListener("visibilitychange", () => !document.hidden && missed && refreshSoon());
setInterval(refreshSoon, EVERY);
