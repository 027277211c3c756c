// Announces changes in words for screen readers, and shows small confirmations.
//
// Reads   [data-announce="text"]   in anything swapped in or changed: its text is said once;
//                                  not below [data-said-elsewhere], of which a notice tells the same
// Hears   document event "genius:announce", detail: text       said politely
//         document event "genius:toast",    detail: text       shown for a while, and said
// Needs   #live-region and #toasts (templates/base.html)

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

function toast(text) {
  const place = document.getElementById("toasts");
  if (!place || !text) return;
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = text;
  place.append(element);
  setTimeout(() => element.remove(), TOAST_MS);
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
document.addEventListener("genius:toast", (event) => toast(event.detail));
