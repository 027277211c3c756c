// The page of a match. In this order: what several parts share; what decides about the page as a whole; who is here; a sound
// when something is asked; the player's forms; choosing on the board; the feed aloud; what is not sent yet; the focus in the
// form; notes; playing on the board; what moves on it.

import { fire, isPlain, make, ofBrowser, ofTab, tell, watch, write } from "./site.js";

// The frame of a form of the player's, if this is an event of one; what it is called, and its fields.
const formOf = (event) => (event.target.matches?.("form[data-act]") ? event.target : null);
const typeOf = (form) => form.elements.namedItem("type").value;
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !field.matches("button, [type=hidden], [type=submit]"));
// All forms, what pushes change of them, and the phase.
const [sheet, fragment, status] = ["act", "part-act", "part-status"].map((id) => document.getElementById(id));
const partNow = () => status?.querySelector("[data-part]")?.dataset.part ?? "";
const isTicked = (field) => field.matches("[type=checkbox], [type=radio]");

function isAsServed(field) {
  if (field.matches("select")) {
    const options = [...field.options];
    const chosen = options.filter((option) => option.defaultSelected);
    if (!chosen.length && !field.multiple) return field.selectedIndex <= 0;
    return options.every((option) => option.selected === option.defaultSelected);
  }
  if (field.matches('[type=number][min="0"]') && Number(field.value) === Number(field.defaultValue)) return true; // "0" or nothing
  return isTicked(field) ? field.checked === field.defaultChecked : field.value === field.defaultValue;
}

// Says of the page as a whole what decides about parts of it that are not pushed (match.css). `:has()`
// would say it too, and have the whole page styled again with every push.
//
// Reads   #part-status > [data-phase]     the phase; "scheduled", "draft", "finished" and "cancelled" decide
//         #part-act                       whether it says more than [data-nothing-asked]
// Writes  #match[data-stage][data-act]
{
  const match = document.getElementById("match");

  function mark(name, value) {
    if (value && match.dataset[name] !== value) match.dataset[name] = value;
  }

  if (match) {
    watch(status, () => mark("stage", status.querySelector("[data-phase]")?.dataset.phase), "data-phase");
    watch(fragment, () => mark("act", fragment.firstChild && !fragment.querySelector(":scope > [data-nothing-asked]:only-child") ? "some" : "none"), "data-nothing-asked");
  }
}

// Who else has the match open now, where the page says so (templates/matches/includes/presence.html).
//
// Reads   #presence > [data-handle]       a line for each of the others
// Writes  [data-here] on it, and its words; [data-known] on #presence, which is not seen while nobody knows
// Hears   document event "genius:present", detail: the handles of those who are here, or null
// Tells   document event "genius:announce", of changes alone
{
  const all = document.getElementById("presence");
  let before = null;

  function show(present) {
    all.toggleAttribute("data-known", Boolean(present));
    if (!present) return;
    for (const one of all.children) {
      const { handle } = one.dataset;
      const isHere = present.includes(handle);
      one.toggleAttribute("data-here", isHere);
      one.querySelector(".presence__word").textContent = isHere ? "is here" : "is not here";
      if (before && before.includes(handle) !== isHere) {
        tell("announce", one.textContent.trim().replace(/\s+/g, " "));
      }
    }
    before = present;
  }

  if (all) document.addEventListener("genius:present", ({ detail }) => show(detail));
}

// A sound when something is asked of the player that was not asked before, for those who want it.
//
// Reads   #part-asked .asked__text        what is asked
//         [data-sound="on"]               the player wants it (templates/notices/sound.html)
// Tells   document event "genius:ring" (site.js)
{
  const part = document.getElementById("part-asked");
  const asked = () => new Set(Array.from(part.querySelectorAll(".asked__text"), (each) => each.textContent.trim()));

  if (part) {
    let before = asked();
    watch(part, () => {
      const now = asked();
      const isNew = [...now].some((each) => !before.has(each));
      before = now;
      if (isNew && document.querySelector('[data-sound="on"]')) tell("ring");
    });
  }
}

