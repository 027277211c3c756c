// Voting on the board: choosing a player there gives them a vote, in their field of the form. The server checks what is
// sent, and without this script the board leads to the field.
//
// Reads   .tws-form[data-votes-of="5"]        how many votes there are; [data-votes-exactly]: all of them must be given
//         input[data-votes="ann"][data-sealed]   a player's field, in a label with the name, and the votes that count now
//         [data-board] [data-lot]             a player on stage or in group B; keys + and - give and take a vote, too
// Writes  [data-left]                         how many votes are left, and for whom the others are
//         .tws-tile__mine                     beside the player's lot, what is sealed for them, or what is not sent yet
// Tells   document event "genius:announce"    each vote that is given or taken on the board

import { counted, fire, isPlain, make, tell, watch, write } from "../../js/site.js";

const votesIn = (field) => Math.max(0, Math.trunc(Number(field.value)) || 0);
const fieldsOf = (form) => [...form.querySelectorAll("[data-votes]")];
const givenIn = (form) => fieldsOf(form).reduce((sum, field) => sum + votesIn(field), 0);
const nameOf = (field) => field.labels[0].firstChild.textContent;
const fieldFor = (player) => document.querySelector(`[data-votes="${CSS.escape(player)}"]`);

// -- in the form -----------------------------------------------------------------------------------

function sayLeft(form) {
  const place = form.querySelector("[data-left]");
  if (!place) return;
  place.dataset.plain ??= place.textContent;
  const given = givenIn(form);
  const left = Number(form.dataset.votesOf) - given;
  const isExact = form.hasAttribute("data-votes-exactly");
  const thing = isExact ? "vote" : "token";
  const whom = fieldsOf(form).filter(votesIn).map((field) => `${votesIn(field)} for ${nameOf(field)}`).join(", ");
  const state = fieldsOf(form).every((field) => field.value === (field.dataset.sealed ?? "")) ? "sealed" : "chosen";
  const sum = left < 0 ? `${counted(-left, thing)} too many` : `${counted(given, "vote")} ${state}, ${counted(left, thing)} left${isExact && left ? " to choose" : ""}`;
  const text = given ? `${sum}: ${whom}` : place.dataset.plain;
  write(place, text);
  place.toggleAttribute("data-over", left < 0);
}

// An empty field means no vote: 0 would be refused.
function emptyZero(field) {
  if (field.value !== "" && Number(field.value) === 0) field.value = "";
}

// -- on the board ----------------------------------------------------------------------------------

// Out of the order of tabs, since the key - does the same.
function lessButton(name) {
  return make("button", { type: "button", className: "lot__step tws-tile__less", tabIndex: -1, ariaLabel: `One fewer vote for ${name}`, textContent: "−" });
}

// A push may take it away, since it is not in what everybody is sent: then this is asked again.
function showOn(tile) {
  const lot = tile.querySelector("[data-lot]");
  const field = lot && fieldFor(lot.dataset.lot);
  const typed = field?.value ?? "";
  const sealed = field?.dataset.sealed ?? "";
  const text = typed !== sealed ? `${typed || 0} unsent` : sealed && `${sealed} sealed`;
  const shown = tile.querySelector(".tws-tile__mine");
  if (!text) shown?.remove();
  if (!text || text === shown?.dataset.says) return;
  const place = shown ?? make("span", { className: "tws-tile__mine" });
  place.dataset.says = text;
  place.toggleAttribute("data-unsent", typed !== sealed);
  place.replaceChildren(...(typed ? [lessButton(nameOf(field))] : []), text);
  if (!shown) tile.append(place);
}

function show() {
  document.querySelectorAll(".tws-form").forEach(sayLeft);
  document.querySelectorAll(".tws-tile").forEach(showOn);
}

function give(field, by) {
  const form = field.closest(".tws-form");
  if (by > 0 && givenIn(form) >= Number(form.dataset.votesOf)) {
    const thing = form.hasAttribute("data-votes-exactly") ? "votes" : "tokens";
    tell("toast", `You have no ${thing} left. Take a vote back first.`);
    return;
  }
  field.value = Math.max(0, votesIn(field) + by) || "";
  fire(field, "input", "change");
  tell("announce", `Not sent yet: ${counted(votesIn(field), "vote")} for ${nameOf(field)}`);
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    if (!event.target.matches("[data-votes]")) return;
    emptyZero(event.target);
    show();
  });
}

document.addEventListener("click", (event) => {
  const lot = event.target.closest("[data-board] .tws-tile")?.querySelector("[data-lot]");
  const field = lot && fieldFor(lot.dataset.lot);
  if (!field || !isPlain(event)) return;
  give(field, event.target.closest(".tws-tile__less") ? -1 : 1);
});

document.addEventListener("keydown", (event) => {
  const by = { "+": 1, "-": -1 }[event.key];
  const field = by && event.target.matches("[data-board] [data-lot]") && fieldFor(event.target.dataset.lot);
  if (field) give(field, by);
});

// A field that the browser finds fault with must be seen.
document.addEventListener("invalid", (event) => event.target.closest(".tws-rows")?.setAttribute("open", ""), true);

const act = document.getElementById("part-act");
const board = document.getElementById("part-board");
watch(act, show, "value", "data-votes-of", "data-sealed");
if (act) watch(board, show, "data-lot");
board?.classList.add("tws-moves"); // from now on; what was there when the page opened stands still
show();
