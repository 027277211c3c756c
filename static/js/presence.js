// Tells the site that its reader has just touched a page: then nothing has to be sent elsewhere.
//
// Reads   #notices-form[data-here="address"]    where to say so, and the token that goes with it
// Keeps   "genius:here" in localStorage, so that all tabs together say so once in a while

const EVERY = 20_000;
const NAME = "genius:here";

const form = document.getElementById("notices-form");

function isSaid(now) {
  try {
    const last = Number(localStorage.getItem(NAME));
    if (last <= now && now < last + EVERY) return true;
    localStorage.setItem(NAME, String(now));
  } catch {
    // Without storage the site itself takes care that this is cheap.
  }
  return false;
}

function touched() {
  if (document.hidden || isSaid(Date.now())) return;
  navigator.sendBeacon(form.dataset.here, new FormData(form));
}

if (form) {
  for (const name of ["pointerdown", "keydown", "submit"]) document.addEventListener(name, touched, { capture: true, passive: true });
  document.addEventListener("visibilitychange", touched);
  setTimeout(touched); // storage is slow to begin with, and nobody waits for it
}
