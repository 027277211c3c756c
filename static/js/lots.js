// Choosing what a form is about: a lot on the board goes into the form, and the sheet with it opens.
//
// Reads   [data-lot] in [data-board]          choosing one puts it into [data-lot-field] and opens the sheet
//         a[href="#act"]                      opens the sheet
//         [data-lot-field="T"]                the lot of what counts now, which the field shows at first
//         ?lot=… in the address               the server has put it into the field: it is the reader's choice
// Tells   document event "genius:lot-chosen", detail: the lot's name

function choose(lot) {
  const field = document.querySelector("[data-lot-field]");
  if (!field) return false;
  field.value = lot;
  if (field.value !== lot) return false;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  document.dispatchEvent(new CustomEvent("genius:lot-chosen", { detail: lot }));
  return true;
}

function openSheet() {
  const sheet = document.getElementById("act");
  if (!sheet) return;
  if (getComputedStyle(sheet).display === "none") sheet.showPopover();
  const chosen = sheet.querySelector("[data-first-field]");
  if (sheet.matches(":popover-open")) {
    chosen?.focus({ preventScroll: true }); // no keyboard on a phone before something is chosen
  } else {
    // Fields may be folded away, for those who play on the board: then what unfolds them.
    const fields = [...sheet.querySelectorAll("#part-act :is(input, select, summary):not([type=hidden], [hidden])")];
    const first = chosen ?? fields.find((each) => each.checkVisibility());
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("click", (event) => {
  const lot = event.target.closest("[data-board] [data-lot]");
  if (lot && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if (choose(lot.dataset.lot)) openSheet();
    else lot.focus();
  }
  const toSheet = event.target.closest('a[href="#act"]');
  if (toSheet) {
    event.preventDefault();
    openSheet();
  }
});

// Pushes do not know the lot named in the address: they would choose the one of what counts now, with its amount. It is the
// reader's choice, and stays until they make another one or have other fields.
const lotField = document.querySelector("[data-lot-field]");
if (lotField?.value && lotField.value !== lotField.dataset.lotField) {
  const lot = lotField.value;
  let keeping = false;
  const keep = () => {
    if (!lotField.isConnected) keeper.disconnect();
    else if (lotField.value !== lot) {
      keeping = true;
      lotField.value = lot;
      for (const field of lotField.form.elements) if (field.dataset.lotAmount === "") field.value = "";
      lotField.dispatchEvent(new Event("change", { bubbles: true }));
      keeping = false;
    }
  };
  const keeper = new MutationObserver(keep);
  for (const option of lotField.options ?? []) option.defaultSelected = false;
  lotField.value = lot;
  keeper.observe(document.getElementById("part-act"), { subtree: true, childList: true, attributes: true });
  for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => keeping || target.form !== lotField.form || keeper.disconnect());
  if (location.hash === "#act") openSheet();
}
