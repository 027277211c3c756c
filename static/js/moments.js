// What has changed on the board moves once, for a quarter of a second; never with reduced motion.
//
// Reads   #part-board [data-moment="name:value"][data-move]   moves when another value comes for a name; `data-move`
//                                                             is how: flip (a card turns), pop, fade, fall (coins)

const WAYS = {
  flip: [{ scale: "0 1" }, { scale: "1 1" }],
  pop: [{ scale: "0.92" }, { scale: "1" }],
  fade: [{ opacity: 0 }, { opacity: 1 }],
  fall: [{ translate: "0 -1.25rem", opacity: 0 }, { translate: "0 0", opacity: 1 }],
};

const board = document.getElementById("part-board");
const still = matchMedia("(prefers-reduced-motion: reduce)");
let before = new Map();

function move() {
  const now = new Map();
  for (const element of board.querySelectorAll("[data-moment]")) {
    const [name, value] = element.dataset.moment.split(":");
    now.set(name, value);
    if (before.has(name) && before.get(name) !== value && !still.matches) element.animate(WAYS[element.dataset.move], { duration: 250, easing: "ease-out" });
  }
  before = now;
}

if (board) {
  move();
  new MutationObserver(move).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-moment"] });
}
