// What several scripts share.
export { write } from "./clock.js";

export const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`genius:${name}`, { detail }));

// Calls `whenever` something comes or goes in a place, and gets another of these attributes, or without them another text.
export function watch(place, whenever, ...attributes) {
  const those = attributes.length ? { attributeFilter: attributes } : {};
  if (place) new MutationObserver(whenever).observe(place, { subtree: true, childList: true, characterData: !attributes.length, ...those });
}

// As if the reader had changed it.
export function fire(field, ...kinds) {
  for (const kind of kinds) field.dispatchEvent(new Event(kind, { bubbles: true }));
}

export const make = (kind, properties) => Object.assign(document.createElement(kind), properties);

export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What a browser keeps, which may be switched off or full: then nothing is kept.
const keeping = (area) => ({
  get(name) {
    try {
      return window[area].getItem(name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      if (value === null) window[area].removeItem(name);
      else window[area].setItem(name, value);
    } catch {
      // see above
    }
  },
});
export const ofTab = keeping("sessionStorage");
export const ofBrowser = keeping("localStorage");

// A press that is to open no other tab or window.
export const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey;

// Announces changes in words for screen readers, and shows small confirmations.
//
// Reads   [data-announce="text"]   in anything swapped in or changed: its text is said once;
//                                  not below [data-said-elsewhere], of which a notice tells the same
// Hears   document event "genius:announce", detail: text       said politely
//         document event "genius:toast",    detail: text, or an array of it and a link   shown for a while, and said
// Needs   #live-region and #toasts (templates/base.html)
{
  const PAUSE_MS = 250;
  const TOAST_MS = 6000;
  const LONGEST_QUEUE = 5;

  const queue = [];
  let speaking = false;

  function say(text) {
    if (!text) return;
    queue.push(text);
    // In a burst only the latest news are announced, instead of thirty bids one by one.
    if (queue.length > LONGEST_QUEUE) queue.splice(0, queue.length - LONGEST_QUEUE);
    if (!speaking) speak();
  }

  function speak() {
    const region = document.getElementById("live-region");
    const text = queue.splice(0).join(". ").replace(/([.!?…])\. /g, "$1 "); // most are sentences already
    speaking = Boolean(text && region);
    if (!speaking) return;
    // Emptied first, because a screen reader does not repeat the same words.
    region.textContent = "";
    setTimeout(() => {
      region.textContent = text;
      setTimeout(speak, PAUSE_MS);
    }, PAUSE_MS);
  }

  function toast([text, link = ""]) {
    const place = document.getElementById("toasts");
    if (!place || !text) return;
    const element = make("p", { className: "toast" });
    element.append(make("span", { className: "clamp", textContent: text }), link);
    element.addEventListener("click", () => element.remove());
    place.replaceChildren(element); // two would lie on each other on a phone
    setTimeout(() => element.remove(), TOAST_MS + 40 * text.length);
    say(text);
  }

  const said = new WeakMap();

  function sayNews(element) {
    if (element.closest("[data-said-elsewhere]")) return;
    const text = element.dataset.announce;
    if (said.get(element) === text) return;
    said.set(element, text);
    say(text);
  }

  // Texts that are there when the page opens are not announced.
  document.querySelectorAll("[data-announce]").forEach((element) => said.set(element, element.dataset.announce));

  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") sayNews(change.target);
      for (const node of change.addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        if (node.matches("[data-announce]")) sayNews(node);
        node.querySelectorAll("[data-announce]").forEach(sayNews);
      }
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-announce"] });

  document.addEventListener("genius:announce", (event) => say(event.detail));
  document.addEventListener("genius:toast", (event) => toast([event.detail].flat()));
}

// Notices: the bell, the tab's title and icon, one announcement each, and marking them as read without a new page.
//
// Reads   #bell > [data-unread][data-told]       how many are unread, and which (templates/notices/bell.html)
//         button[data-read] of #notices-form     posted in the background; the answer is what the page shows then
//         a[data-reads="token"]                  whoever follows this link has read that notice
//         link[data-shows-unread]                the page's icon, which gets a dot with how many there are
//         button[data-dismiss] in [data-notice]  a message of this page only: just removed; the focus then goes to the
//                                        button that sends what is in the element with that id, if there is one
// Hears   document event "genius:told", detail: a frame of live.js with `said` (token -> text) and `sound`;
//           "genius:ring" (match.js)
// Tells   document events "genius:announce", "genius:toast" (see above), "genius:new-notices"
{
  const bell = () => document.querySelector("#bell > [data-unread]");

  // -- the tab -----------------------------------------------------------------------------------------

  const title = document.title;
  const icon = document.querySelector("link[rel=icon][data-shows-unread]");
  const plainIcon = icon?.getAttribute("href");

  // Up to nine: more cannot be read at that size.
  let drawn = null;

  async function numbered(count) {
    drawn ??= fetch(plainIcon).then((answer) => answer.text());
    const shown = count > 9 ? "9+" : String(count);
    const dot = '<circle cx="22" cy="9" r="9.500" fill="#ff8b98" stroke="#10321f" stroke-width="1.500"/>';
    const number = `<text x="22" y="14.500" font-family="sans-serif" font-size="${shown[1] ? 13 : 16}" font-weight="700" text-anchor="middle" fill="#16070a">${shown}</text>`;
    return `data:image/svg+xml,${encodeURIComponent((await drawn).replace("</svg>", `${dot}${number}</svg>`))}`;
  }

  async function markIcon(count) {
    if (!icon) return;
    let href = plainIcon;
    try {
      if (count) href = await numbered(count);
    } catch {
      drawn = null; // the title of the tab says it too
    }
    // There may have been more, or none, meanwhile.
    const isLatest = Number(bell()?.dataset.unread ?? 0) === count;
    if (isLatest && icon.getAttribute("href") !== href) icon.setAttribute("href", href); // a browser draws even the same anew
  }

  function markTab() {
    const count = Number(bell()?.dataset.unread ?? 0);
    const wanted = count ? `(${count > 99 ? "99+" : count}) ${title}` : title;
    if (document.title !== wanted) document.title = wanted;
    markIcon(count);
  }

  // -- what is new -------------------------------------------------------------------------------------

  // What was there when the page opened is not announced, and nothing twice: not after a lost connection either.
  const known = new Set(bell()?.dataset.told.split(" ").filter(Boolean));

  function isInView(element) {
    const box = element?.getBoundingClientRect();
    return Boolean(box && box.height && box.bottom > 0 && box.top < innerHeight);
  }

  // A frame says only what is different from the one before.
  let wantsSound = false;

  document.addEventListener("genius:told", ({ detail }) => {
    wantsSound = detail.sound ?? wantsSound;
    markTab();
    const fresh = Object.entries(detail.said ?? {}).filter(([token]) => !known.has(token));
    if (!fresh.length) return;
    for (const [token] of fresh) known.add(token);
    tell("new-notices");
    if (wantsSound) ring();
    if (document.hidden) return; // the tab's title and icon say so
    const seen = isInView(document.querySelector("#notices > [data-notice]"));
    for (const [, text] of fresh) tell(seen ? "announce" : "toast", text);
  });

  // -- the sound: two short tones, if the reader wants them, after a first touch of the page --------------

  let audio = null;

  function allowSound() {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  }

  // Only one of many tabs rings.
  function ring() {
    if (!audio || audio.state !== "running") return;
    if (navigator.locks) navigator.locks.request("genius-ring", { ifAvailable: true }, (lock) => lock && play());
    else play();
  }

  function play() {
    const start = audio.currentTime;
    for (const [number, frequency] of [659, 880].entries()) {
      const tone = new OscillatorNode(audio, { frequency, type: "sine" });
      const volume = new GainNode(audio, { gain: 0 });
      const from = start + number * 0.14;
      volume.gain.setValueAtTime(0, from);
      volume.gain.linearRampToValueAtTime(0.12, from + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.4);
    }
    return new Promise((resolve) => setTimeout(resolve, 1500));
  }

  document.addEventListener("genius:ring", ring);
  if (bell()) for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, allowSound, { once: true });

  // -- reading -----------------------------------------------------------------------------------------

  function keepFocus(notice) {
    const next = notice.nextElementSibling ?? notice.previousElementSibling;
    return notice.contains(document.activeElement) ? () => (next?.querySelector("a, button") ?? document.getElementById("main"))?.focus() : () => {};
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const button = event.submitter;
    if (form.id !== "notices-form" || !button?.matches("[data-read]")) return;
    event.preventDefault();
    const hadFocus = button.contains(document.activeElement);
    const body = new FormData(form);
    body.set(button.name, button.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      for (const [name, html] of Object.entries(await answer.json())) document.getElementById(name).innerHTML = html;
      markTab();
      if (hadFocus) bell()?.focus();
    } catch {
      // The notice would come back with the next page, so say that it was not marked.
      tell("toast", "Your click did not reach the server. Please try again in a moment.");
    }
  });

  // Sent beside the way to the other page, which does not wait for it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-reads]");
    const form = document.getElementById("notices-form");
    if (!link || !form) return;
    const body = new FormData(form);
    body.set("token", link.dataset.reads);
    navigator.sendBeacon(form.action, body);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-dismiss]");
    const notice = button?.closest("[data-notice]");
    if (!notice) return;
    const sends = document.getElementById(button.dataset.dismiss)?.querySelector("[type=submit]");
    const settle = sends ? () => sends.focus() : keepFocus(notice);
    notice.remove();
    settle();
  });

  markTab();

  // A browser that gets pushes is to look now and then whether it still does (see push-worker.js).
  if (bell()) navigator.serviceWorker?.controller?.postMessage("look");
}