// The player's forms: forecasts, receipts, sending exactly once. Choosing a lot comes below.
//
// Reads   form[data-act]                      the frame of a form (its fields name it with form="…"); data-preview
//         button[data-says="Bid {amount} on {seat}"]   is named by what is typed; {count*2} multiplies
//         button[data-needs="2"]              so many must be ticked
//         #forecast-<type>                    what the server says would happen
// Writes  button[data-incomplete]             something is missing that it names or needs
// Hears   document events "genius:new-notices", then the last form's receipt may be out of date, and "genius:forecast", then
//           a forecast may be
// Keeps   a random key in sessionStorage while an answer is out, so that the same form sent again counts once; nothing
//         of what was typed
{
  const PAUSE_BEFORE_ASKING = 350;

  // -- forecasts ---------------------------------------------------------------------------------------

  // Whoever is chosen is called as everywhere else.
  const nameOfChosen = (form, name) => document.querySelector(`[form="${form.id}"][name="${name}"]:checked`)?.labels[0]?.querySelector(".mark__name")?.textContent;

  function nameButtons() {
    for (const button of document.querySelectorAll("button:is([data-says], [data-needs])[form]")) {
      button.dataset.plain ??= button.textContent;
      const form = document.getElementById(button.getAttribute("form"));
      const data = form ? new FormData(form) : new FormData();
      let complete = true;
      const text = (button.dataset.says ?? button.dataset.plain).replace(/\{(\w+)(?:\*(\d+))?\}/g, (_, name, times) => {
        const value = (form && nameOfChosen(form, name)) ?? data.get(name);
        if (!value) complete = false;
        return times ? Number(value) * Number(times) : value;
      });
      write(button, complete ? text : button.dataset.plain);
      const needs = Number(button.dataset.needs ?? 0);
      if (form && needs && fieldsOf(form).filter(({ checked }) => checked).length !== needs) complete = false;
      button.toggleAttribute("data-incomplete", !complete);
    }
  }

  const forecastOf = (form) => document.getElementById(`forecast-${typeOf(form)}`);
  const said = new WeakMap(); // element of a forecast -> what the server has said there last

  // Without a text its first one. Said again, it stays as it is: somebody may be pressing a button in it.
  function showForecast(form, text) {
    const shown = forecastOf(form);
    if (!shown || said.get(shown) === text) return;
    shown.dataset.plain ??= shown.innerHTML;
    shown.innerHTML = text ?? shown.dataset.plain;
    said.set(shown, text);
  }

  const UNKNOWN = '<p class="submission__forecast">…</p>';
  const bodyOf = (form) => new URLSearchParams(new FormData(form));
  const asked = new WeakMap(); // form -> what was in it when its forecast came

  async function ask(form) {
    if (!forecastOf(form) || !form.dataset.preview) return;
    const body = bodyOf(form);
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body });
      // Meanwhile something else may have been typed or sent, or another form may have taken this one's place.
      const text = await answer.text();
      if (!answer.ok || !form.isConnected || String(bodyOf(form)) !== String(body)) return;
      asked.set(form, String(body));
      showForecast(form, text);
    } catch {
      // A forecast may fail: the form shows errors after it is sent.
    }
  }

  const waiting = new Map();

  // What counts already is no forecast. Of fields with several entries (`bids[7]`) some may stay empty, or all of those that
  // counted, and optional ones.
  function isFilledIn(form) {
    const fields = fieldsOf(form);
    return !fields.every(isAsServed) && fields.every((field) => field.value !== "" || field.name.includes("[") || "optional" in field.dataset);
  }

  // Until the new one is there, nothing speaks of what was typed before.
  function askSoon(form) {
    clearTimeout(waiting.get(form));
    if (!isFilledIn(form)) return showForecast(form);
    if (asked.get(form) !== String(bodyOf(form))) showForecast(form, UNKNOWN);
    waiting.set(form, setTimeout(ask, PAUSE_BEFORE_ASKING, form));
  }

  function typed(event) {
    const form = event.target.form;
    if (!form?.matches("[data-act]")) return;
    const wrong = event.target.closest('[aria-invalid="true"]'); // the field, or the choices that it is one of
    if (wrong) {
      document.getElementById(wrong.getAttribute("aria-describedby")?.match(/\S+-error\b/)?.[0])?.remove();
      wrong.removeAttribute("aria-invalid");
    }
    dropReceipt();
    nameButtons();
    askSoon(form);
  }

  document.addEventListener("input", typed);
  document.addEventListener("change", typed);
  document.addEventListener("genius:forecast", () => document.querySelectorAll("form[data-act][data-preview]").forEach(askSoon));

  // What was typed before the scripts were there, or put back by the browser, counts as typed as soon as all of them listen.
  // A lot may be chosen by the address, and is no answer yet.
  const isEarly = (field) => !field.matches("[data-lot-field]") && !isAsServed(field);
  const early = [...document.querySelectorAll("form[data-act]")].flatMap(fieldsOf).filter(isEarly);
  queueMicrotask(() => early.forEach((field) => fire(field, "input")));

  // -- the receipt: shown until something new is typed, or something else counts ------------------------

  const receiptNow = () => document.querySelector("#answer [data-said]");
  let partAtSending;
  let hasErrors = document.querySelector("#answer .field__error, #part-act .field__error") !== null;
  document.querySelector('#answer a[href^="#"]')?.closest("p").remove(); // its field says it, and has the focus

  const dropReceipt = () => receiptNow()?.remove();

  // A receipt names the part of the match, such as its round: what counted in one does not count in the next. Its action
  // may have begun that part, and the push may come before, during or after the answer: so the part in which it was sent
  // is accepted too.
  function dropReceiptOfAnotherPart() {
    const receipt = receiptNow();
    if (receipt && ![receipt.dataset.part, partAtSending].includes(partNow())) dropReceipt();
  }

  watch(status, dropReceiptOfAnotherPart, "data-part");

  // What was placed a moment ago has been lost since. Not what was lost before it, of which news may come later.
  function dropReceiptOfWhatIsLost() {
    const [lost, receipt] = [document.querySelector("#notices .notice-card--lost"), receiptNow()];
    if (lost && receipt && new Date(lost.dataset.at) >= new Date(receipt.dataset.at)) dropReceipt();
  }

  document.addEventListener("genius:new-notices", dropReceiptOfWhatIsLost);
  sheet?.addEventListener("beforetoggle", (event) => event.newState === "open" && dropReceipt());

  // -- sending -----------------------------------------------------------------------------------------

  const OWN_PARTS = ["#part-act", "#part-purse", "#part-panel", "#part-asked", "#part-private_feed"];
  const storeName = (form) => `sent:${form.getAttribute("action")}:${typeOf(form)}`;

  // If no answer comes, its key stays: sending the same again, even after a reload, gets the first answer and does nothing
  // twice. Something else under that key is refused if the first has arrived, and the form gets a new key.
  function reuseKey(form, body) {
    const key = ofTab.get(storeName(form)) ?? body.get("key");
    body.set("key", key);
    ofTab.set(storeName(form), key);
  }

  const LONG = 1000; // milliseconds after which one wonders whether anything is being sent
  const slow = new Map(); // form -> the timer that says that it is

  function busy(form, is) {
    for (const button of document.querySelectorAll(`button[form="${form.id}"][type="submit"]`)) {
      button.setAttribute("aria-busy", String(is));
      delete button.dataset.sending;
    }
    clearTimeout(slow.get(form));
    if (is) slow.set(form, setTimeout(sayItTakesLong, LONG, form));
  }

  function sayItTakesLong(form) {
    for (const button of document.querySelectorAll(`button[form="${form.id}"][aria-busy="true"]`)) button.dataset.sending = "";
    tell("announce", "Still sending…");
  }

  // As the server says that it refuses something (templates/matches/answer.html).
  function sayNotSent(why) {
    tell("toast", `Not sent. ${why}`);
    const answer = document.getElementById("answer");
    if (!answer) return;
    const icon = document.querySelector("#act .icon").cloneNode(true);
    const shape = icon.querySelector("use");
    shape.setAttribute("href", shape.getAttribute("href").replace(/#.*/, "#alert"));
    const words = make("span");
    words.append(make("strong", { textContent: "Not sent." }), ` ${why}`);
    const error = make("p", { className: "field__error" });
    error.append(icon, words);
    answer.replaceChildren(error);
    showErrors();
  }

  // At a desk the forms scroll by themselves: what stands at their head may be out of sight when their button is pressed.
  function showErrors() {
    document.querySelector("#answer .field__error, .submission__foot > .field__error")?.scrollIntoView({ block: "nearest" });
  }

  // What is wrong with a form as a whole stands at its button: its sheet may have several, and the one at fault is the one
  // before the reader's eyes.
  function putErrorAtButton(form) {
    const foot = document.querySelector(`.act-fields[data-of="${typeOf(form)}"] > .submission__foot`);
    const error = document.querySelector("#answer > .field__error:not(:has(a))");
    if (foot && error) foot.prepend(error);
  }

  // A sign-in gives a new token, which the page as it is now has; if that is somebody else's, nothing is sent in their name.
  async function renewToken() {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const token = page.querySelector("form[data-act] [name=csrfmiddlewaretoken]")?.value;
    const isMine = token && page.getElementById("match").dataset.me === document.getElementById("match").dataset.me;
    if (isMine) document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => (field.value = token));
    return isMine;
  }

  async function sayItIsOld() {
    const then = (await renewToken().catch(() => false)) ? "Send it again." : "Reload the page and send it again.";
    sayNotSent(`This page is older than your sign-in. ${then}`);
  }

  document.addEventListener("htmx:config:request", (event) => {
    const form = formOf(event);
    if (!form) return;
    reuseKey(form, event.detail.ctx.request.body);
    // The answer then brings only what differs from what is shown here; errors are shown here alone.
    const { version, privateVersion } = document.getElementById("match").dataset;
    if (!hasErrors) event.detail.ctx.request.headers["X-Match-Seen"] = `${version} ${privateVersion}`;
  });

  document.addEventListener("htmx:before:request", (event) => {
    const form = formOf(event);
    if (!form) return;
    busy(form, true);
    partAtSending = partNow();
  });

  document.addEventListener("htmx:finally:request", (event) => {
    const form = formOf(event);
    if (form) busy(form, false);
  });

  // A push may have come before this answer, with a board that is newer; or with all that an accepted form has changed:
  // then nothing is drawn again. What pushes do not bring always stays: what was said, and the form's next key.
  function leaveOutWhatIsShown(form, { request, response: { headers } }, tasks) {
    const { version, privateVersion } = document.getElementById("match")?.dataset ?? {};
    const [ofAll, own] = ["X-Match-Version", "X-Match-Own-Version"].map((name) => Number(headers.get(name)));
    const isNewer = ofAll < Number(version);
    const hasAll = ofAll <= Number(version) && own > 0 && own <= Number(privateVersion);
    // Errors of a form that was sent before go only with the form that comes now: such a form does not name what is seen.
    const isShown = hasAll && headers.get("X-Match-Answer") === "accepted" && "X-Match-Seen" in request.headers;
    if (!isNewer && !isShown) return;
    const open = new Set([`#key-${typeOf(form)}`, ...(isShown ? [] : OWN_PARTS)]);
    tasks.splice(0, tasks.length, ...tasks.filter((task) => task.type !== "partial" || open.has(task.target) || open.has(`#${task.target?.id}`)));
  }

  document.addEventListener("htmx:before:swap", (event) => {
    const form = formOf(event);
    if (!form) return;
    const { ctx, tasks } = event.detail;
    const verdict = ctx.response.headers.get("X-Match-Answer");
    if (verdict === null) {
      event.preventDefault();
      ctx.response.status === 403 ? sayItIsOld() : sayNotSent("The server could not answer. Nothing is lost. Send it again.");
      return;
    }
    ofTab.set(storeName(form), null);
    leaveOutWhatIsShown(form, ctx, tasks);
    hasErrors = verdict === "refused";
    if (verdict === "accepted") {
      for (const field of fieldsOf(form)) if (field.matches("[data-amount-field]")) field.defaultValue = field.dataset.sealed ?? "";
      form.reset();
    }
  });

  document.addEventListener("htmx:after:swap", (event) => {
    const form = formOf(event);
    if (!form) return;
    const receipt = receiptNow();
    nameButtons();
    if (!receipt) {
      putErrorAtButton(form);
      showErrors();
      document.querySelector('#answer [name="sure"], #act [aria-invalid="true"]')?.focus();
      return;
    }
    clearTimeout(waiting.get(form));
    showForecast(form);
    if (sheet?.matches(":popover-open") || !sheet?.checkVisibility()) { // on a phone what was said is in the sheet
      sheet?.hidePopover();
      tell("toast", [receipt.dataset.said, receipt.querySelector("a").cloneNode(true)]);
    }
  });

  document.addEventListener("htmx:error", (event) => {
    const form = formOf(event);
    if (form) sayNotSent("That did not reach the server. Send it again. It counts only once.");
  });

  function keepUp() {
    nameButtons();
    // A form that came anew with its part of the page is as served, and nobody has typed: its forecast stays with the page.
    for (const form of document.querySelectorAll("form[data-act][data-preview]")) if (fieldsOf(form).every(isAsServed)) showForecast(form);
  }

  watch(fragment, keepUp);
  keepUp();
}

