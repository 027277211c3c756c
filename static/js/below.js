// What is below the first screen is laid out when it comes near (content-visibility in match.css, layout.css, lists.css).
// Once nobody waits for the page, the rest follows bit by bit: who scrolls down waits for nothing then, the scroll bar
// tells the truth, and a picture of the whole page has no empty panels.
//
// Reads   the parts below, as far as they are left out
// Writes  their content-visibility; pushes leave it alone (live.js)

const PARTS = ".table__more > *, .table__below > .panel, .stack--long > *, .stack--long > * > :is(.fold--box, .panel), .piece, .match-card";
const FIRST_LOOK = 1000; // milliseconds: until then a page is for whoever has come to it
const ENOUGH = 30; // milliseconds of the fifty that an idle browser offers: a part of a page on a slow machine

const whenIdle = self.requestIdleCallback ?? ((run) => setTimeout(run, 100, { timeRemaining: () => 0 }));
const isLeftOut = (part) => getComputedStyle(part).contentVisibility === "auto";

function layOutSome(deadline) {
  const left = [...document.querySelectorAll(PARTS)].filter(isLeftOut);
  for (const part of left) {
    part.style.contentVisibility = "visible";
    part.getBoundingClientRect(); // now, and not in a later task with others
    if (deadline.timeRemaining() < ENOUGH) break;
  }
  if (left.length) whenIdle(layOutSome);
}

setTimeout(() => whenIdle(layOutSome), FIRST_LOOK);
