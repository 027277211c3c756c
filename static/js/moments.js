// What has changed on the board moves once, for a quarter of a second; never with reduced motion.
//
// Reads   #part-board [data-moment="name:value"][data-move]   moves when another value comes for a name; `data-move`
//                                                             is how: flip (a card turns), pop, fade
//         [data-phase] of the board                           when it is "pregame" no more, seals open: what would pop
//                                                             comes out of its seal
// A click hits what it would hit otherwise: what is in a lot pops, not the lot, and a seal is a mask, which clicks ignore.

const SEAL = { maskImage: "radial-gradient(closest-side, #000 95%, #0000)", maskPosition: "center", maskRepeat: "no-repeat" };
const WAYS = {
  flip: [{ scale: "0 1" }, { scale: "1 1" }],
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
  for (const each of way === "pop" ? element.children : [element]) each.animate(WAYS[way], { duration: 250, easing: "ease-out" });
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
  new MutationObserver(move).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-moment"] });
}
