// Asks for the board once more when a deadline has passed and nothing was pushed.
//
// Reads   #match[data-parts][data-version]    where its parts are, and which version is shown
// Hears   document event "genius:deadline-passed" (clock.js)
//
// Most deadlines change the board, and the change is pushed. Some only close a form, without a new version: then the
// page asks once, after a random delay.

const PAUSE = 1500;

async function refresh(versionThen) {
  const match = document.getElementById("match");
  if (!match?.dataset.parts || match.dataset.version !== versionThen) return;
  try {
    const answer = await fetch(match.dataset.parts, { credentials: "same-origin", headers: { Accept: "application/json" } });
    const { version, parts } = await answer.json();
    if (!answer.ok || version < Number(match.dataset.version)) return;
    for (const [name, text] of Object.entries(parts)) {
      const part = document.getElementById(`part-${name}`);
      if (part) await htmx.swap({ sourceElement: part, target: part, swap: "innerMorph", text, transition: false });
    }
  } catch {
    // The connection is lost: live.js shows that and reconnects.
  }
}

document.addEventListener("genius:deadline-passed", () => {
  const versionThen = document.getElementById("match")?.dataset.version;
  setTimeout(() => refresh(versionThen), PAUSE * (1 + Math.random()));
});
