// A person's notes about a match, kept while they type.
//
// Reads   form[data-notebook]   its text, and the version of it that the page knows

const REST = 1000;

const form = document.querySelector("form[data-notebook]");
const kept = form?.querySelector("[data-kept]");
let timer;
let requests = Promise.resolve();

async function save() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      credentials: "same-origin",
      keepalive: true,
      headers: { "X-Requested-With": "fetch" },
    });
    const { seen, error } = await answer.json();
    if (answer.ok) form.elements.seen.value = seen;
    kept.textContent = answer.ok ? "Kept" : error;
  } catch {
    kept.textContent = "Not kept: there is no connection. They are kept with the next change.";
  }
}

form?.addEventListener("input", () => {
  kept.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => (requests = requests.then(save)), REST);
});
window.addEventListener("pagehide", () => timer !== undefined && save());
