// A person's notes about a match, kept while they type, and their marks on players and lots.
//
// Reads   form[data-notebook]                             its text, and the version of it that the page knows
//         [data-own-mark][data-target][data-sign]         a mark; with data-shape and data-colour it is on a player
// Writes  a style sheet of this page alone: boards may be swapped, and keep their marks

const REST = 1000;
const LINES = { star: "solid", circle: "dotted", triangle: "dashed", square: "double" };
const COLOURS = { star: "brass", circle: "jade", triangle: "garnet", square: "slate" };
const ON_FELT = { star: "felt-brass", circle: "felt-jade", triangle: "felt-stone", square: "felt-slate" };

const form = document.querySelector("form[data-notebook]");
const kept = form?.querySelector("[data-kept]");
let timer;
let requests = Promise.resolve();

async function save() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      credentials: "same-origin",
      keepalive: true,
      headers: { "X-Requested-With": "fetch" },
    });
    const { seen, error } = await answer.json();
    if (answer.ok) form.elements.seen.value = seen;
    kept.textContent = answer.ok ? "Kept" : error;
  } catch {
    kept.textContent = "Not kept: there is no connection. They are kept with the next change.";
  }
}

form?.addEventListener("input", () => {
  kept.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => (requests = requests.then(save)), REST);
});
window.addEventListener("pagehide", () => timer !== undefined && save());

function rulesFor({ target, sign, shape = "", colour, ownMark }) {
  const sides = `content: "${sign}"; color: var(--${COLOURS[ownMark]}); margin-inline-start: 0.25em;`;
  const name = CSS.escape(target);
  const rules = [`[data-board] [data-lot="${name}"]:not(:focus-visible) { outline: 3px ${LINES[ownMark]} currentcolor; outline-offset: -3px; }`];
  const mark = `.mark:has(use.mark-${colour}[href$="#${CSS.escape(shape)}"])::after`;
  if (shape) rules.push(`${mark} { ${sides} }`, `.board ${mark} { color: var(--${ON_FELT[ownMark]}); }`);
  return rules;
}

const marks = document.querySelectorAll("[data-own-mark]");
if (marks.length) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...marks].flatMap((each) => rulesFor(each.dataset)).join("\n"));
  document.adoptedStyleSheets.push(sheet);
}
