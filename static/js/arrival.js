// When scripts run. A page is shown before they begin, and a slow machine breathes between them: what runs in one task
// with the layout of a whole page answers nobody for as long as all of it takes.
//
// Offers  inTurn(script)      runs it after those before it. Every script of a bundle is handed over like this
//                             (genius_site/bundles.py). Whoever has defined it before decides instead.
// Writes  <html class="arrived">      the steps in which a page is shown are over (css/arrival.css)

const BREATH = 8; // milliseconds of script, of the sixteen of a frame
const STEPS = 50; // milliseconds after the masthead: three frames, of which the first has the page
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

// An address of a place in the page was looked for before the page was there. After a reload, and on the way back,
// browsers scroll to where one was instead.
function scrollToTarget() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation?.type === "navigate" && !scrollY) document.querySelector(":target")?.scrollIntoView();
}

// Scripts look at sizes, and put the focus on fields: from here on all is there.
function showAll() {
  document.documentElement.classList.add("arrived");
  scrollToTarget();
}

async function show() {
  const steps = Promise.all([isPainted().then(() => pause(STEPS)), isRead()]);
  if (!document.hidden) await Promise.race([steps, pause(AT_LATEST)]);
  showAll();
}

const waiting = [];
let running = null;

async function runAll(shown) {
  await shown;
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

if (self.inTurn) showAll();
else {
  const shown = show();
  self.inTurn = (script) => {
    waiting.push(script);
    running ??= runAll(shown);
  };
}
