// The player's forms: forecasts, receipts, sending exactly once. Choosing a lot is in lots.js.
//
// Reads   form[data-act]                      the frame of a form (its fields name it with form="…"); data-preview
//         button[data-says="Bid {amount} on {seat}"]   is named by what is typed; {count*2} multiplies
//         #forecast-<type>                    what the server says would happen
// Hears   document event "genius:new-notices"   then the last form's receipt may be out of date
// Keeps   a random key in sessionStorage while an answer is out, so that the same form sent again counts once; nothing
//         of what was typed

const PAUSE_BEFORE_ASKING = 350;

const typeOf = (form) => form.elements.namedItem("type").value;
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.type !== "hidden" && field.type !== "submit");

// -- forecasts ---------------------------------------------------------------------------------------

// Whoever is chosen is called as everywhere else.
const nameOfChosen = (form, name) => document.querySelector(`[form="${form.id}"][name="${name}"]:checked`)?.labels[0]?.querySelector(".mark__name")?.textContent;

function nameButtons() {
  for (const button of document.querySelectorAll("button[data-says][form]")) {
    button.dataset.plain ??= button.textContent;
    const form = document.getElementById(button.getAttribute("form"));
    const data = form ? new FormData(form) : new FormData();
    let complete = true;
    const text = button.dataset.says.replace(/\{(\w+)(?:\*(\d+))?\}/g, (_, name, times) => {
      const value = (form && nameOfChosen(form, name)) ?? data.get(name);
      if (!value) complete = false;
      return times ? Number(value) * Number(times) : value;
    });
    const wanted = complete ? text : button.dataset.plain;
    if (button.textContent !== wanted) button.textContent = wanted;
  }
}

const asked = new Map();
const said = new WeakMap(); // element of a forecast -> its first text, and the server's latest one
const forecastOf = (form) => document.getElementById(`forecast-${typeOf(form)}`);

// Before a game's own script writes there.
function noteFirstTexts() {
  for (const shown of document.querySelectorAll('[id^="forecast-"]')) {
    if (!said.has(shown)) said.set(shown, { first: shown.innerHTML });
  }
}

function showFirstText(shown) {
  const { first } = said.get(shown) ?? {};
  if (first !== undefined && shown.innerHTML !== first) shown.innerHTML = first;
}

const chosenIn = (form) => JSON.stringify(fieldsOf(form).map((field) => [field.name, field.value, field.checked]));

async function ask(form) {
  const shown = forecastOf(form);
  if (!shown || !form.dataset.preview) return;
  noteFirstTexts();
  const body = new URLSearchParams(new FormData(form));
  const chosen = chosenIn(form);
  const number = (asked.get(form) ?? 0) + 1;
  asked.set(form, number);
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) return;
    const text = await answer.text();
    // Meanwhile something else may have been asked or chosen, or another form may have taken this one's place.
    if (asked.get(form) !== number || !form.isConnected || chosenIn(form) !== chosen) return;
    const before = said.get(shown);
    // Said again, it stays as it is: somebody may be pressing a button in it.
    if (before.text === text && before.last === shown.innerHTML) return;
    shown.innerHTML = text;
    Object.assign(before, { text, last: shown.innerHTML });
  } catch {
    // A forecast may fail: the form shows errors after it is sent.
  }
}

const isEmpty = (form) => fieldsOf(form).every((field) => field.value === "");

// An emptied form has no forecast; text by the game's own script stays as long as something is chosen.
function forget(form) {
  const shown = forecastOf(form);
  asked.set(form, (asked.get(form) ?? 0) + 1);
  if (shown && (isEmpty(form) || said.get(shown)?.last === shown.innerHTML)) showFirstText(shown);
}

// A form that came anew with its part of the page is empty, and nobody has typed: its forecast stays with the page.
function forgetEmptied() {
  for (const form of document.querySelectorAll("form[data-act][data-preview]")) {
    const shown = forecastOf(form);
    const last = shown && said.get(shown)?.last;
    if (last && last === shown.innerHTML && isEmpty(form)) forget(form);
  }
}

const waiting = new Map();

// Of fields with several entries (`bids[7]`) some may stay empty, and optional ones.
function isFilledIn(form) {
  const fields = fieldsOf(form);
  const filled = (field) => field.value !== "";
  return fields.some(filled) && fields.every((field) => filled(field) || field.name.includes("[") || "optional" in field.dataset);
}

function askSoon(form) {
  clearTimeout(waiting.get(form));
  waiting.set(form, setTimeout(() => (isFilledIn(form) ? ask(form) : forget(form)), PAUSE_BEFORE_ASKING));
}

