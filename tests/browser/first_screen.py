"""What a player needs lies on the first screen: the board, what they have, and what they can do, with its button; and
it is near for those who use a keyboard, and whole for those who need large letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browser.looks import as_before, sticking_out

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = ((1280, 900), (390, 844))
LINE = 64
"""Pixels: the most that the line above the board may take."""
TABS = 12
"""How often somebody with a keyboard may have to press Tab until they can send the first form."""

# A board says with `data-table` which part of it is what one plays on; one that does not is that as a whole.
_BOXES = """() => {
    const box = (element) => {
        const at = element?.checkVisibility() ? element.getBoundingClientRect() : null;
        return at && at.height ? {top: at.top, bottom: at.bottom, height: at.height} : null;
    };
    const bar = document.querySelector(".move-bar");
    const sheet = box(document.querySelector("#act"));
    return {
        line: box(document.querySelector(".match-line")),
        purse: box(document.querySelector(".purse-strip")),
        board: box(document.querySelector("#part-board [data-table]") ?? document.querySelector("#part-board")),
        opener: box(document.querySelector(".move-bar > button")),
        act: box(document.querySelector("#part-act button[type=submit]")),
        // The sheet scrolls by itself.
        end: Math.min(innerHeight, sheet?.bottom ?? innerHeight),
        // Where there is nothing to do, the bar is not shown, and has no place on the screen.
        foot: (bar && getComputedStyle(bar).position === "fixed" && box(bar)?.top) || innerHeight,
    };
}"""

# The phase and its deadline are not lower than the line and lie under nothing, and no tab is cut; a title may end with
# an ellipsis.
_CUT = """() => {
    const line = document.querySelector(".match-line"), end = line.getBoundingClientRect().bottom;
    const more = line.querySelector(".match-line__more").getBoundingClientRect();
    const isUnder = (box) => box.right > more.left && box.left < more.right && box.top < more.bottom - 1;
    const words = [...line.querySelectorAll(".deadline-bar strong, .deadline__left")];
    return [...line.querySelectorAll(".deadline-bar, .tabs")]
        .filter((each) => each.checkVisibility())
        .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().bottom > end)
        .map((each) => `${each.className}: ${each.scrollWidth} of ${each.clientWidth} px, ${each.innerText}`)
        .concat(words.filter((each) => each.checkVisibility() && isUnder(each.getBoundingClientRect()))
            .map((each) => `under what the hosts said: ${each.innerText}`));
}"""


# What sticks to the foot of the forms lies over fields; those that scroll under it must come out when they are reached.
_COVERED = """() => {
    const fields = [...document.querySelectorAll("#part-act :is(input, select, textarea, summary)")];
    const isCovered = (field) => {
        field.focus();
        if (document.activeElement !== field) return false;
        const box = (field.closest("label") ?? field).getBoundingClientRect();
        const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return !(seen && (field.contains(seen) || field.closest("label")?.contains(seen)));
    };
    const there = fields.filter((field) => field.checkVisibility());
    const found = [...there, ...there.toReversed()].filter(isCovered);
    document.activeElement.blur();
    return [...new Set(found.map((field) => field.name || field.textContent.trim()))];
}"""


# What closes the sheet lies in its corner, beside the words.
_UNDER_CLOSE = """() => {
    const close = document.querySelector(".sheet__close").getBoundingClientRect();
    const lies = (line) => line.right > close.left + 8 && line.top < close.bottom - 8 && line.bottom > close.top + 8;
    return [...document.querySelectorAll("#act :is(h2, h3, p, legend, label)")].filter((words) => {
        const range = document.createRange();
        range.selectNodeContents(words);
        return words.checkVisibility() && [...range.getClientRects()].some(lies);
    }).map((words) => `under the button that closes: ${words.textContent.trim()}`);
}"""


_WIDER_THAN_THE_SHEET = """() => {
    const sheet = document.querySelector("#act");
    if (sheet.scrollWidth <= sheet.clientWidth) return [];
    const end = sheet.getBoundingClientRect().left + sheet.clientWidth;
    return [...sheet.querySelectorAll("*")]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > end + 1)
        .slice(0, 3)
        .map((each) => `${each.localName}.${each.className}`);
}"""


_FOCUSED = "() => `${document.activeElement.localName} ${document.activeElement.textContent.trim().slice(0, 20)}`"


def shortcomings(page: Page, *, acts: bool = True) -> list[str]:
    """What a player's match page does not do for them, in words: see `beyond_first_screen`, `beyond_the_width` and
    `tabs_to_the_button`.

    `acts`: there is something that the player can do now.
    """
    found = beyond_first_screen(page, acts=acts) + beyond_the_width(page)
    if acts and (tabs := tabs_to_the_button(page)) > TABS:
        found.append(f"{tabs} tabs to the button")
    return found


def beyond_first_screen(page: Page, *, acts: bool = True) -> list[str]:
    """What of a player's match page is not whole on the first screen, at a desk or on a phone; in words."""
    found: list[str] = []
    with as_before(page):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            boxes = page.evaluate(_BOXES)
            where = f"at {width} × {height}"
            if not boxes["line"] or boxes["line"]["height"] > LINE:
                found.append(f"the line {where}: {boxes['line']}")
            found += [f"cut {where}: {what}" for what in page.evaluate(_CUT)]
            for name in ("purse", "board"):
                found += _outside(name, boxes[name], boxes["foot"], where)
            if acts:
                found += _act(page, boxes, height, where)
    return found


