// Playing on the board: what is typed for the chosen lot lies on it, not sent yet, between minus and plus.
//
// Reads   input[data-lot-amount="U"] in [data-stepper]   the field of a lot; without a value, of the one that is chosen
//         [data-lot-field="U"]                           the chosen lot; the one on which something counts now
//         [data-lot][data-unsent-at]                     where it lies: above, below, or (without a value) on it
// Writes  [data-chosen] of .match-table                  the chosen lot, for style sheets; at first the server does
// The form is the same with it and without. On a phone the sheet has minus and plus.

const table = document.querySelector(".table__board");
const unsent = table && table.appendChild(document.createElement("div"));

function buttonFor(step, sign) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: sign, tabIndex: -1 });
  button.addEventListener("click", () => {
    fieldOf(chosen())?.closest("[data-stepper]")?.querySelector(`[data-step="${step}"]`)?.click();
  });
  return button;
}

const chosen = () => document.querySelector("#part-act [data-lot-field]")?.value ?? "";

function fieldOf(lot) {
  if (!lot) return null;
  return document.querySelector(`#part-act [data-lot-amount="${CSS.escape(lot)}"]`) ?? document.querySelector('#part-act [data-lot-amount=""]');
}

function lay() {
  const lot = chosen();
  if (lot) table.parentElement.dataset.chosen = lot;
  else delete table.parentElement.dataset.chosen;
  const field = fieldOf(lot);
  const seat = field && document.querySelector(`#part-board [data-lot="${CSS.escape(lot)}"]`);
  unsent.hidden = !seat;
  if (!seat) return;
  number.textContent = field.value || field.placeholder || "…";
  unsent.dataset.at = seat.dataset.unsentAt ?? "";
  unsent.toggleAttribute("data-empty", !Number(field.value));
  // Nothing is unsent: the form shows what counts on this lot.
  unsent.toggleAttribute("data-counts", field.value === field.dataset.sealed && lot === document.querySelector("#part-act [data-lot-field]").dataset.lotField);
  more.disabled = field.closest("[data-stepper]").querySelector('[data-step="1"]').disabled;
  less.ariaLabel = `One less on ${lot}`;
  more.ariaLabel = `One more on ${lot}`;
  const [over, whole] = [seat.getBoundingClientRect(), table.getBoundingClientRect()];
  const top = { above: over.top - unsent.offsetHeight, below: over.bottom }[unsent.dataset.at] ?? over.bottom - unsent.offsetHeight - 4;
  unsent.style.width = unsent.dataset.at ? "" : `${over.width - 8}px`;
  unsent.style.top = `${top - whole.top}px`;
  unsent.style.left = `${over.left + over.width / 2 - whole.left}px`;
}

const number = document.createElement("span");
const less = buttonFor(-1, "−");
const more = buttonFor(1, "+");

if (unsent) {
  number.className = "on-board__number";
  unsent.className = "on-board";
  unsent.append(less, number, more);
  let frame = 0;
  const soon = () => {
    cancelAnimationFrame(frame); // a push changes much at once, and each look at where things are takes a layout
    frame = requestAnimationFrame(lay);
  };
  document.addEventListener("genius:lot-chosen", soon);
  document.addEventListener("input", soon);
  document.addEventListener("change", soon);
  new ResizeObserver(soon).observe(table);
  for (const id of ["part-board", "part-act"]) {
    const part = document.getElementById(id);
    if (part) new MutationObserver(soon).observe(part, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state", "value"] });
  }
  unsent.hidden = true;
  soon();
}
