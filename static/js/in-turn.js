// When scripts run. A page is painted before they begin, and a slow machine breathes between them: what runs in one task
// with the layout of a whole page answers nobody for as long as all of it takes.
//
// Offers  inTurn(script)      runs it after those before it. Every script of a bundle is handed over like this
//                             (genius_site/bundles.py). Whoever has defined it before decides instead.

const BREATH = 8; // milliseconds of script, of the sixteen of a frame
const AT_LATEST = 500; // milliseconds: a page that nobody sees may never be painted, and one script come late

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Asked of the browser, not of its frames: a script in each would take part in what it waits for.
const isPainted = () => new Promise((resolve) => {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName("first-contentful-paint").length) return;
    observer.disconnect();
    resolve();
  }).observe({ type: "paint", buffered: true });
});

// When a document has been read, browsers lay out all that is to be seen, in the task that has read it.
const isRead = () => new Promise((resolve) => {
  if (document.readyState === "complete") resolve();
  else document.addEventListener("DOMContentLoaded", () => setTimeout(resolve));
});

async function ready() {
  if (!document.hidden) await Promise.race([Promise.all([isPainted(), isRead()]), pause(AT_LATEST)]);
}

const waiting = [];
let running = null;

async function runAll() {
  await begin;
  let began = -BREATH;
  while (waiting.length) {
    if (performance.now() - began >= BREATH) {
      await pause(0);
      began = performance.now();
    }
    waiting.shift()();
  }
  running = null;
}

const begin = ready();

self.inTurn ??= (script) => {
  waiting.push(script);
  running ??= runAll();
};
