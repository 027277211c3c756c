// Keeps what a player has typed and not sent: over a reload, through a pause, a push and a purchase. It stays in this tab
// of this browser (sessionStorage), under a name of the match and the person, and goes with the tab.
//
// Reads   #unsent[data-keep]                  the name under which it is kept
//         form[data-act]                      the frame of a form (its fields name it with form="…")
//         [data-unsent-as="on 6"]             a number is called "3 on 6"; other fields by their labels
//         #part-status [data-part]            the present round or phase: what was typed in another did not count
// Writes  #unsent-line                        what is not sent yet, with a button that discards it
//         #unsent-late                        what did not count, in the sheet, which lies over that line on a phone
// Tells   document event "genius:announce" when a round closes before a form was sent

const LONGEST_WORDS = 180;
const OF_THE_FRAME = new Set(["type", "key", "csrfmiddlewaretoken"]);

const store = document.getElementById("unsent");
const NAME = `unsent:${store?.dataset.keep}`;
const line = document.getElementById("unsent-line");
const lateLine = document.getElementById("unsent-late");
const fragment = document.getElementById("part-act");
const status = document.getElementById("part-status");

const unsent = new Map(); // type of a form -> {part, values, words}
const sent = new Map(); // type -> what was in `unsent` when the form was sent, until its answer is there
let late = ""; // what did not count
let applying = false;
let typing = null; // the form of a field that is just being changed

const partNow = () => status.querySelector("[data-part]")?.dataset.part ?? "";
const frameOf = (type) => document.getElementById(`act-${type}`);
const announce = (text) => document.dispatchEvent(new CustomEvent("genius:announce", { detail: text }));
const typeOf = (form) => form.elements.namedItem("type").value;
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.type !== "hidden" && !field.matches("button"));
const valuesOf = (form) => [...new FormData(form)].filter(([name]) => !OF_THE_FRAME.has(name));

// -- what was typed ----------------------------------------------------------------------------------

function isAsServed(field) {
  if (field.matches("select")) {
    const options = [...field.options];
    const chosen = options.filter((option) => option.defaultSelected);
    if (!chosen.length && !field.multiple) return field.selectedIndex <= 0;
    return options.every((option) => option.selected === option.defaultSelected);
  }
  if (field.matches('[type=number][min="0"]') && Number(field.value) === Number(field.defaultValue)) return true; // "0" or nothing
  return field.matches("[type=checkbox], [type=radio]") ? field.checked === field.defaultChecked : field.value === field.defaultValue;
}

const changedIn = (form) => fieldsOf(form).filter((field) => !isAsServed(field));
const ofLabel = (label) => [...(label?.childNodes ?? [])].filter((node) => node.localName !== "small").map((node) => node.textContent).join("");
const labelOf = (field) => (field.getAttribute("aria-label") ?? ofLabel(field.labels?.[0])).replace(/\s+/g, " ").trim();

const isTicked = (field) => field.matches("[type=checkbox], [type=radio]");

function wordsOf(field) {
  if (isTicked(field)) return labelOf(field);
  const { unsentAs } = field.dataset;
  return unsentAs ? `${field.value} ${unsentAs}` : `${labelOf(field)}: ${field.value}`;
}

// As the button names it ("Bid 1 on 6"), without its verb; else field by field, as many as are short enough.
function inWords(form) {
  const button = document.querySelector(`button[data-says][form="${form.id}"]`);
  const named = button?.dataset.plain !== undefined && button.textContent !== button.dataset.plain;
  if (named) return button.textContent.trim().replace(/^\S+ /, "");
  const typed = changedIn(form).filter((field) => field.value !== "").map(wordsOf);
  let shown = typed.length;
  while (shown > 1 && typed.slice(0, shown).join(", ").length > LONGEST_WORDS) shown -= 1;
  const words = typed.slice(0, shown).join(", ");
  return shown < typed.length ? `${words} and ${typed.length - shown} more` : words.slice(0, LONGEST_WORDS);
}

// A lot that is chosen on the board is no answer yet; it is one beside the amount that counts on another lot.
const isAnswer = (field) => !field.matches("[data-lot-field]") || (field.dataset.lotField && fieldsOf(field.form).every(({ value }) => value));
const isTyped = (form) => changedIn(form).some(isAnswer);

function changed(form) {
  const type = typeOf(form);
  if (!isTyped(form)) {
    if (unsent.has(type)) forget(type);
    show();
    return;
  }
  unsent.set(type, { part: partNow(), values: valuesOf(form), words: inWords(form) });
  late = "";
  keep();
  show();
}

// -- keeping it --------------------------------------------------------------------------------------

function keep() {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...unsent]));
  } catch {
    // No room, or storage is off: it stays on the page.
  }
}

function forget(type) {
  unsent.delete(type);
  keep();
}

function discardAll() {
  late = "";
  for (const type of unsent.keys()) {
    forget(type);
    asServed(type);
  }
  show();
  // A refused form was served as it was typed: only a new page has what counts.
  if (document.querySelector("#answer .field__error, #part-act .field__error")) location.replace(location.pathname);
}

// -- showing it again --------------------------------------------------------------------------------

function quietly(fields) {
  applying = true;
  for (const field of fields) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  applying = false;
}