// Choosing what a form is about: a lot on the board goes into the form, and the sheet with it opens.
//
// Reads   [data-lot] in [data-board]          choosing one puts it into [data-lot-field] and opens the sheet
//         a[href="#act"]                      opens the sheet; a link in it to a part of it opens that part
//         [data-lot-field="T"]                the lot of what counts now, which the field shows at first
//         ?lot=… in the address               the server has put it into the field: it is the reader's choice
// Tells   document event "genius:lot-chosen", detail: the lot's name
{
  function choose(lot) {
    const field = document.querySelector("[data-lot-field]");
    if (!field) return false;
    if (![...field.options].some(({ value }) => value === lot)) return false; // such as one's own
    field.value = lot;
    fire(field, "change");
    tell("lot-chosen", lot);
    return true;
  }

  // One plays on the board, and the list of the same fields is folded away: on a phone the sheet is that list, and who came
  // by the keyboard has no buttons on the board.
  const unfold = (lists) => lists.forEach((list) => (list.open = true));
  sheet?.addEventListener("beforetoggle", ({ target }) => unfold(target.querySelectorAll(".list-form")));
  const unfoldInSheet = () => unfold(document.querySelectorAll("#act:popover-open .list-form"));
  watch(fragment, unfoldInSheet); // what was sent comes back folded
  unfoldInSheet(); // one came here by a link to it

  function openSheet(withLists) {
    if (!sheet) return;
    if (getComputedStyle(sheet).display === "none") sheet.showPopover();
    const chosen = sheet.querySelector("[data-first-field]");
    if (withLists) unfold(chosen ? [chosen.closest(".list-form")].filter(Boolean) : sheet.querySelectorAll(".list-form"));
    if (sheet.matches(":popover-open")) {
      chosen?.focus({ preventScroll: true }); // no keyboard on a phone before something is chosen
      requestAnimationFrame(() => chosen?.scrollIntoView({ block: "nearest" })); // once the sheet is laid out
    } else {
      const fields = [...sheet.querySelectorAll("#part-act :is(input, select, summary):not([type=hidden], [hidden])")];
      const first = [chosen ?? fields].flat().find((each) => each.checkVisibility()); // none where the list is folded away
      first?.focus({ preventScroll: true });
      first?.scrollIntoView({ block: "nearest" });
    }
  }

  document.addEventListener("click", (event) => {
    const lot = event.target.closest("[data-board] [data-lot]");
    if (lot && isPlain(event)) {
      event.preventDefault();
      if (choose(lot.dataset.lot)) openSheet(event.detail === 0);
      else lot.focus();
    }
    const link = event.target.closest('.sheet:popover-open a[href^="#"]');
    const part = link && document.getElementById(link.hash.slice(1));
    if (part?.closest(".sheet:popover-open")) {
      event.preventDefault(); // another address would close the sheet
      part.closest("details")?.setAttribute("open", "");
      part.scrollIntoView();
    }
    const toSheet = event.target.closest('a[href="#act"]');
    if (toSheet) {
      event.preventDefault();
      openSheet(true);
    }
  });

  // Pushes do not know the lot named in the address: they would choose the one of what counts now, with its amount. It is the
  // reader's choice, and no push touches it until they make another one or have other fields.
  const lotField = document.querySelector("[data-lot-field]");
  if (lotField?.value && lotField.value !== lotField.dataset.lotField) {
    const own = [...lotField.form.elements].filter((field) => field === lotField || field.dataset.lotAmount === "");
    const keep = (is) => own.forEach((field) => field.toggleAttribute("data-hx-morph-skip", is));
    keep(true);
    for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => target.form === lotField.form && keep(false));
    if (location.hash === "#act") openSheet();
  }
}

