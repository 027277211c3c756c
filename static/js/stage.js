// Says of the page as a whole what decides about parts of it that are not pushed (match.css, first-screen.css). `:has()`
// would say it too, and have the whole page styled again with every push.
//
// Reads   #part-status > [data-phase]     the phase; "scheduled", "draft", "finished" and "cancelled" decide
//         #part-act                       whether it says more than [data-nothing-asked]
//         #part-more                      whether anything is below the board
// Writes  #match[data-stage][data-act], .match-table--short

const match = document.getElementById("match");

function follow(id, tell) {
  const part = document.getElementById(id);
  if (part) new MutationObserver(() => tell(part)).observe(part, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase", "data-nothing-asked"] });
}

function settleStage(status) {
  const stage = status.querySelector("[data-phase]")?.dataset.phase;
  if (stage && match.dataset.stage !== stage) match.dataset.stage = stage;
}

function settleAct(part) {
  const act = part.firstChild && !part.querySelector(":scope > [data-nothing-asked]:only-child") ? "some" : "none";
  if (match.dataset.act !== act) match.dataset.act = act;
}

if (match) {
  follow("part-status", settleStage);
  follow("part-act", settleAct);
  follow("part-more", (part) => part.parentElement.classList.toggle("match-table--short", !part.firstChild));
}