function asServed(type) {
  const form = frameOf(type);
  if (!form) return;
  const fields = changedIn(form);
  form.reset();
  quietly(fields);
}

function put(field, left) {
  const mine = left.filter(([name]) => name === field.name);
  if (field.matches("[type=checkbox], [type=radio]")) field.checked = mine.some(([, value]) => value === field.value);
  else if (field.multiple) for (const option of field.options) option.selected = mine.some(([, value]) => value === option.value);
  else if (mine.length) field.value = left.splice(left.indexOf(mine[0]), 1)[0][1];
}

const stateOf = (field) => `${field.checked} ${field.options ? [...field.selectedOptions].map((option) => option.value) : field.value}`;
const isShown = (form, entry) => JSON.stringify(valuesOf(form)) === JSON.stringify(entry.values);

function apply(type) {
  const form = frameOf(type);
  const entry = unsent.get(type);
  if (!form || entry?.part !== partNow() || !fieldsOf(form).length || isShown(form, entry)) return;
  const left = [...entry.values];
  const before = new Map(fieldsOf(form).map((field) => [field, stateOf(field)]));
  for (const field of before.keys()) put(field, left);
  quietly([...before.keys()].filter((field) => stateOf(field) !== before.get(field)));
}

// -- saying it ---------------------------------------------------------------------------------------

function write(place, text) {
  if (!place || (place.firstElementChild?.textContent ?? "") === text) return;
  place.replaceChildren();
  if (!text) return;
  const said = document.createElement("span");
  said.textContent = said.title = text;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button--quiet button--small";
  button.textContent = late ? "All right" : "Discard";
  button.addEventListener("click", discardAll);
  place.append(said, button);
}

function show() {
  const words = [...unsent.values()].map((entry) => entry.words).filter(Boolean).join("; ");
  write(line, late || (unsent.size ? `Not sent yet${words && ": "}${words}` : ""));
  write(lateLine, late);
}

function nameOf(part) {
  const short = part.replace(/ of .*/, "");
  return short.startsWith("Round") ? `${short} closed` : `“${short}” is over`;
}

function sayLate(entry) {
  late = `${nameOf(entry.part)}; your unsent ${entry.words || "answer"} did not count.`;
  announce(late);
}

// -- what happens meanwhile --------------------------------------------------------------------------

let partShown; // set at the start

function atAnotherPart() {
  const part = partNow(); // none when the match is over
  if (part === partShown || !status.querySelector("[data-part]")) return;
  partShown = part;
  for (const [type, entry] of unsent) {
    if (entry.part === part) continue;
    if (sent.get(type) !== entry) sayLate(entry); // else it may be what ended that part, and its answer is on its way
    forget(type);
  }
  // What a field still shows from the round before goes with it, kept or not.
  document.querySelectorAll("form[data-act]").forEach((form) => asServed(typeOf(form)));
  show();
}

// -- the start ---------------------------------------------------------------------------------------

function keptBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
  } catch {
    return [];
  }
}

function takeUp() {
  const lot = new URLSearchParams(location.search).get("lot");
  for (const [type, entry] of keptBefore()) {
    const chosen = document.querySelector(`[data-lot-field][form="act-${type}"]`);
    const frame = frameOf(type);
    if (frame && isTyped(frame)) continue; // before this script was there: that is newer
    if (entry.part !== partShown) sayLate(entry);
    else if (!lot || !chosen || entry.values.some(([name, value]) => name === chosen.name && value === lot)) {
      // The address may name another lot: then the reader came for that one.
      unsent.set(type, entry);
      apply(type);
    }
  }
  keep();
  show();
}

function start() {
  partShown = partNow();
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.form;
      // After act.js, which names the button.
      const byReader = !applying;
      queueMicrotask(() => {
        const isAct = byReader && form?.matches?.("[data-act]");
        // A field that a push takes away tells of its change as it goes; what was typed stays.
        if (isAct && event.target.isConnected) changed(form);
        else if (isAct) apply(typeOf(form));
        typing = null;
      });
    });
    // Before act.js: it changes the fragment, and that must not bring back what was typed before.
    document.addEventListener(kind, (event) => (typing = event.target.form), true);
  }
  new MutationObserver(atAnotherPart).observe(status, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-part"] });
  new MutationObserver(() => {
    for (const type of unsent.keys()) if (frameOf(type) !== typing) apply(type);
  }).observe(fragment, { subtree: true, childList: true });
  document.addEventListener("htmx:before:request", ({ target }) => {
    if (target.matches?.("form[data-act]")) sent.set(typeOf(target), unsent.get(typeOf(target)));
  });
  document.addEventListener("htmx:finally:request", ({ target }) => {
    if (target.matches?.("form[data-act]")) sent.delete(typeOf(target));
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (!event.target.matches?.("form[data-act]")) return;
    if (event.detail.ctx.response.headers.get("X-Match-Answer") !== "accepted") return;
    const type = typeOf(event.target);
    // What was typed since it was sent is the next one: a push may have shown the first before this answer came.
    if (unsent.get(type) !== sent.get(type)) apply(type);
    else if (unsent.has(type)) forget(type);
    show();
  });
  takeUp();
}

if (store && line && fragment) start();
