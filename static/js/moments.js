// What has changed on the board moves once, for a quarter of a second; never with reduced motion.
//
// Reads   #part-board [data-moment="name:value"][data-move]   moves when another value comes for a name; `data-move`
//                                                             is how: flip (a card turns), pop, fade
//         [data-phase] of the board                           when it is "pregame" no more, seals open: what would pop
//                                                             comes out of its seal

const WAYS = {
  flip: [{ scale: "0 1" }, { scale: "1 1" }],
  pop: [{ scale: "0.92" }, { scale: "1" }],
  fade: [{ opacity: 0 }, { opacity: 1 }],
  unseal: [{ clipPath: "circle(0)" }, { clipPath: "circle(75%)" }],
};

const board = document.getElementById("part-board");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const phaseNow = () => board.querySelector("[data-phase]")?.dataset.phase;
let before = new Map();
let phase;

const wayOf = ({ dataset }, opens) => (opens && dataset.move === "pop" ? "unseal" : dataset.move);

function move() {
  const now = new Map();
  const opens = phase === "pregame" && phase !== phaseNow();
  for (const element of board.querySelectorAll("[data-moment]")) {
    const [name, value] = element.dataset.moment.split(":");
    now.set(name, value);
    if (before.has(name) && before.get(name) !== value && !still.matches) element.animate(WAYS[wayOf(element, opens)], { duration: 250, easing: "ease-out" });
  }
  before = now;
  phase = phaseNow();
}

if (board) {
  move();
  new MutationObserver(move).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-moment"] });
}
