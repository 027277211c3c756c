// Notices stay until read. A form marks them as read on the server; this script does so without a new page.
//
// Reads   button[data-read] of #notices-form     posted in the background; the answer is the remaining notices
//         button[data-dismiss] in [data-notice]  a message of this page only: just removed

function keepFocus(notice) {
  const next = notice.nextElementSibling ?? notice.previousElementSibling;
  return notice.contains(document.activeElement) ? () => (next?.querySelector("a, button") ?? document.getElementById("main"))?.focus() : () => {};
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.id !== "notices-form" || !button) return;
  event.preventDefault();
  const settle = keepFocus(button.closest("[data-notice]"));
  const body = new FormData(form);
  body.set(button.name, button.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin", headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const unfolded = document.getElementById("older-notices")?.open;
    document.getElementById("notices").innerHTML = await answer.text();
    document.getElementById("older-notices")?.toggleAttribute("open", Boolean(unfolded));
    settle();
  } catch {
    // The notice would come back with the next page, so say that it was not marked.
    document.dispatchEvent(new CustomEvent("genius:toast", { detail: "That did not reach the server. Please try again in a moment." }));
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-dismiss]");
  const notice = button?.closest("[data-notice]");
  if (!notice) return;
  const settle = keepFocus(notice);
  notice.remove();
  settle();
});
