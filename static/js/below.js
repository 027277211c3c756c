// What is below the first screen is laid out when it comes near (content-visibility in match.css, layout.css, lists.css).
// Once nobody waits for the page, the rest follows bit by bit: who scrolls down waits for nothing then, the scroll bar
// tells the truth, and a picture of the whole page has no empty panels.
//
// Reads   the parts below, as far as they are left out
// Writes  their content-visibility; pushes leave it alone (live.js)

const PARTS = ".table__more > *, .table__below > .panel, .stack--long > *, .stack--long > * > :is(.fold--box, .panel), .piece, .match-card";
const FIRST_LOOK = 1000; // milliseconds: until then a page is for whoever has come to it
const ENOUGH = 45; // milliseconds of the fifty that an idle browser offers: on a slow machine one part takes most of them

const whenIdle = self.requestIdleCallback ?? ((run) => setTimeout(run, 100, { timeRemaining: () => 0 }));
const seen = new WeakSet(); // parts that need no look any more
const isFoldedAway = (part) => part.parentElement.closest("details:not([open])"); // to be laid out when it is opened
const isLeftOut = (part) => getComputedStyle(part).contentVisibility === "auto";

// What is in a part that is left out comes after it, and is not looked at before: the browser would have to style it all.
function layOutSome(deadline) {
  for (const part of document.querySelectorAll(PARTS)) {
    if (seen.has(part)) continue;
    seen.add(part);
    if (isFoldedAway(part) || !isLeftOut(part)) continue;
    part.style.contentVisibility = "visible";
    part.getBoundingClientRect(); // now, and not in a later task with others
    if (deadline.timeRemaining() < ENOUGH) return whenIdle(layOutSome);
  }
}

setTimeout(() => whenIdle(layOutSome), FIRST_LOOK);
