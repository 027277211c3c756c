"""What moved on a page by itself: layout shifts that nobody's own click or key brought about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

_NOTE = """(() => {
    window.layoutShifts = [];
    const name = (node) => node?.nodeType === 1
        ? [node.localName, node.id && "#" + node.id, ...[...node.classList].map((each) => "." + each)].join("")
        : String(node?.parentElement?.className ?? node);
    const box = (at) => `${at.x},${at.y} ${at.width}x${at.height}`;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) {
            if (shift.hadRecentInput) continue;
            // The latest line of the feed comes first, and those before it make room; a lot may change inside. What is
            // told lies above the page, and what was told before makes room.
            const free = (node) => node?.id === "toasts" || node?.parentElement?.closest("[id$=feed], .lot, #toasts");
            // What one element has of it: its part of the window, times how far it moved.
            const share = ({previousRect: from, currentRect: to}) =>
                (from.width * from.height + to.width * to.height) / (innerWidth * innerHeight)
                * Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) / Math.max(innerWidth, innerHeight);
            const say = (each) => `${name(each.node)} from ${box(each.previousRect)} to ${box(each.currentRect)}`;
            const held = shift.sources.filter((each) => !free(each.node));
            const value = Math.min(shift.value, held.reduce((sum, each) => sum + share(each), 0));
            window.layoutShifts.push([shift.value, value, held.map(say)]);
        }
    }).observe({type: "layout-shift", buffered: true});
})()"""

UNSEEN = 0.001
"""Of the window's area times the distance: less than a line of small text that moves by a pixel."""


def note_shifts(context: BrowserContext) -> None:
    """Pages of this context note from now on what moves on them."""
    context.add_init_script(_NOTE)


def begin_at_once(context: BrowserContext) -> None:
    """Scripts of this context's pages do not wait until they have been painted (static/js/arrival.js): a page that has
    been loaded can be used, as a test expects."""
    context.add_init_script("window.inTurn = (script) => script()")


class Shift(NamedTuple):
    """What moved at once. `whole`: the part of the window that moved, times how far; `value`: that without what may
    move; `what`: the first elements that may not, from where to where."""

    whole: float
    value: float
    what: list[str]

    def __str__(self) -> str:
        return f"{self.value:.4f}: {'; '.join(self.what)}"


def shifts(page: Page) -> list[Shift]:
    """What has moved since the page was loaded, or since this was last asked."""
    return [Shift(*each) for each in page.evaluate("window.layoutShifts.splice(0)")]


def moved(page: Page) -> list[str]:
    """The same without what may move, in words; nothing, if the page reserves a place for all that comes."""
    return [str(shift) for shift in shifts(page) if shift.value >= UNSEEN]


def catch_up(page: Page, version: int) -> None:
    """Show a match as it stands by now, and let the page settle: its connection is cut and comes back."""
    page.evaluate("() => ['offline', 'online'].forEach((kind) => dispatchEvent(new Event(kind)))")
    page.wait_for_function("(least) => Number(document.getElementById('match').dataset.version) >= least", arg=version)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )
