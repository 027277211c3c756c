// At a practice table nothing that was typed is kept: each press makes a new page. So it says what is not sent yet, and
// asks once before it goes.
//
// Reads   form[data-act]                      the frame of a form (its fields name it with form="…")
//         form.match-line__more               the buttons that let time go by
// Writes  #unsent-line                        that something is not sent yet
// Tells   document event "genius:toast"       when a press would lose it: the next press does

const line = document.getElementById("unsent-line");
let warned = "";

// A lot that is chosen on the board is no answer yet.
const isTyped = (field) =>
  field.name && !field.matches("[type=hidden], button, [data-lot-field]") &&
  (field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked
    : field.options ? [...field.options].some((option, place) => option.selected !== option.defaultSelected && place) : field.value !== field.defaultValue);
const typedBeside = (sent) => [...document.querySelectorAll("form[data-act]")]
  .filter((form) => form !== sent)
  .flatMap((form) => [...form.elements].filter(isTyped).map((field) => `${form.id} ${field.name} ${field.value} ${field.checked}`))
  .join("\n");

function show() {
  const text = typedBeside(null) ? "Not sent yet." : "";
  if (line.textContent === text) return;
  line.replaceChildren();
  if (!text) return;
  line.append(Object.assign(document.createElement("span"), { textContent: text }));
}

function stop(event) {
  const form = event.target;
  if (!form.matches("form[data-act], .match-line__more")) return;
  const lost = typedBeside(form);
  if (!lost || lost === warned) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  warned = lost;
  const what = form.matches("[data-act]") ? "Something else is not sent yet" : "Not sent yet";
  const button = event.submitter?.textContent.trim() ?? "the button";
  document.dispatchEvent(new CustomEvent("genius:toast", { detail: `${what}. Send it first, or choose “${button}” again to go on without it.` }));
}

if (line) {
  for (const kind of ["input", "change"]) document.addEventListener(kind, () => queueMicrotask(show));
  document.addEventListener("submit", stop, true); // before what takes a button for pressed
  show();
}
