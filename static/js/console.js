// The hosts' console, beside site.js. Everything also works without this script, less conveniently.
//
// Reads   form[data-settings] with [data-updates]     a change there updates the form: usual values and boards
//         button[data-draws="id"] in a board         updates the board, and goes to the last field of that part
//         input[data-people]                          gets suggestions of usernames that begin as typed
//         [data-chooses="value"]                      what is typed there chooses that radio button of its form
import { make, write } from "./site.js";

// Of what htmx asks for, an answer may be another page, as after the end of a session: that is no part of this one.
const isPart = (response) => !response || (response.raw.ok && !response.raw.redirected);

document.addEventListener("htmx:before:swap", (event) => isPart(event.detail.ctx.response) || event.preventDefault());

{
  const settings = document.querySelector("form[data-settings]");
  let latest = 0;

  document.addEventListener("input", ({ target }) => {
    const choice = target.dataset.chooses && target.form.querySelector(`input[type="radio"][value="${target.dataset.chooses}"]`);
    if (choice) choice.checked = true;
  });

  async function drawn(button) {
    const mine = ++latest;
    const body = new FormData(settings);
    body.append("_update", button?.value || "1");
    try {
      const answer = await fetch(location.href, { method: "POST", body });
      if (!answer.ok || mine !== latest) return null;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return page.getElementById("game-settings");
    } catch {
      return null; // the button "Update the form" is still there
    }
  }

  async function drawAnew() {
    const fresh = await drawn();
    if (!fresh) return;
    takeUsual(fresh);
    replaceBoards(fresh);
  }

  // Typed values and the focus stay: only the grey values and the boards change.
  function takeUsual(fresh) {
    for (const input of fresh.querySelectorAll("input[placeholder][id]")) {
      const here = document.getElementById(input.id);
      if (here) here.placeholder = input.placeholder;
    }
    for (const option of fresh.querySelectorAll("select[id] option[value='']")) {
      const here = document.getElementById(option.parentElement.id)?.querySelector("option[value='']");
      if (here) here.textContent = option.textContent;
    }
  }

  function replaceBoards(fresh) {
    for (const board of fresh.querySelectorAll(".board-editor[id]")) {
      const here = document.getElementById(board.id);
      if (here && !here.contains(document.activeElement)) replaceBoard(here, board);
    }
  }

  // Open folds stay open.
  function replaceBoard(present, fresh) {
    for (const part of present.querySelectorAll("details[open][id]")) {
      fresh.querySelector(`#${CSS.escape(part.id)}`)?.setAttribute("open", "");
    }
    present.replaceWith(document.adoptNode(fresh));
  }

  settings?.addEventListener("change", (event) => {
    if (event.target.matches("[data-updates]")) drawAnew();
  });

  // A button that adds to a board: the server sends the board with one more empty place.
  async function drawBoard(button) {
    const fresh = await drawn(button);
    const board = button.closest(".board-editor");
    const redrawn = fresh?.querySelector(`#${CSS.escape(board.id)}`);
    if (!redrawn) return;
    replaceBoard(board, redrawn);
    const part = document.getElementById(button.dataset.draws);
    [...(part?.querySelectorAll("[data-begin]") ?? [])].at(-1)?.focus();
  }

  settings?.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-draws]");
    if (!button) return;
    event.preventDefault();
    drawBoard(button);
  });

  let asked = 0;

  async function offerPeople(input) {
    const mine = ++asked;
    const typed = input.value.trim();
    const list = document.getElementById("people");
    if (!typed || !list) return;
    const answer = await fetch(`${list.dataset.address}?q=${encodeURIComponent(typed)}`);
    if (!answer.ok || mine !== asked) return;
    const { people } = await answer.json();
    list.replaceChildren(...people.map((value) => make("option", { value })));
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-people]")) offerPeople(event.target).catch(() => {});
  });
}

// While a host types, htmx asks after a pause what the server says of it; here it is shown, and a warning before it is
// lost. Without scripts a form is checked when it is sent.
//
// Reads   [data-said]                in a form: gets a line of the answer, which is JSON; errors go to [data-field]
//         form[data-unsaved]         warns before the page is left with typed values that were not sent; "yes": the page
//                                    came with such values
//         [data-print]               prints the page
{
  function errorOf(text) {
    const line = make("p", { className: "field__error" });
    line.append(document.getElementById("error-icon").content.cloneNode(true), text);
    return line;
  }

  function showErrors(field, texts) {
    const id = `${field.dataset.field}_error`;
    for (const old of field.querySelectorAll(`#${CSS.escape(id)}, .field__error`)) old.remove();
    field.classList.toggle("console-field--wrong", texts.length > 0);
    const input = document.getElementById(field.dataset.field);
    input?.removeAttribute("aria-invalid");
    if (!texts.length) return;
    input?.setAttribute("aria-invalid", "true");
    const place = document.createElement("div");
    place.id = id;
    place.append(...texts.map(errorOf));
    field.append(place);
    const described = new Set((input?.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean));
    input?.setAttribute("aria-describedby", [...described.add(id)].join(" "));
  }

  for (const said of document.querySelectorAll("[data-said]")) {
    said.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
      if (!isPart(ctx.response)) return;
      const found = JSON.parse(ctx.text);
      for (const field of said.closest("form").querySelectorAll("[data-field]")) showErrors(field, found.errors[field.dataset.field] ?? []);
      write(said, found.said);
    });
  }

  for (const form of document.querySelectorAll("form[data-unsaved]")) {
    let unsaved = form.dataset.unsaved === "yes";
    form.addEventListener("input", () => (unsaved = true));
    document.addEventListener("submit", (event) => {
      if (event.target === form) unsaved = false;
    });
    window.addEventListener("beforeunload", (event) => {
      if (unsaved) event.preventDefault();
    });
  }

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}

// A part of the page that htmx asks for again and again, unless nobody sees it.
//
// Reads   [data-hx-get][data-stale="id"]   that element says that the site does not answer
for (const part of document.querySelectorAll("[data-stale]")) {
  const stale = document.getElementById(part.dataset.stale);
  part.addEventListener("htmx:before:request", (event) => document.hidden && event.preventDefault());
  part.addEventListener("htmx:before:swap", (event) => {
    const { ok, redirected, status } = event.detail.ctx.response.raw;
    stale.hidden = ok;
    if (redirected || status === 404) location.reload(); // signed out, or no longer there
  });
  part.addEventListener("htmx:error", () => (stale.hidden = false));
}