function typed(event) {
  const form = event.target.form;
  if (!form?.matches("[data-act]")) return;
  const wrong = event.target.closest('[aria-invalid="true"]'); // the field, or the choices that it is one of
  if (wrong) {
    document.getElementById(wrong.getAttribute("aria-describedby")?.match(/\S+-error\b/)?.[0])?.remove();
    wrong.removeAttribute("aria-invalid");
  }
  dropReceipt();
  nameButtons();
  askSoon(form);
}

document.addEventListener("input", typed);
document.addEventListener("change", typed);

// What was typed before the scripts were there, or put back by the browser, counts as typed as soon as all of them listen.
function isTyped(field) {
  if (field.matches("[data-lot-field]")) return false; // chosen by the address, perhaps, and no answer yet
  if (!field.matches("select")) return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  const served = [...field.options].find((each) => each.defaultSelected) ?? field.options[0];
  return !field.multiple && field.selectedOptions[0] !== served;
}

const early = [...document.querySelectorAll("form[data-act]")].flatMap(fieldsOf).filter(isTyped);
queueMicrotask(() => early.forEach((field) => field.dispatchEvent(new Event("input", { bubbles: true }))));

// -- the receipt: shown until something new is typed, or something else counts ------------------------

const partNow = () => document.querySelector("#part-status [data-part]")?.dataset.part;
const receiptNow = () => document.querySelector("#answer [data-said]");
let partAtSending;
let hasErrors = document.querySelector("#answer .field__error, #part-act .field__error") !== null;

function dropReceipt() {
  receiptNow()?.remove();
}

// A receipt names the part of the match, such as its round: what counted in one does not count in the next. Its action
// may have begun that part, and the push may come before, during or after the answer: so the part in which it was sent
// is accepted too.
function dropReceiptOfAnotherPart() {
  const receipt = receiptNow();
  if (receipt && ![receipt.dataset.part, partAtSending].includes(partNow())) dropReceipt();
}

const status = document.getElementById("part-status");
if (status) new MutationObserver(dropReceiptOfAnotherPart).observe(status, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-part"] });
// What was placed a moment ago has been lost since. Not what was lost before it, of which news may come later.
function dropReceiptOfWhatIsLost() {
  const [lost, receipt] = [document.querySelector("#notices .notice-card--lost"), receiptNow()];
  if (lost && receipt && new Date(lost.dataset.at) >= new Date(receipt.dataset.at)) dropReceipt();
}

document.addEventListener("genius:new-notices", dropReceiptOfWhatIsLost);
document.getElementById("act")?.addEventListener("beforetoggle", (event) => event.newState === "open" && dropReceipt());

// -- sending -----------------------------------------------------------------------------------------

const OWN_PARTS = ["#part-act", "#part-purse", "#part-panel", "#part-asked", "#part-private_feed"];
const storeName = (form) => `sent:${form.getAttribute("action")}:${typeOf(form)}`;

// If no answer comes, its key stays: sending the same again, even after a reload, gets the first answer and does nothing
// twice. Something else under that key is refused if the first has arrived, and the form gets a new key.
function reuseKey(form, body) {
  const key = sessionStorage.getItem(storeName(form)) ?? body.get("key");
  body.set("key", key);
  sessionStorage.setItem(storeName(form), key);
}

const formOf = (event) => (event.target.matches?.("form[data-act]") ? event.target : null);

const LONG = 1000; // milliseconds after which one wonders whether anything is being sent
const slow = new Map(); // form -> the timer that says that it is

function busy(form, is) {
  for (const button of document.querySelectorAll(`button[form="${form.id}"][type="submit"]`)) {
    button.setAttribute("aria-busy", String(is));
    delete button.dataset.sending;
  }
  clearTimeout(slow.get(form));
  if (is) slow.set(form, setTimeout(sayItTakesLong, LONG, form));
}

function sayItTakesLong(form) {
  for (const button of document.querySelectorAll(`button[form="${form.id}"][aria-busy="true"]`)) button.dataset.sending = "";
  document.dispatchEvent(new CustomEvent("genius:announce", { detail: "Still sending…" }));
}

function say(text, bad = false) {
  document.dispatchEvent(new CustomEvent("genius:toast", { detail: text }));
  const answer = document.getElementById("answer");
  if (!answer || !bad) return;
  const line = document.createElement("p");
  line.className = "field__error";
  line.textContent = text;
  answer.replaceChildren(line);
  showErrors();
}

// At a desk the forms scroll by themselves: what stands at their head may be out of sight when their button is pressed.
function showErrors() {
  document.querySelector("#answer .field__error")?.scrollIntoView({ block: "nearest" });
}

// A sign-in gives a new token, which the page as it is now has; if that is somebody else's, nothing is sent in their name.
async function renewToken() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const token = page.querySelector("form[data-act] [name=csrfmiddlewaretoken]")?.value;
  const isMine = token && page.getElementById("match").dataset.me === document.getElementById("match").dataset.me;
  if (isMine) document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => (field.value = token));
  return isMine;
}

