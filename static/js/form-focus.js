// Keeps the focus in the player's form where a push changes it: a field that goes away with its round must not throw
// the reader to the page's top.
//
// Reads   #part-act    the form's fields, which pushes change

const fragment = document.getElementById("part-act");
let within = null; // the field that has the focus

function keepFocus() {
  if (!within || within.isConnected || document.activeElement !== document.body) return;
  within = null;
  fragment.querySelector(":is(input, select, textarea, button):not([type=hidden], [hidden], [tabindex='-1'])")?.focus();
}

if (fragment) {
  document.addEventListener("focusin", ({ target }) => (within = fragment.contains(target) ? target : null));
  document.addEventListener("focusout", ({ target }) => queueMicrotask(() => target === within && target.isConnected && (within = null)));
  new MutationObserver(keepFocus).observe(fragment, { subtree: true, childList: true });
}