// Says new lines of the feed aloud, if the reader asks for it: somebody may bid every few seconds.
//
// Reads   #say-feed     the checkbox; its state is kept in this browser for all matches
//         #part-feed    with .feed__line, the newest first, each with an id of its own and .feed__text
// Tells   document event "genius:announce", detail: the line's words
{
  const asks = document.getElementById("say-feed");
  const feed = document.getElementById("part-feed");
  const KEPT_AS = "say-feed";

  const lines = () => [...feed.querySelectorAll(".feed__line")];

  // Without the mark before the words, whose letters and name nobody wants to hear: the sentence says who it was.
  function wordsOf(line) {
    const words = line.querySelector(".feed__text").cloneNode(true);
    words.querySelectorAll(".mark").forEach((mark) => mark.remove());
    return words.textContent.replace(/\s+/g, " ").trim();
  }

  if (asks && feed) {
    asks.closest("label").hidden = false;
    setTimeout(() => (asks.checked ||= ofBrowser.get(KEPT_AS) === "1")); // slow to begin with, and nobody waits for it
    asks.addEventListener("change", () => ofBrowser.set(KEPT_AS, asks.checked ? "1" : "0"));

    let known = new Set(lines().map((line) => line.id));
    watch(feed, () => {
      const fresh = lines().filter((line) => !known.has(line.id)).reverse();
      known = new Set(lines().map((line) => line.id));
      if (!asks.checked) return;
      for (const line of fresh) tell("announce", wordsOf(line));
    });
  }
}

