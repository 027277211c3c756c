// The number on a tab of a match, kept up to date while the page stays open.
//
// Reads   a[data-unread-of="talk"][data-unread-href="/…/unread/"]   a tab whose number can be asked for
// Hears   document event "genius:hint" {of, …} (see live.js)

const QUIET = 800;
const MOST = 99;
const waiting = new Map();

function show(tab, count) {
  let badge = tab.querySelector("[data-unread]");
  if (!count) {
    badge?.remove();
    return;
  }
  if (!badge) {
    badge = document.createElement("span");
    badge.className = "badge badge--brass tabs__unread";
    badge.dataset.unread = "";
    tab.append(" ", badge);
  }
  const word = document.createElement("span");
  word.className = "visually-hidden";
  word.textContent = " unread";
  badge.replaceChildren(count > MOST ? `${MOST}+` : String(count), word);
}

async function ask(tab) {
  waiting.delete(tab);
  try {
    const answer = await fetch(tab.dataset.unreadHref, { credentials: "same-origin" });
    if (answer.ok) show(tab, (await answer.json()).unread);
  } catch {
    // The network is away; the next hint, or the next page, asks again.
  }
}

document.addEventListener("genius:hint", (event) => {
  for (const tab of document.querySelectorAll(`[data-unread-of="${CSS.escape(event.detail.of)}"]`)) {
    if (!waiting.has(tab)) waiting.set(tab, setTimeout(() => ask(tab), QUIET * (0.5 + Math.random())));
  }
});