def beyond_the_width(page: Page) -> list[str]:
    """What makes a page scroll sideways at 320 pixels, or on a phone with letters that are twice as large."""
    found = []
    with as_before(page):
        for width, size in ((320, ""), (SIZES[1][0], "200%")):
            page.set_viewport_size({"width": width, "height": SIZES[1][1]})
            page.evaluate("(size) => { document.documentElement.style.fontSize = size }", size)
            found += [f"sideways at {width} px {size}: {what}" for what in [sticking_out(page)] if what]
            found += [f"sideways at {width} px {size}, in the sheet: {what}" for what in _beyond_the_sheet(page)]
        page.evaluate("document.documentElement.style.fontSize = ''")
    return found


def _beyond_the_sheet(page: Page) -> list[str]:
    """What is wider than the sheet with the forms, if the page has one."""
    opener = page.locator(".move-bar > button")
    if not opener.is_visible():
        return []
    opener.click()
    page.locator("#act:popover-open").wait_for()
    found = page.evaluate(_WIDER_THAN_THE_SHEET)
    page.locator("#act").evaluate("(sheet) => sheet.hidePopover()")
    return found  # type: ignore[no-any-return]


def _act(page: Page, boxes: dict[str, Any], height: int, where: str) -> list[str]:
    """The button of the first form; on a phone it is in a sheet, which a button on the first screen opens. And the
    fields: none lies under what sticks to the foot while it has the focus."""
    if boxes["opener"] is None:
        return [*_outside("the button", boxes["act"], boxes["end"], where), *covered(page, where)]
    page.locator(".move-bar > button").click()
    page.locator("#act:popover-open").wait_for()
    in_sheet = page.evaluate(_BOXES)
    hidden = page.evaluate(_UNDER_CLOSE) + covered(page, where)
    page.locator("#act").evaluate("(sheet) => sheet.hidePopover()")
    return [
        *_outside("what opens the sheet", boxes["opener"], height, where),
        *_outside("the sheet's button", in_sheet["act"], in_sheet["end"], where),
        *hidden,
    ]


def covered(page: Page, where: str) -> list[str]:
    """The fields that lie under what sticks to the top or the foot of the forms while they have the focus; in words."""
    return [f"covered {where} while it has the focus: {name}" for name in page.evaluate(_COVERED)]


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
    page.locator("html.ready").wait_for()
    met = []
    for count in range(1, 41):
        page.keyboard.press("Tab")
        met.append(page.evaluate(_FOCUSED))
        if by_link and page.get_by_role("link", name="Skip to your move").and_(page.locator(":focus")).count():
            page.keyboard.press("Enter")
        if page.locator("#part-act button[type=submit]:focus").count():
            return count
    raise AssertionError(f"the button is not reached, but {met}")
