// While a host types: what the server says of it, and a warning before it is lost. Without this script a form is checked
// when it is sent.
//
// Reads   form[data-reads="id"]      is sent with `_check` after a pause in typing; the answer is shown in that element
//         form[data-check]           the same; the answer is JSON: errors by [data-field], and a line for [data-said]
//         form[data-unsaved]         warns before the page is left with typed values that were not sent; "yes": the page
//                                    came with such values
//         [data-print]               prints the page

const PAUSE = 500; // ms

function sentAfterPause(form, take) {
  let timer = 0;
  let latest = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++latest;
      const body = new FormData(form);
      body.append("_check", "1");
      try {
        const headers = { "X-Requested-With": "fetch" };
        const answer = await fetch(location.href, { method: "POST", body, headers, credentials: "same-origin" });
        if (answer.ok && !answer.redirected && mine === latest) await take(answer);
      } catch {
        // No connection: sending the form checks it as well.
      }
    }, PAUSE);
  });
}

for (const form of document.querySelectorAll("form[data-reads]")) {
  const shown = document.getElementById(form.dataset.reads);
  sentAfterPause(form, async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    shown.replaceChildren(...page.body.childNodes);
  });
}

function errorOf(text) {
  const line = document.createElement("p");
  line.className = "field__error";
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

for (const form of document.querySelectorAll("form[data-check]")) {
  const said = form.querySelector("[data-said]");
  sentAfterPause(form, async (answer) => {
    const found = await answer.json();
    for (const field of form.querySelectorAll("[data-field]")) showErrors(field, found.errors[field.dataset.field] ?? []);
    if (said.textContent !== found.said) said.textContent = found.said;
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
