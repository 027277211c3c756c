// At a practice table each press makes a new page. What is typed into other forms stays over it, and is said; before time
// goes by without it, it asks once.
//
// Reads   form[data-act]                      the frame of a form (its fields name it with form="…")
//         form.match-line__more               the buttons that let time go by
// Writes  #unsent-line                        that something is not sent yet
// Keeps   in sessionStorage what was typed beside the form that is being sent, until the next page has it
// Tells   document event "genius:toast"       when a press would lose it: the next press does

import { fieldsOf, isAsServed, isTicked } from "./match.js";
import { fire, make, ofTab, tell } from "./site.js";

const KEPT = `practice:${location.pathname}`;
const line = document.getElementById("unsent-line");
let warned = "";

// A lot that is chosen on the board is no answer yet.
const isTyped = (field) => !field.matches("[data-lot-field]") && !isAsServed(field);
const typedBeside = (sent) => [...document.querySelectorAll("form[data-act]")]
  .filter((form) => form !== sent && fieldsOf(form).some(isTyped))
  .flatMap((form) => fieldsOf(form).filter((field) => isTyped(field) || field.matches("[data-lot-field]")))
  .map((field) => [field.form.id, field.name, field.value, field.checked]);

// Golden is what is typed, and nothing else.
function gild() {
  document.getElementById("act")?.setAttribute("data-unsent", "");
  for (const button of document.querySelectorAll("#part-act .submission__act[form]")) {
    button.toggleAttribute("data-unsent", fieldsOf(button.form).some(isTyped));
  }
}

function show() {
  gild();
  const text = typedBeside(null).length ? "Not sent yet." : "";
  if (line.textContent === text) return;
  line.replaceChildren();
  if (text) line.append(make("span", { className: "clamp", textContent: text }));
}

function putBack() {
  const kept = JSON.parse(ofTab.get(KEPT) ?? "[]");
  ofTab.set(KEPT, null);
  for (const [form, name, value, checked] of kept) {
    const field = [...(document.getElementById(form)?.elements ?? [])].find((each) => each.name === name && (!isTicked(each) || each.value === value));
    if (!field) continue;
    if (isTicked(field)) field.checked = checked;
    else field.value = value;
    fire(field, "input", "change");
  }
}

function leave(event) {
  const form = event.target;
  const others = typedBeside(form);
  if (form.matches("form[data-act]")) ofTab.set(KEPT, JSON.stringify(others));
  const lost = JSON.stringify(others);
  if (!form.matches(".match-line__more") || !others.length || lost === warned) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  warned = lost;
  const button = event.submitter?.textContent.trim() ?? "the button";
  tell("toast", `Not sent yet. Send it first, or choose “${button}” again to continue without it.`);
}

if (line) {
  putBack();
  gild();
  for (const kind of ["input", "change"]) document.addEventListener(kind, () => queueMicrotask(show));
  document.addEventListener("submit", leave, true); // before what takes a button for pressed
  if (!document.querySelector("#part-asked [role=status]")) show(); // on a phone it would lie over the receipt
}
