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
            // The latest line of the feed comes first, and those before it make room; a lot may change inside.
            const free = (node) => node?.parentElement?.closest("[id$=feed], .lot");
            const say = (each) => `${name(each.node)} from ${box(each.previousRect)} to ${box(each.currentRect)}`;
            const sources = shift.sources.map((each) => [say(each), Boolean(free(each.node))]);
            window.layoutShifts.push([shift.value, sources]);
        }
    }).observe({type: "layout-shift", buffered: true});
})()"""

UNSEEN = 0.001
"""Of the window's area times the distance: less than a line of small text that moves by a pixel."""


def note_shifts(context: BrowserContext) -> None:
    """Pages of this context note from now on what moves on them."""
    context.add_init_script(_NOTE)


class Shift(NamedTuple):
    """What moved at once. `value`: the part of the window that was moved, times how far; `what`: the first elements,
    from where to where; `free`: all of them may move."""

    value: float
    what: list[str]
    free: bool

    def __str__(self) -> str:
        return f"{self.value:.4f}: {'; '.join(self.what)}"


def shifts(page: Page) -> list[Shift]:
    """What has moved since the page was loaded, or since this was last asked."""
    found = page.evaluate("window.layoutShifts.splice(0)")
    return [Shift(value, [what for what, _ in each], all(free for _, free in each)) for value, each in found]


def moved(page: Page) -> list[str]:
    """The same without what may move, in words; nothing, if the page reserves a place for all that comes."""
    return [str(shift) for shift in shifts(page) if shift.value >= UNSEEN and not shift.free]


def catch_up(page: Page, version: int) -> None:
    """Show a match as it stands by now, and let the page settle: its connection is cut and comes back."""
    page.evaluate("() => ['offline', 'online'].forEach((kind) => dispatchEvent(new Event(kind)))")
    page.wait_for_function("(least) => Number(document.getElementById('match').dataset.version) >= least", arg=version)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )
