// Small controls that plain HTML does not have. Everything also works without this script, less conveniently.
//
// Reads   [data-stepper] with an input and button[data-step="-1|1"]     minus and plus beside a number
//         [data-open-sheet="id"]     opens the action sheet on a phone; on a desktop it is always there.
//                                    A plain link to …#id needs no attribute: arriving there opens the sheet
//         [data-open-dialog="id"], [data-close-dialog]                  <dialog>, modal
//         [data-copy="id"]           copies that element's text or value
//         [data-share="id"]          hands that element's text, a page and a picture to another app; hidden without one
//         select[data-zone]          says which is the browser's time zone, when somebody comes to it
//         select[data-zone="here"]   nothing is chosen yet: the browser's is
//         [data-keeps-place]         the page comes anew after each form: the keyboard stays at its button
//         form[data-once]            its button is disabled until the answer comes
//         [data-refused]             what is wrong with the form that was sent: read first

const phone = window.matchMedia("(width < 60rem)");

function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!sheet) return;
  if (phone.matches && !sheet.matches(":popover-open")) sheet.showPopover();
  sheet.querySelector("[data-first-field]")?.focus();
}

// An open popover cannot be part of the column: close the sheet when the layout changes to columns.
phone.addEventListener("change", () => {
  document.querySelectorAll(".sheet:popover-open").forEach((sheet) => sheet.hidePopover());
});

function openSheetOfAddress() {
  const sheet = location.hash && document.getElementById(location.hash.slice(1));
  if (sheet && sheet.matches(".sheet[popover]")) openSheet(sheet.id);
}

window.addEventListener("hashchange", openSheetOfAddress);
openSheetOfAddress();

function takeStep(button) {
  const input = button.closest("[data-stepper]").querySelector("input");
  // An empty field counts from its placeholder if that is a number, else from its minimum: plus makes it the minimum, but
  // where that is nothing, the first that is something.
  const begins = input.value === "" && input.placeholder === "" && Number(input.min) !== 0;
  if (input.value === "") input.value = input.placeholder || input.min || "0";
  if (!begins && Number(button.dataset.step) > 0) input.stepUp();
  else if (!begins) input.stepDown();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const text = source.value ?? source.textContent.trim();
  let told = "Copied.";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    told = "Your browser does not let us copy. It is selected: please copy it yourself.";
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
  }
  document.dispatchEvent(new CustomEvent("genius:toast", { detail: told }));
}

async function share(button) {
  const { share, title, url, picture } = button.dataset;
  // The app adds the link, which stands in the text as <link>.
  const words = { title, url, text: document.getElementById(share).value.replace(`<${url}>`, "").trim() };
  try {
    const answer = await fetch(picture);
    const files = [new File([await answer.blob()], "result.png", { type: "image/png" })];
    await navigator.share(answer.ok && navigator.canShare?.({ files }) ? { ...words, files } : words);
  } catch (error) {
    if (error.name !== "AbortError") await copy({ dataset: { copy: share } });
  }
}

document.addEventListener("click", (event) => {
  const pressed = (selector) => event.target.closest(selector);
  const stepButton = pressed("[data-stepper] [data-step]");
  if (stepButton) takeStep(stepButton);
  const sheetOpener = pressed("[data-open-sheet]:not(a[href]:not([data-hx-get]))");
  if (sheetOpener) openSheet(sheetOpener.dataset.openSheet);
  const dialogOpener = pressed("[data-open-dialog]");
  if (dialogOpener) document.getElementById(dialogOpener.dataset.openDialog)?.showModal();
  pressed("[data-close-dialog]")?.closest("dialog").close();
  const copier = pressed("[data-copy]");
  if (copier) copy(copier);
  const sharer = pressed("[data-share]");
  if (sharer) share(sharer);
});

for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;

const PLACE = "place-of-the-keyboard";
const keepsPlace = document.querySelector("[data-keeps-place]");

function keepPlace({ submitter }) {
  if (!keepsPlace || !submitter?.matches(":focus-visible")) return;
  const { form, name } = submitter;
  const button = form.id ? `button[form="${form.id}"][type="submit"]` : `button[name="${name}"]`;
  sessionStorage.setItem(PLACE, button);
}

if (keepsPlace) {
  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (place) document.querySelector(place)?.focus({ preventScroll: true, focusVisible: true });
}

document.addEventListener("submit", keepPlace);

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-once]");
  const button = event.submitter;
  if (!form || !button || form.hasAttribute("data-hx-post")) return; // htmx has its own hx-disable
  // Only after the form's data is collected, because it leaves out a disabled button's name.
  setTimeout(() => (button.disabled = true));
});

// On a page from the browser's history the button would otherwise stay disabled.
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-once] button:disabled").forEach((button) => (button.disabled = false));
});

document.querySelector("[data-refused]")?.focus();

// The first question for the zone takes a slow machine a tenth of a second, so it waits until somebody comes to choose.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const suggest = () => {
    if (select.dataset.zone === "said") return;
    const isOpen = select.dataset.zone === "here";
    select.dataset.zone = "said";
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const option = [...select.options].find((candidate) => candidate.value === zone);
    if (!option) return;
    option.textContent = `${option.textContent} (this browser)`;
    option.selected ||= isOpen;
  };
  if (select.dataset.zone === "here") setTimeout(suggest);
  for (const coming of ["focus", "pointerenter"]) select.addEventListener(coming, suggest);
}

// From the first look on things may fade (tokens.css).
requestAnimationFrame(() => document.documentElement.classList.add("ready"));