// Keeps what a player has typed and not sent: over a reload, through a pause, a push and a purchase. It stays in this tab
// of this browser (sessionStorage), under a name of the match and the person, and goes with the tab.
//
// Reads   #unsent[data-keep]                  the name under which it is kept
//         form.match-line__more               at a practice table: the buttons that let time go by
//         form[data-act]                      the frame of a form (its fields name it with form="…")
//         [data-unsent-as="on 6"]             a number is called "3 on 6"; other fields by their labels
//         button[data-takes-back="bid"]       takes back what was sealed with that form: what is typed there goes with it
//         #part-status [data-part]            the present round or phase: what was typed in another did not count
// Writes  .unsent                             what is not sent yet, with a button that discards it, or what did not count: in
//                                             the bar, and in the sheet, which lies over the bar on a phone
// Tells   document event "genius:announce" when a round closes before a form was sent
{
  const LONGEST_WORDS = 180;
  const OF_THE_FRAME = new Set(["type", "key", "meant_for", "csrfmiddlewaretoken"]);

  const store = document.getElementById("unsent");
  const NAME = `unsent:${store?.dataset.keep}`;
  const GONE = `discarded:${store?.dataset.keep}`; // over the new page that discarding a refused form needs
  const line = document.getElementById("unsent-line");

  const unsent = new Map(); // type of a form -> {part, values, words}
  const sent = new Map(); // type -> what was in `unsent` when the form was sent, until its answer is there
  let late = ""; // what did not count
  let discarded = []; // entries of `unsent` that a reader has just discarded, until they type something else
  let applying = false;
  let typing = null; // the form of a field that is just being changed
  let takenBack; // [type, fields] of the form whose sealed answer the last form that was sent takes back, as it was then

  const frameOf = (type) => document.getElementById(`act-${type}`);
  const valuesOf = (form) => [...new FormData(form)].filter(([name]) => !OF_THE_FRAME.has(name));
  const fieldsNow = (type) => JSON.stringify(frameOf(type) && valuesOf(frameOf(type)));

  // -- what was typed ----------------------------------------------------------------------------------

  const changedIn = (form) => fieldsOf(form).filter((field) => !isAsServed(field));
  const ofNode = (node) => (node.querySelector?.(".mark__name") ?? node).textContent; // a mark has initials too
  const ofLabel = (label) => [...(label?.childNodes ?? [])].filter((node) => node.localName !== "small").map(ofNode).join("");
  const labelOf = (field) => (field.getAttribute("aria-label") ?? ofLabel(field.labels?.[0])).replace(/\s+/g, " ").trim();

  function wordsOf(field) {
    if (isTicked(field)) return labelOf(field);
    const { unsentAs } = field.dataset;
    const label = labelOf(field);
    if (unsentAs) return `${field.value} ${unsentAs}`;
    return label.length > 24 ? field.value : `${label}: ${field.value}`;
  }

  // As the button names it ("Bid 1 on 6"), without its verb; else field by field, as many as are short enough.
  function inWords(form) {
    const button = document.querySelector(`button[data-says][form="${form.id}"]`);
    const named = button?.dataset.plain !== undefined && button.textContent !== button.dataset.plain;
    if (named) return button.textContent.trim().replace(/^\S+ /, "");
    // Of amounts all that would count, since they replace what was sealed; of other fields what is another now.
    const amounts = fieldsOf(form).filter((field) => field.dataset.unsentAs && Number(field.value));
    const others = changedIn(form).filter((field) => !field.dataset.unsentAs && field.value !== "");
    const typed = [...amounts, ...others].map(wordsOf);
    let shown = typed.length;
    while (shown > 1 && typed.slice(0, shown).join(", ").length > LONGEST_WORDS) shown -= 1;
    const words = typed.slice(0, shown).join(", ");
    return shown < typed.length ? `${words} and ${typed.length - shown} more` : words.slice(0, LONGEST_WORDS);
  }

  // A lot that is chosen on the board is no answer yet; it is one beside the amount that counts on another lot. Without its
  // amount a form is none either.
  function isAnswer(field) {
    if (field.matches("[data-lot-field]")) return field.dataset.lotField && fieldsOf(field.form).every(({ value }) => value);
    return !field.matches("[data-amount-field]") || field.value !== "";
  }
  const isTyped = (form) => changedIn(form).some(isAnswer);

  function changed(form) {
    const type = typeOf(form);
    document.querySelectorAll("#answer > :has(.field__error), :is(#answer, .submission__foot) > .field__error").forEach((refused) => (refused.hidden = true));
    if (!isTyped(form)) {
      if (unsent.has(type)) forget(type);
      show();
      return;
    }
    discarded = [];
    unsent.set(type, { part: partNow(), values: valuesOf(form), words: inWords(form) });
    late = "";
    keep();
    show();
  }

  // -- keeping it --------------------------------------------------------------------------------------

  const keep = (name = NAME, entries = [...unsent]) => ofTab.set(name, JSON.stringify(entries));

  function forget(type) {
    unsent.delete(type);
    keep();
  }

  function discardAll() {
    discarded = late ? [] : [...unsent];
    late = "";
    for (const type of unsent.keys()) {
      forget(type);
      asServed(type);
    }
    if (!document.querySelector("#answer .field__error, #part-act .field__error")) return void show();
    // A refused form was served as it was typed: only a new page has what counts, and offers Undo. Here a press of it would
    // be lost as this page goes.
    say("");
    keep(GONE, discarded);
    location.replace(location.pathname + (sheet.matches(":popover-open") ? "?#act" : "")); // without `?` no new page would come
  }

  function undo() {
    for (const [type, entry] of discarded) {
      unsent.set(type, entry);
      apply(type);
    }
    discarded = [];
    keep();
    show();
  }

  // -- showing it again --------------------------------------------------------------------------------

  function quietly(fields) {
    applying = true;
    for (const field of fields) fire(field, "input", "change");
    applying = false;
  }

  function asServed(type) {
    const form = frameOf(type);
    if (!form) return;
    const fields = changedIn(form);
    form.reset();
    quietly(fields);
  }

  function put(field, left) {
    const mine = left.filter(([name]) => name === field.name);
    if (isTicked(field)) field.checked = mine.some(([, value]) => value === field.value);
    else if (field.multiple) for (const option of field.options) option.selected = mine.some(([, value]) => value === option.value);
    else if (mine.length) field.value = left.splice(left.indexOf(mine[0]), 1)[0][1];
  }

  const stateOf = (field) => `${field.checked} ${field.options ? [...field.selectedOptions].map((option) => option.value) : field.value}`;
  const isShown = (form, entry) => JSON.stringify(valuesOf(form)) === JSON.stringify(entry.values);

  function apply(type) {
    const form = frameOf(type);
    const entry = unsent.get(type);
    if (!form || entry?.part !== partNow() || !fieldsOf(form).length || isShown(form, entry)) return;
    const left = [...entry.values];
    const before = new Map(fieldsOf(form).map((field) => [field, stateOf(field)]));
    for (const field of before.keys()) put(field, left);
    quietly([...before.keys()].filter((field) => stateOf(field) !== before.get(field)));
  }

  // -- saying it ---------------------------------------------------------------------------------------

  // What counts meanwhile has a line of its own, so that it cuts off nothing of what does not.
  function say(text, label, press, counts = "") {
    const whole = `${text} ${counts}`.trim();
    for (const place of document.querySelectorAll(".unsent")) {
      if ((place.firstElementChild?.textContent ?? "") === whole) continue;
      place.replaceChildren();
      if (!text) continue;
      const said = make("span", { className: "lines", title: whole });
      said.append(make("span", { className: "clamp", textContent: text }));
      if (counts) said.append(" ", make("span", { className: "cut", textContent: counts }));
      const button = make("button", { type: "button", className: "button--quiet button--small", textContent: label });
      button.addEventListener("click", press);
      place.append(said, button);
    }
  }

  function show() {
    const words = [...unsent.values()].map((entry) => entry.words || "nothing").join("; ");
    const held = document.querySelector("#part-asked [data-holds]")?.textContent.trim(); // the line lies over it
    const isGone = !late && !unsent.size && discarded.length > 0;
    if (isGone) say(held ? `Discarded. Still sealed: ${held}` : "Discarded", "Undo", undo);
    else if (late || !unsent.size) say(late, "All right", discardAll);
    else say(`Not sent yet: ${words}`, "Discard", discardAll, held && `(sealed: ${held})`);
    line.toggleAttribute("data-gone", isGone);
    sendBeside();
    sheet.setAttribute("data-unsent", unsent.size ? "some" : "none");
    for (const button of document.querySelectorAll("#part-act .submission__act[form]")) {
      button.toggleAttribute("data-unsent", unsent.has(button.getAttribute("form").slice("act-".length)));
    }
  }

  // At a desk one may have scrolled away from the form: its button stands in the bar, too, by its whole name if another waits.
  function sendBeside() {
    const [first] = late ? [] : unsent.keys();
    const own = document.querySelector(`.submission__act[form="act-${first}"]`);
    // It stays the same one: the press that leaves a field is on it.
    const button = line.querySelector("[form]") ?? line.appendChild(make("button", { type: "submit" }));
    line.toggleAttribute("data-refused", Boolean(own?.closest(".act-fields")?.querySelector(".submission__forecast--bad, .field__error:not([hidden]), [data-incomplete]")));
    if (!own) return void button.remove();
    const label = own.dataset.plain ?? own.textContent.trim();
    Object.assign(button, { className: "button--small", ariaLabel: label });
    write(button, unsent.size > 1 ? label : label.split(" ")[0]);
    button.setAttribute("form", own.getAttribute("form"));
  }

  function nameOf(part) {
    const short = part.replace(/ of .*/, "");
    return short.startsWith("Round") ? `${short} closed` : `“${short}” is over`;
  }

  function sayLate(entry) {
    late = `${nameOf(entry.part)}, so your unsent ${entry.words || "answer"} did not count.`;
    tell("announce", late);
  }

  // -- what happens meanwhile --------------------------------------------------------------------------

  let partShown; // set at the start

  function atAnotherPart() {
    const part = partNow(); // none when the match is over
    if (part === partShown || !status.querySelector("[data-part]")) return;
    partShown = part;
    discarded = [];
    for (const [type, entry] of unsent) {
      if (entry.part === part) continue;
      if (sent.get(type) !== entry) sayLate(entry); // else it may be what ended that part, and its answer is on its way
      forget(type);
    }
    // What a field still shows from the round before goes with it, kept or not.
    document.querySelectorAll("form[data-act]").forEach((form) => asServed(typeOf(form)));
    show();
  }

  // -- the start ---------------------------------------------------------------------------------------

  const keptBefore = (name) => JSON.parse(ofTab.get(name) ?? "[]");

  function takeUp() {
    const lot = new URLSearchParams(location.search).get("lot");
    discarded = keptBefore(GONE).filter(([, entry]) => entry.part === partShown);
    keep(GONE, []);
    for (const [type, entry] of keptBefore(NAME)) {
      const chosen = document.querySelector(`[data-lot-field][form="act-${type}"]`);
      const frame = frameOf(type);
      if (frame && isTyped(frame)) continue; // before this script was there: that is newer
      if (entry.part !== partShown) sayLate(entry);
      else if (!lot || !chosen || entry.values.some(([name, value]) => name === chosen.name && value === lot)) {
        // The address may name another lot: then the reader came for that one.
        unsent.set(type, entry);
        apply(type);
      }
    }
    keep();
    show();
    if (document.querySelector("#part-asked [role=status]")) line.replaceChildren(); // on a phone it would lie over the receipt
  }

  // At a practice table each press makes a new page. Before time goes by without what is typed, it asks once.
  let warned = "";

  function leave(event) {
    const form = event.target;
    const { takesBack } = event.submitter?.dataset ?? {};
    takenBack = takesBack && [takesBack, fieldsNow(takesBack)];
    if (formOf(event) && !form.hasAttribute("data-hx-post")) [typeOf(form), takesBack].forEach(forget);
    const typed = JSON.stringify([...unsent]);
    if (!form.matches("form.match-line__more") || !unsent.size || typed === warned) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    warned = typed;
    tell("toast", `Not sent yet. Send it first, or choose “${event.submitter?.textContent.trim()}” again to continue without it.`);
  }

  function start() {
    partShown = partNow();
    for (const kind of ["input", "change"]) {
      document.addEventListener(kind, (event) => {
        const form = event.target.form;
        // After the forms above, which names the button.
        const byReader = !applying;
        queueMicrotask(() => {
          const isAct = byReader && form?.matches?.("[data-act]");
          // A field that a push takes away tells of its change as it goes; what was typed stays.
          if (isAct && event.target.isConnected) changed(form);
          else if (isAct) apply(typeOf(form));
          typing = null;
        });
      });
      // Before the forms above: it changes the fragment, and that must not bring back what was typed before.
      document.addEventListener(kind, (event) => (typing = event.target.form), true);
    }
    document.addEventListener("submit", leave, true); // before what takes a button for pressed
    watch(status, atAnotherPart, "data-part");
    watch(fragment, () => {
      for (const type of unsent.keys()) if (frameOf(type) !== typing) apply(type);
      show();
    });
    document.addEventListener("htmx:before:request", (event) => {
      const form = formOf(event);
      if (form) sent.set(typeOf(form), unsent.get(typeOf(form)));
    });
    document.addEventListener("htmx:finally:request", (event) => formOf(event) && sent.delete(typeOf(event.target)));
    document.addEventListener("htmx:before:swap", (event) => {
      if (!formOf(event)) return;
      if (event.detail.ctx.response.headers.get("X-Match-Answer") !== "accepted") return;
      const type = typeOf(event.target);
      discarded = [];
      if (takenBack && takenBack[1] === fieldsNow(takenBack[0])) {
        forget(takenBack[0]);
        asServed(takenBack[0]);
      }
      // What was typed since it was sent is the next one: a push may have shown the first before this answer came.
      if (unsent.get(type) !== sent.get(type)) apply(type);
      else if (unsent.has(type)) forget(type);
      show();
    });
    takeUp();
  }

  if (store && line && fragment) start();
}