// Tells the site that its reader has just touched a page: then nothing has to be sent elsewhere.
//
// Reads   #notices-form[data-here="address"]    where to say so, and the token that goes with it
// Keeps   "genius:here" in localStorage, so that all tabs together say so once in a while
{
  const EVERY = 20_000;
  const NAME = "genius:here";

  const form = document.getElementById("notices-form");

  function touched() {
    const [now, last] = [Date.now(), Number(ofBrowser.get(NAME))];
    if (document.hidden || (last <= now && now < last + EVERY)) return;
    ofBrowser.set(NAME, String(now));
    navigator.sendBeacon(form.dataset.here, new FormData(form));
  }

  if (form) {
    for (const name of ["pointerdown", "keydown", "submit"]) document.addEventListener(name, touched, { capture: true, passive: true });
    document.addEventListener("visibilitychange", touched);
    setTimeout(touched); // storage is slow to begin with, and nobody waits for it
  }
}

// Small controls that plain HTML does not have. Everything also works without this script, less conveniently.
//
// Reads   [data-stepper] with an input and button[data-step="-1|1"]     minus and plus beside a number;
//           elsewhere, such as on a board, they name the field: [data-steps="id"]
//         .sheet[popover]            arriving at its address opens it on a phone; on a desktop it is always there
//         [data-copy="id"]           copies that element's text or value
//         [data-share="id"]          hands that element's text, a page and a picture to another app; hidden without one
//         select[data-zone]          says which is the browser's time zone, when somebody comes to it
//         [data-keeps-place]         the page comes anew after each form: the keyboard stays at its button
//         form[data-once]            its button is disabled until the answer comes
//         details[data-menu]         closes where one clicks elsewhere, and with Escape
//         input[type=file][data-most]  a picture of more bytes is made smaller
//         [data-refused]             what is wrong with the form that was sent: read first
{
  const phone = window.matchMedia("(width < 60rem)");

  let follows = false; // a link, whose page must not be called off by going back
  // A menu closes by itself once one goes on elsewhere.
  function closeMenus(except) {
    follows = Boolean(except?.closest("a[href]"));
    for (const menu of document.querySelectorAll("details[data-menu][open]")) if (!menu.contains(except)) menu.open = false;
  }
  document.addEventListener("click", ({ target }) => closeMenus(target));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && closeMenus(null));

  // An open popover cannot be part of the column: close the sheet when the layout changes to columns.
  phone.addEventListener("change", () => {
    document.querySelectorAll(".sheet:popover-open").forEach((sheet) => sheet.hidePopover());
  });

  // Going back on a phone first closes what lies over the page. One may have come back to the page with nothing over it.
  const over = () => document.querySelector(":popover-open");
  const settle = () => history.state === "over" && !over() && !follows && history.back();
  const cover = () => (phone.matches && over() && history.state !== "over" ? history.pushState("over", "") : settle());
  document.addEventListener("toggle", cover, true);
  window.addEventListener("pageshow", settle);
  window.addEventListener("popstate", () => (history.state === "over" ? settle() : over()?.hidePopover()));

  function openSheetOfAddress() {
    const sheet = document.getElementById(location.hash.slice(1));
    if (!sheet?.matches(".sheet[popover]")) return;
    if (phone.matches && !sheet.matches(":popover-open")) {
      sheet.showPopover();
      history.replaceState(null, "", location.pathname + location.search); // a reload does not open it again
    }
    (sheet.querySelector('[aria-invalid="true"]') ?? sheet.querySelector("[data-first-field]"))?.focus();
  }

  window.addEventListener("hashchange", openSheetOfAddress);
  openSheetOfAddress();

  // A wheel over a number scrolls the page, and does not change what was typed.
  document.addEventListener("wheel", ({ target }) => target.matches("[type=number]:focus") && target.blur(), { passive: true });

  function takeStep(button) {
    const input = document.getElementById(button.dataset.steps) ?? button.closest("[data-stepper]").querySelector("input");
    // An empty field counts from its placeholder if that is a number, else from its minimum: plus makes it the minimum, but
    // where that is nothing, the first that is something.
    const begins = input.value === "" && input.placeholder === "" && Number(input.min) !== 0;
    if (input.value === "") input.value = input.placeholder || input.min || "0";
    if (!begins && Number(button.dataset.step) > 0) input.stepUp();
    else if (!begins) input.stepDown();
    fire(input, "input", "change");
  }

  async function copy(button) {
    const source = document.getElementById(button.dataset.copy);
    const text = source.value ?? source.textContent.trim();
    let told = "Copied.";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      told = "Your browser does not let us copy. The text is selected, so please copy it yourself.";
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
    }
    tell("toast", told);
  }

  async function share(button) {
    const { share, title, url, picture } = button.dataset;
    // The app adds the link, which stands in the text as <link>.
    const words = { title, url, text: document.getElementById(share).value.replace(`<${url}>`, "").trim() };
    try {
      const answer = await fetch(picture);
      const files = [new File([await answer.blob()], "result.png", { type: "image/png" })];
      await navigator.share(answer.ok && navigator.canShare?.({ files }) ? { ...words, files } : words);
    } catch (error) {
      if (error.name !== "AbortError") await copy({ dataset: { copy: share } });
    }
  }

  // Who types into a number means another one.
  function chooseAll(event) {
    if (!event.target.matches("[data-stepper] input")) return;
    event.preventDefault(); // a press would set the caret
    event.target.focus();
    event.target.select();
  }
  for (const kind of ["focusin", "mousedown"]) document.addEventListener(kind, chooseAll);

  document.addEventListener("click", (event) => {
    const pressed = (selector) => event.target.closest(selector);
    const stepButton = pressed("[data-stepper] [data-step], [data-steps]");
    if (stepButton) takeStep(stepButton);
    const copier = pressed("[data-copy]");
    if (copier) copy(copier);
    const sharer = pressed("[data-share]");
    if (sharer) share(sharer);
  });

  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;

  const PLACE = "place-of-the-keyboard";
  const keepsPlace = document.querySelector("[data-keeps-place]");

  function keepPlace({ submitter }) {
    if (!keepsPlace || !submitter?.matches(":focus-visible")) return;
    const { form, name } = submitter;
    const button = form.id ? `button[form="${form.id}"][type="submit"]` : `button[name="${name}"]`;
    ofTab.set(PLACE, button);
  }

  if (keepsPlace) {
    const place = ofTab.get(PLACE);
    ofTab.set(PLACE, null);
    if (place) document.querySelector(place)?.focus({ preventScroll: true, focusVisible: true });
  }

  document.addEventListener("submit", keepPlace);

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-once]");
    const button = event.submitter;
    if (!form || !button || form.hasAttribute("data-hx-post")) return; // htmx has its own hx-disable
    // Only after the form's data is collected, because it leaves out a disabled button's name.
    setTimeout(() => (button.disabled = true));
  });

  // On a page from the browser's history the button would otherwise stay disabled.
  window.addEventListener("pageshow", () => {
    document.querySelectorAll("form[data-once] button:disabled").forEach((button) => (button.disabled = false));
  });

  document.querySelector("[data-refused]")?.focus();

  // What a phone takes is far larger than what the site accepts: it is made smaller before it is sent.
  const SIDE = 640;

  async function fit(input) {
    input.parentElement.querySelector("[data-too-large]")?.remove();
    const [file] = input.files;
    if (!file || file.size <= Number(input.dataset.most)) return;
    const button = input.form.querySelector("[type=submit]");
    button.disabled = true;
    const chosen = new DataTransfer();
    try {
      const photo = await createImageBitmap(file);
      const scale = Math.min(1, SIDE / Math.max(photo.width, photo.height));
      const canvas = new OffscreenCanvas(Math.ceil(photo.width * scale), Math.ceil(photo.height * scale));
      canvas.getContext("2d").drawImage(photo, 0, 0, canvas.width, canvas.height);
      chosen.items.add(new File([await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 })], "picture.jpg", { type: "image/jpeg" }));
    } catch {
      input.insertAdjacentHTML("afterend", '<p class="field__error" role="alert" data-too-large>This file is too large, and your browser cannot make it smaller. Choose a PNG or a JPEG.</p>');
    } finally {
      input.files = chosen.files;
      button.disabled = false;
    }
  }

  document.addEventListener("change", ({ target }) => target.matches("input[type=file][data-most]") && fit(target));

  // The first question for the zone takes a slow machine a tenth of a second, so it waits until somebody comes to choose.
  for (const select of document.querySelectorAll("select[data-zone]")) {
    const suggest = () => {
      if (select.dataset.zone === "said") return;
      select.dataset.zone = "said";
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const option = [...select.options].find((candidate) => candidate.value === zone);
      if (!option) return;
      option.textContent = `${option.textContent} (this browser)`;
    };
    for (const coming of ["focus", "pointerenter"]) select.addEventListener(coming, suggest);
  }

  // From the first look on things may fade (tokens.css).
  requestAnimationFrame(() => document.documentElement.classList.add("ready"));
}

