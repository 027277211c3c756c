"""Pictures of pages, and what a machine can say about how a page looks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE, DESKTOP = 390, 1280
HEIGHTS = {PHONE: 844, DESKTOP: 800}
SCHEMES = ("light", "dark")


def see_as(page: Page, width: int, scheme: str) -> None:
    """From now on the page is so wide and in these colours."""
    page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 800)})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    # Colours that are on their way are nobody's choice.
    page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")


@contextlib.contextmanager
def as_before(page: Page) -> Iterator[None]:
    """Whatever is done to the page's width and colours is undone at the end of the block."""
    before = page.viewport_size
    try:
        yield
    finally:
        page.emulate_media(color_scheme=None, reduced_motion=None)
        if before:
            page.set_viewport_size(before)


class Camera:
    """Takes a page at phone and desktop width, in light and dark, into `<name>-<width>-<scheme>.png`."""

    folders: ClassVar[set[Path]] = set()

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.folders.add(folder)

    def __call__(self, page: Page, name: str, *, whole: bool = True) -> None:
        with as_before(page):
            for width in HEIGHTS:
                for scheme in SCHEMES:
                    see_as(page, width, scheme)
                    self.shoot(page, f"{name}-{width}-{scheme}", whole=whole)

    def shoot(self, page: Page, name: str, *, whole: bool = True) -> None:
        """The page as it is now; a whole one from its top, so that what sticks there is where it belongs."""
        if whole:
            page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=self._folder / f"{name}.png", full_page=whole)


# Structure is looked at once for each width, colours in every way.
_COLOURS = ["color-contrast", "link-in-text-block"]
_EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"]}
_LOOKS = (
    (PHONE, "light", {**_EVERYTHING, "runOnly": {"type": "rule", "values": _COLOURS}}),
    (PHONE, "dark", _EVERYTHING),
    (DESKTOP, "dark", {**_EVERYTHING, "runOnly": {"type": "rule", "values": _COLOURS}}),
    (DESKTOP, "light", _EVERYTHING),
)
_STICKS_OUT = """() => document.scrollingElement.scrollWidth <= innerWidth ? '' :
    [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => `${element.tagName.toLowerCase()}.${element.className}#${element.id}`).slice(0, 8).join(' ')"""


def sticking_out(page: Page) -> str:
    """Elements because of which the page scrolls sideways; empty if it does not."""
    found: str = page.evaluate(_STICKS_OUT)
    return found


def faults(page: Page, camera: Camera, name: str) -> list[str]:
    """What is wrong with a page: it scrolls sideways, or axe calls something serious or critical. A picture is
    kept of it on a phone in the dark and on a desktop in the light."""
    found = []
    page.evaluate(Axe().axe_script)
    with as_before(page):
        page.set_viewport_size({"width": 360, "height": 800})
        found += [f"sideways at 360 px: {what}" for what in [sticking_out(page)] if what]
        for width, scheme, options in _LOOKS:
            see_as(page, width, scheme)
            found += [f"sideways at {width} px: {what}" for what in [sticking_out(page)] if what]
            found += [f"{width} px, {scheme}: {barrier}" for barrier in _barriers(page, options)]
            if options is _EVERYTHING:
                camera.shoot(page, f"{name}-{width}-{scheme}")
    return found


def _barriers(page: Page, options: dict[str, Any]) -> Iterator[str]:
    for barrier in page.evaluate("(options) => axe.run(options)", options)["violations"]:
        if barrier["impact"] in ("serious", "critical"):
            nodes = [(node["target"], [check["message"] for check in node["any"]]) for node in barrier["nodes"]]
            yield f"{barrier['id']}: {nodes[:4]}"