// Keeps the focus in the player's form where a push changes it: a field that goes away with its round must not throw
// the reader to the page's top.
//
// Reads   #part-act    the form's fields, which pushes change
{
  let within = null; // the field that has the focus

  function keepFocus() {
    if (!within || within.isConnected || document.activeElement !== document.body) return;
    within = null;
    fragment.querySelector(":is(input, select, textarea, button):not([type=hidden], [hidden], [tabindex='-1'])")?.focus();
  }

  if (fragment) {
    document.addEventListener("focusin", ({ target }) => (within = fragment.contains(target) ? target : null));
    document.addEventListener("focusout", ({ target }) => queueMicrotask(() => target === within && target.isConnected && (within = null)));
    watch(fragment, keepFocus);
  }
}

// A person's notes about a match, kept while they type.
//
// Reads   form[data-notebook]   its text, and the version of it that the page knows
{
  const REST = 1000;

  const form = document.querySelector("form[data-notebook]");
  const kept = form?.querySelector("[data-kept]");
  let timer;
  let requests = Promise.resolve();
  let sent = []; // the first and the last text that no answer has come for: one of them may be stored

  async function save(isLeaving) {
    timer = clearTimeout(timer);
    const body = new FormData(form);
    sent.forEach((text) => body.append("sent", text));
    sent = [sent[0] ?? body.get("text"), body.get("text")];
    let said = "No connection, so your notes are not saved yet. We will try again when you next change them.";
    try {
      const headers = { "X-Requested-With": "fetch" };
      const answer = await fetch(form.action, { method: "POST", body, keepalive: Boolean(isLeaving), headers });
      if (answer.redirected) said = "You are signed out, so your notes are not saved. Copy them, and load the page again.";
      else said = "The server could not answer, so your notes are not saved yet. We will try again when you next change them.";
      const { seen, error } = await answer.json();
      if (answer.ok) [sent, form.elements.seen.value] = [[], seen];
      said = answer.ok ? "Saved" : error;
    } catch {} // no JSON, or no answer at all
    kept.textContent = said;
  }

  form?.addEventListener("input", () => {
    kept.textContent = "";
    clearTimeout(timer);
    timer = setTimeout(() => (requests = requests.then(save)), REST);
  });
  window.addEventListener("pagehide", () => (timer !== undefined || sent.length) && save(true));
}

