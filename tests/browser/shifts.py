"""What moved on a page by itself: layout shifts that nobody's own click or key brought about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

_NOTE = """(() => {
    window.layoutShifts = [];
    const name = (node) => node?.nodeType === 1
        ? [node.localName, node.id && "#" + node.id, ...[...node.classList].map((each) => "." + each)].join("")
        : String(node?.parentElement?.className ?? node);
    const box = (at) => `${at.x},${at.y} ${at.width}x${at.height}`;
    // What one element has of a shift: its part of the window, times how far it moved. The whole has what is free, too.
    const share = ({previousRect: from, currentRect: to}) =>
        (from.width * from.height + to.width * to.height) / (innerWidth * innerHeight)
        * Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) / Math.max(innerWidth, innerHeight);
    const note = (shifts) => {
        for (const shift of shifts) {
            if (shift.hadRecentInput) continue;
            // The latest line of the feed comes first, and those before it make room; a lot may change inside.
            const free = (node) => node?.parentElement?.closest("[id$=feed], .lot");
            const sources = shift.sources.filter((each) => !free(each.node));
            const moved = sources.map((each) =>
                `${name(each.node)} from ${box(each.previousRect)} to ${box(each.currentRect)}`);
            const value = Math.min(shift.value, sources.reduce((sum, each) => sum + share(each), 0));
            if (moved.length) window.layoutShifts.push({value, moved});
        }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({type: "layout-shift", buffered: true});
    window.takeLayoutShifts = () => {
        note(observer.takeRecords());
        return layoutShifts.splice(0);
    };
})()"""

# Two frames: what a push has changed is laid out in the first.
_TAKE = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(takeLayoutShifts()))))"

UNSEEN = 0.001
"""Of the window's area times the distance: less than a line of small text that moves by a pixel."""


def note_shifts(context: BrowserContext) -> None:
    """Pages of this context note from now on what moves on them."""
    context.add_init_script(_NOTE)


def moved(page: Page) -> list[str]:
    """What has moved since the page was loaded, or since this was last asked, in words; nothing, if the page reserves a
    place for all that comes."""
    found: list[dict[str, Any]] = page.evaluate(_TAKE)
    return [f"{each['value']:.4f}: {'; '.join(each['moved'])}" for each in found if each["value"] >= UNSEEN]
