"""What a player needs lies on the first screen: the board, what they have, and what they can do, with its button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browser.looks import as_before

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = ((1280, 900), (390, 844))
LINE = 64
"""Pixels: the most that the line above the board may take."""

# A board says with `data-table` which part of it is what one plays on; one that does not is that as a whole.
_BOXES = """() => {
    const box = (element) => {
        const at = element?.checkVisibility() ? element.getBoundingClientRect() : null;
        return at && at.height ? {top: at.top, bottom: at.bottom, height: at.height} : null;
    };
    const bar = document.querySelector(".move-bar");
    return {
        line: box(document.querySelector(".match-line")),
        purse: box(document.querySelector(".purse-strip")),
        board: box(document.querySelector("#part-board [data-table]") ?? document.querySelector("#part-board")),
        opener: box(document.querySelector(".move-bar > button")),
        act: box(document.querySelector("#part-act :is(.submission__act, button[type=submit])")),
        // Where there is nothing to do, the bar is not shown, and has no place on the screen.
        foot: (bar && getComputedStyle(bar).position === "fixed" && box(bar)?.top) || innerHeight,
    };
}"""


def beyond_first_screen(page: Page, *, acts: bool = True) -> list[str]:
    """What of a player's match page is not whole on the first screen, at a desk or on a phone; in words.

    `acts`: there is something that the player can do now.
    """
    found: list[str] = []
    with as_before(page):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            boxes = page.evaluate(_BOXES)
            where = f"at {width} × {height}"
            if not boxes["line"] or boxes["line"]["height"] > LINE:
                found.append(f"the line {where}: {boxes['line']}")
            for name in ("purse", "board"):
                found += _outside(name, boxes[name], boxes["foot"], where)
            if acts:
                found += _act(page, boxes, height, where)
    return found


def _act(page: Page, boxes: dict[str, Any], height: int, where: str) -> list[str]:
    """The button of the first form; on a phone it is in a sheet, which a button on the first screen opens."""
    if boxes["opener"] is None:
        return _outside("the button", boxes["act"], height, where)
    page.locator(".move-bar > button").click()
    page.locator("#act:popover-open").wait_for()
    in_sheet = page.evaluate(_BOXES)["act"]
    page.locator("#act").evaluate("(sheet) => sheet.hidePopover()")
    return [
        *_outside("what opens the sheet", boxes["opener"], height, where),
        *_outside("the sheet's button", in_sheet, height, where),
    ]


def _outside(name: str, box: dict[str, float] | None, bottom: float, where: str) -> list[str]:
    if box is None:
        return [f"{name} {where}: not there"]
    if box["top"] < 0 or box["bottom"] > bottom + 0.5:
        return [f"{name} {where}: from {box['top']:.0f} to {box['bottom']:.0f}, the screen ends at {bottom:.0f}"]
    return []


def tabs_to_the_button(page: Page, *, by_link: bool = True) -> int:
    """How often somebody with a keyboard presses Tab, from the top of the page on, until they can send the first form.
    `by_link`: they take the link to it when they come upon it."""
    page.reload()
    page.locator('.match-line [tabindex="-1"]').first.wait_for(state="attached")
    for count in range(1, 41):
        page.keyboard.press("Tab")
        if by_link and page.get_by_role("link", name="Skip to your move").and_(page.locator(":focus")).count():
            page.keyboard.press("Enter")
        if page.locator(".submission__act:focus").count():
            return count
    raise AssertionError("the button is not reached")