// Playing on the board: what is typed for the chosen lot lies on it, not sent yet, between minus and plus.
//
// Reads   input[data-lot-amount="U"] in [data-stepper]   the field of a lot; without a value, of the one that is chosen
//         [data-lot-field="U"]                           the chosen lot; the one on which something counts now
//         [data-lot][data-unsent-at]                     where it lies: above, below, or (without a value) on it
//         .on-board in .table__board                     minus, the number, and plus
// Writes  [data-chosen] of .match-table                  the chosen lot, for style sheets; at first the server does
// The form is the same with it and without. On a phone the sheet has minus and plus.
{
  const table = document.querySelector(".table__board");
  const unsent = table?.querySelector(".on-board");
  const [less, number, more] = unsent?.children ?? [];

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
    const isOnItsLot = field.dataset.lotAmount || lot === document.querySelector("#part-act [data-lot-field]").dataset.lotField;
    unsent.toggleAttribute("data-counts", Boolean(field.value && field.value === field.dataset.sealed && isOnItsLot));
    more.disabled = field.closest("[data-stepper]").querySelector('[data-step="1"]').disabled;
    for (const [button, words] of [[less, "One less"], [more, "One more"]]) {
      button.ariaLabel = `${words} on ${lot}`;
      button.dataset.steps = field.id;
    }
    const [over, whole] = [seat.getBoundingClientRect(), table.getBoundingClientRect()];
    const top = { above: over.top - unsent.offsetHeight, below: over.bottom }[unsent.dataset.at] ?? over.bottom - unsent.offsetHeight - 4;
    unsent.style.width = unsent.dataset.at ? "" : `${over.width - 8}px`;
    unsent.style.top = `${top - whole.top}px`;
    unsent.style.left = `${over.left + over.width / 2 - whole.left}px`;
  }

  if (unsent) {
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame); // a push changes much at once, and each look at where things are takes a layout
      frame = requestAnimationFrame(lay);
    };
    document.addEventListener("genius:lot-chosen", soon);
    document.addEventListener("input", soon);
    document.addEventListener("change", soon);
    new ResizeObserver(soon).observe(table);
    for (const id of ["part-board", "part-act"]) watch(document.getElementById(id), soon, "data-state", "value");
    soon();
  }
}

