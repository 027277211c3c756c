// Says new lines of the feed aloud, if the reader asks for it: somebody may bid every few seconds.
//
// Reads   #say-feed     the checkbox; its state is kept in this browser for all matches
//         #part-feed    with .feed__line, the newest first, each with an id of its own and .feed__text
// Tells   document event "genius:announce", detail: the line's words

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
  setTimeout(() => (asks.checked ||= localStorage.getItem(KEPT_AS) === "1")); // slow to begin with, and nobody waits for it
  asks.addEventListener("change", () => localStorage.setItem(KEPT_AS, asks.checked ? "1" : "0"));

  let known = new Set(lines().map((line) => line.id));
  new MutationObserver(() => {
    const fresh = lines().filter((line) => !known.has(line.id)).reverse();
    known = new Set(lines().map((line) => line.id));
    if (!asks.checked) return;
    for (const line of fresh) document.dispatchEvent(new CustomEvent("genius:announce", { detail: wordsOf(line) }));
  }).observe(feed, { subtree: true, childList: true });
}
