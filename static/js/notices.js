// Notices stay until read. Their form marks them read on the server; here that happens without a new page.
//
// Reads   form[data-dismiss] inside [data-notice]      posted in the background
//         button[data-dismiss] inside [data-notice]    a message of this page only: just taken away

function takeAway(notice) {
  const next = notice.nextElementSibling ?? notice.previousElementSibling;
  const heldFocus = notice.contains(document.activeElement);
  notice.remove();
  if (heldFocus) (next?.querySelector("a, button") ?? document.getElementById("main"))?.focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-dismiss]");
  const notice = form?.closest("[data-notice]");
  if (!notice) return;
  event.preventDefault();
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    takeAway(notice);
  } catch {
    // It would only come back with the next page: say so, rather than pretend.
    document.dispatchEvent(new CustomEvent("genius:toast", { detail: "That did not reach the server. Please try again in a moment." }));
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-dismiss]");
  const notice = button?.closest("[data-notice]");
  if (notice) takeAway(notice);
});