// What has changed on the board moves once, for a quarter of a second at most; never with reduced motion.
//
// Reads   #part-board [data-moment="name:value"][data-move]   moves when another value comes for a name; `data-move`
//                                                             is how: flip (a card turns), turn (a stone, faster),
//                                                             pop, fade
//         [data-phase] of the board                           when it is "pregame" no more, seals open: what would pop
//                                                             comes out of its seal
// A click hits what it would hit otherwise: what is in a lot pops, not the lot, and a seal is a mask, which clicks ignore.
{
  const SEAL = { maskImage: "radial-gradient(closest-side, #000 95%, #0000)", maskPosition: "center", maskRepeat: "no-repeat" };
  const WAYS = {
    flip: [{ scale: "0 1" }, { scale: "1 1" }],
    turn: [{ rotate: "y 90deg" }, { rotate: "y 0deg" }],
    pop: [{ scale: "0.92" }, { scale: "1" }],
    fade: [{ opacity: 0 }, { opacity: 1 }],
    unseal: [{ ...SEAL, maskSize: "0% 0%" }, { ...SEAL, maskSize: "200% 200%" }],
  };

  const board = document.getElementById("part-board");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const phaseNow = () => board.querySelector("[data-phase]")?.dataset.phase;
  let before = new Map();
  let phase;

  const wayOf = ({ dataset }, opens) => (opens && dataset.move === "pop" ? "unseal" : dataset.move);

  function animate(element, way) {
    for (const each of way === "pop" ? element.children : [element]) each.animate(WAYS[way], { duration: way === "turn" ? 150 : 250, easing: "ease-out" });
  }

  function move() {
    const now = new Map();
    const opens = phase === "pregame" && phase !== phaseNow();
    for (const element of board.querySelectorAll("[data-moment]")) {
      const [name, value] = element.dataset.moment.split(":");
      now.set(name, value);
      if (before.has(name) && before.get(name) !== value && !still.matches) animate(element, wayOf(element, opens));
    }
    before = now;
    phase = phaseNow();
  }

  if (board) {
    move();
    watch(board, move, "data-moment");
  }
}