// Keys: on the board of a match.
//
// Reads   [data-board], if its edges meet with data-wrap     a board
//         [data-lot="Z"] inside it, in reading order         its lots
//         #keys[popover]                                     the list of keys
// Arrows move from lot to lot, Home and End to the ends of a row; one lot at a time is in the tab order.
// A lot is a link, so Enter opens it.
// `?` lists the keys. Esc closes popovers and dialogs, which browsers do themselves.
{
  const lotsOf = (board) => [...board.querySelectorAll("[data-lot]")];

  // By board and lot name, because a swap may have replaced the elements.
  const lastLot = new Map();
  const nameOf = (board) => board.id || "board";

  function settleTabOrder(board) {
    const lots = lotsOf(board);
    if (!lots.length) return;
    const wanted = lastLot.get(nameOf(board));
    const current = lots.find((lot) => lot.dataset.lot === wanted) ?? lots[0];
    for (const lot of lots) {
      const index = lot === current ? "0" : "-1";
      if (lot.getAttribute("tabindex") !== index) lot.setAttribute("tabindex", index);
    }
  }

  function settleAll() {
    document.querySelectorAll("[data-board]").forEach(settleTabOrder);
  }

  function middleOf(lot) {
    const { x, y, width, height } = lot.getBoundingClientRect();
    return { lot, x: Math.round(x + width / 2), y: Math.round(y + height / 2), height };
  }

  const first = (spots, distance) => spots.toSorted((one, other) => distance(one) - distance(other))[0]?.lot;

  // What lies beside a lot, however the board is laid out: in its row, or in the nearest row the nearest.
  function beside(lot, key, board) {
    const spots = lotsOf(board).map(middleOf);
    const here = middleOf(lot);
    const row = spots.filter(({ y }) => Math.abs(y - here.y) < here.height / 2);
    const rows = spots.filter((spot) => !row.includes(spot));
    const towards = (some, sign) => first(some, ({ x, y }) => 10 * sign * y + Math.abs(x - here.x));
    const wrap = (way) => ("wrap" in board.dataset ? way() : null);
    const ways = {
      Home: () => first(row, ({ x }) => x),
      End: () => first(row, ({ x }) => -x),
      ArrowLeft: () => first(row.filter(({ x }) => x < here.x), ({ x }) => -x) ?? wrap(ways.End),
      ArrowRight: () => first(row.filter(({ x }) => x > here.x), ({ x }) => x) ?? wrap(ways.Home),
      ArrowUp: () => towards(rows.filter(({ y }) => y < here.y), -1) ?? wrap(() => towards(rows, -1)),
      ArrowDown: () => towards(rows.filter(({ y }) => y > here.y), 1) ?? wrap(() => towards(rows, 1)),
    };
    return key in ways ? (ways[key]() ?? lot) : null;
  }

  function move(event) {
    const lot = event.target.closest("[data-lot]");
    const board = lot?.closest("[data-board]");
    if (!board || event.target.closest("input, select, textarea")) return false;
    const next = beside(lot, event.key, board);
    next?.focus();
    return next !== null;
  }

  // -- the page ----------------------------------------------------------------------------------------------

  function help(event) {
    if (event.key !== "?" || event.target.closest("input, select, textarea, [contenteditable]")) return false;
    const list = document.getElementById("keys");
    list?.togglePopover();
    return Boolean(list);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move(event) || help(event)) event.preventDefault();
  });

  document.addEventListener("focusin", (event) => {
    const lot = event.target.closest("[data-lot]");
    const board = lot?.closest("[data-board]");
    if (!board) return;
    lastLot.set(nameOf(board), lot.dataset.lot);
    settleTabOrder(board);
  });

  new MutationObserver(settleAll).observe(document.body, { subtree: true, childList: true });
  settleAll();
}

