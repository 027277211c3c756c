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
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) {
            if (shift.hadRecentInput) continue;
            // The latest line of the feed comes first, and those before it make room; a lot may change inside.
            const free = (node) => node?.parentElement?.closest("[id$=feed], .lot");
            const moved = shift.sources.filter((each) => !free(each.node)).map((each) =>
                `${name(each.node)} from ${box(each.previousRect)} to ${box(each.currentRect)}`);
            if (moved.length) window.layoutShifts.push({value: shift.value, moved});
        }
    }).observe({type: "layout-shift", buffered: true});
})()"""

UNSEEN = 0.001
"""Of the window's area times the distance: less than a line of small text that moves by a pixel."""


def note_shifts(context: BrowserContext) -> None:
    """Pages of this context note from now on what moves on them."""
    context.add_init_script(_NOTE)


def moved(page: Page) -> list[str]:
    """What has moved since the page was loaded, or since this was last asked, in words; nothing, if the page reserves a
    place for all that comes."""
    found: list[dict[str, Any]] = page.evaluate("window.layoutShifts.splice(0)")
    return [f"{each['value']:.4f}: {'; '.join(each['moved'])}" for each in found if each["value"] >= UNSEEN]