async function sayItIsOld() {
  const then = (await renewToken().catch(() => false)) ? "Send it once more." : "Reload it and send that once more.";
  say(`This page is older than your sign-in, so nothing was sent. ${then}`, true);
}

document.addEventListener("htmx:config:request", (event) => {
  const form = formOf(event);
  if (!form) return;
  reuseKey(form, event.detail.ctx.request.body);
  // The answer then brings only what differs from what is shown here; errors are shown here alone.
  const { version, privateVersion } = document.getElementById("match").dataset;
  if (!hasErrors) event.detail.ctx.request.headers["X-Match-Seen"] = `${version} ${privateVersion}`;
});

document.addEventListener("htmx:before:request", (event) => {
  const form = formOf(event);
  if (!form) return;
  busy(form, true);
  partAtSending = partNow();
});

document.addEventListener("htmx:finally:request", (event) => {
  const form = formOf(event);
  if (form) busy(form, false);
});

// A push may have come before this answer, with a board that is newer; or with all that an accepted form has changed:
// then nothing is drawn again. What pushes do not bring always stays: what was said, and the form's next key.
function leaveOutWhatIsShown(form, { request, response: { headers } }, tasks) {
  const { version, privateVersion } = document.getElementById("match")?.dataset ?? {};
  const [ofAll, own] = ["X-Match-Version", "X-Match-Own-Version"].map((name) => Number(headers.get(name)));
  const isNewer = ofAll < Number(version);
  const hasAll = ofAll <= Number(version) && own > 0 && own <= Number(privateVersion);
  // Errors of a form that was sent before go only with the form that comes now: such a form does not name what is seen.
  const isShown = hasAll && headers.get("X-Match-Answer") === "accepted" && "X-Match-Seen" in request.headers;
  if (!isNewer && !isShown) return;
  const open = new Set([`#key-${typeOf(form)}`, ...(isShown ? [] : OWN_PARTS)]);
  tasks.splice(0, tasks.length, ...tasks.filter((task) => task.type !== "partial" || open.has(task.target) || open.has(`#${task.target?.id}`)));
}

document.addEventListener("htmx:before:swap", (event) => {
  const form = formOf(event);
  if (!form) return;
  const { ctx, tasks } = event.detail;
  const verdict = ctx.response.headers.get("X-Match-Answer");
  if (verdict === null) {
    event.preventDefault();
    ctx.response.status === 403 ? sayItIsOld() : say("The server could not answer. Nothing is lost: send it again.", true);
    return;
  }
  sessionStorage.removeItem(storeName(form));
  leaveOutWhatIsShown(form, ctx, tasks);
  hasErrors = verdict === "refused";
  if (verdict === "accepted") {
    form.reset();
    for (const field of fieldsOf(form)) if (field.matches("[data-amount-field]")) field.value = "";
  }
});

document.addEventListener("htmx:after:swap", (event) => {
  const form = formOf(event);
  if (!form) return;
  const receipt = receiptNow();
  nameButtons();
  if (!receipt) {
    showErrors();
    document.querySelector('#answer [name="sure"], #act [aria-invalid="true"]')?.focus();
    return;
  }
  // The form has been sent: ignore a forecast that is still on its way.
  clearTimeout(waiting.get(form));
  asked.set(form, (asked.get(form) ?? 0) + 1);
  if (forecastOf(form)) showFirstText(forecastOf(form));
  const sheet = document.getElementById("act");
  if (sheet?.matches(":popover-open")) {
    sheet.hidePopover();
    say(receipt.dataset.said);
  }
});

document.addEventListener("htmx:error", (event) => {
  const form = formOf(event);
  if (form) say("That did not reach the server. Send it again: it counts only once.", true);
});

const fragment = document.getElementById("part-act");
function keepUp() {
  nameButtons();
  noteFirstTexts();
  forgetEmptied();
}

// A morph changes existing text nodes.
if (fragment) new MutationObserver(keepUp).observe(fragment, { subtree: true, childList: true, characterData: true });

keepUp();