// The number on a tab of a match, kept up to date while the page stays open.
//
// Reads   a[data-unread-of="talk"][data-unread-href="/…/unread/"]   a tab whose number can be asked for, which says too
//                                                   from whom they are
//         details[data-beside="talk"] > … > [data-latest-of="/…/latest/"]   the latest of it, while it is open
// Hears   document event "genius:hint" {of, …} (see live.js)
{
  const QUIET = 800;
  const waiting = new Map();

  function ask(tab) {
    waiting.delete(tab);
    globalThis.htmx?.ajax("GET", tab.dataset.unreadHref, { target: tab.lastElementChild, select: "[data-unread]", swap: "innerHTML swapEmpty:true" });
  }

  function lookAgain(beside) {
    waiting.delete(beside);
    const place = beside.open && beside.querySelector("[data-latest-of]");
    if (place) globalThis.htmx?.ajax("GET", place.dataset.latestOf, { target: place, swap: "innerMorph" });
  }

  for (const beside of document.querySelectorAll("[data-beside]")) beside.addEventListener("toggle", () => lookAgain(beside));

  document.addEventListener("genius:hint", (event) => {
    const beside = document.querySelector(`[data-beside="${CSS.escape(event.detail.of)}"]`);
    if (beside && !waiting.has(beside)) waiting.set(beside, setTimeout(() => lookAgain(beside), QUIET));
    for (const tab of document.querySelectorAll(`[data-unread-of="${CSS.escape(event.detail.of)}"]`)) {
      if (!waiting.has(tab)) waiting.set(tab, setTimeout(() => ask(tab), QUIET * (0.5 + Math.random())));
    }
  });
}
