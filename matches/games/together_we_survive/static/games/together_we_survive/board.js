// Counts typed votes, and leads from a player on the board to their row. The server checks what is sent.
//
// Reads   .tws-form[data-votes-of="5"]        how many votes there are; [data-votes-exactly]: all of them must be given
//         [data-vote-for] with input[data-votes]   a player's row
//         [data-board] [data-lot]             a player on stage or in group B: choosing one leads to the row
// Writes  [data-left]                         how many votes are left

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function sayLeft(form) {
  const place = form.querySelector("[data-left]");
  if (!place) return;
  place.dataset.plain ??= place.textContent;
  const given = [...form.querySelectorAll("[data-votes]")].reduce((sum, input) => sum + Math.max(0, Math.trunc(Number(input.value)) || 0), 0);
  const left = Number(form.dataset.votesOf) - given;
  const isExact = form.hasAttribute("data-votes-exactly");
  const thing = isExact ? "vote" : "token";
  const text = !given ? place.dataset.plain : left < 0 ? `${plural(-left, thing)} too many` : `${plural(given, "vote")} given, ${plural(left, thing)} left${isExact && left ? " to give" : ""}`;
  if (place.textContent !== text) place.textContent = text;
  place.toggleAttribute("data-over", left < 0);
}

function count() {
  for (const form of document.querySelectorAll(".tws-form")) sayLeft(form);
}

// An empty field means no vote: 0 would be refused.
function emptyZero(input) {
  if (input.value !== "" && Number(input.value) === 0) input.value = "";
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    if (!event.target.matches("[data-votes]")) return;
    emptyZero(event.target);
    count();
  });
}

// Opens the sheet for a player: act.js does not, because no field here contains a name.
document.addEventListener("click", (event) => {
  const lot = event.target.closest("[data-board] [data-lot]");
  if (!lot || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = document.querySelector(`[data-vote-for="${CSS.escape(lot.dataset.lot)}"]`);
  if (!row) return;
  const sheet = document.getElementById("act");
  if (getComputedStyle(sheet).display === "none") sheet.showPopover();
  row.scrollIntoView({ block: "nearest" });
  row.querySelector("[data-votes]").focus();
});

const act = document.getElementById("part-act");
if (act) new MutationObserver(count).observe(act, { subtree: true, childList: true, attributes: true, attributeFilter: ["value", "data-votes-of"] });
count();
