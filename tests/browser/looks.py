"""Pictures of pages, and what a machine can say about how a page looks."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE, DESKTOP = 390, 1280
HEIGHTS = {PHONE: 844, DESKTOP: 800}
SCHEMES = ("light", "dark")
WANTED = os.environ.get("PICTURES", "") not in ("", "0")
OF_LOOKS = ("color-contrast", "link-in-text-block", "scrollable-region-focusable")
"""The rules of axe whose answers depend on width and colours; what a page says and how it is built does not."""


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


def ways(name: str) -> tuple[tuple[int, str], ...]:
    """How a page of this name is looked at: once at each width and in each scheme. Which width goes with which scheme
    is different from page to page, so that what pages share is seen in all four ways."""
    return tuple(zip(HEIGHTS, SCHEMES if crc32(name.encode()) % 2 else SCHEMES[::-1], strict=True))


class Camera:
    """Takes pictures of a page, at phone and desktop width, in light and dark, into `<name>-<width>-<scheme>.png`. They
    are for people to look at, so they are only taken with PICTURES=1."""

    folders: ClassVar[set[Path]] = set()

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if WANTED:
            folder.mkdir(parents=True, exist_ok=True)
            self.folders.add(folder)

    def __call__(self, page: Page, name: str, *, whole: bool = True) -> None:
        if not WANTED:
            return
        with as_before(page):
            for width, scheme in ways(name):
                see_as(page, width, scheme)
                self.shoot(page, f"{name}-{width}-{scheme}", whole=whole)

    def shoot(self, page: Page, name: str, *, whole: bool = True) -> None:
        """The page as it is now; a whole one from its top, so that what sticks there is where it belongs."""
        if not WANTED:
            return
        if whole:
            page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=self._folder / f"{name}.png", full_page=whole)


_STICKS_OUT = """() => document.scrollingElement.scrollWidth <= innerWidth ? '' :
    [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    // What is in a row that is scrolled by itself does not widen the page.
    .filter((element) => {
        for (let box = element.parentElement; box !== document.body; box = box.parentElement)
            if (getComputedStyle(box).overflowX !== 'visible' && box.clientWidth <= innerWidth) return false
        return true
    })
    .map((element) => `${element.tagName.toLowerCase()}.${element.className}#${element.id}`).slice(0, 8).join(' ')"""

_SMALL = """(side) => {
    // A pseudo-element that lies over more than its owner belongs to what is pressed.
    const measured = (one) => {
        const box = one.matches('[type=checkbox], [type=radio]') && one.labels[0] || one
        const {width, height} = box.getBoundingClientRect()
        const over = ['::before', '::after'].map((part) => getComputedStyle(one, part))
            .filter(({position, content}) => position === 'absolute' && content !== 'none')
        const most = (own, name) => Math.max(own, ...over.map((part) => parseFloat(part[name]) || 0))
        // A name of three letters in a line has room at its sides.
        const wide = getComputedStyle(one).display === 'inline' ? side : width
        return [one, most(wide, 'width'), most(height, 'height'), width && height]
    }
    // A line with fewer words besides its links is no running text: “hosted by …”, or a link alone. Django's own admin
    // is for a desk.
    const FEW = 16
    const isInProse = (one) => {
        if (getComputedStyle(one).display !== 'inline') return false
        if (one.closest('#container')) return true
        let box = one.parentElement
        while (getComputedStyle(box).display === 'inline') box = box.parentElement
        const links = [...box.querySelectorAll('a, button')].map((link) => link.textContent.trim().length)
        return box.textContent.trim().length - links.reduce((sum, length) => sum + length, 0) >= FEW
    }
    return [...document.querySelectorAll(
        'a[href], button, summary, select, textarea, input:not([type=hidden]), [role=tab], [role=button]')]
        .filter((one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true}))
        // In a line of text a link is as high as the line; what only shows itself to a keyboard is for no finger.
        .filter((one) => !isInProse(one) && !one.closest('.visually-hidden, [class^=skip-]'))
        // A number between its two buttons is stepped by them.
        .filter((one) => !one.matches('button + input:has(+ button)'))
        .map(measured)
        .filter(([, width, height, isThere]) => isThere && Math.min(width, height) < side)
        .map(([one, width, height]) => `${one.tagName.toLowerCase()}.${one.getAttribute('class')} `
            + `${(one.textContent || one.name || '').trim().slice(0, 20)} ${width.toFixed(1)} x ${height.toFixed(1)}`)
        .slice(0, 8)
}"""
_RUN_TOGETHER = r"""() => {
    const inline = (node) => node.nodeType === Node.TEXT_NODE
        || (node instanceof HTMLElement && getComputedStyle(node).display === 'inline')
    const gap = (node, side) => node.nodeType === Node.ELEMENT_NODE
        && ['margin', 'padding'].some((kind) => parseFloat(getComputedStyle(node)[kind + side]))
    const found = []
    for (const box of document.body.querySelectorAll('*')) {
        if (/flex|grid/.test(getComputedStyle(box).display) || !box.checkVisibility()) continue
        const nodes = [...box.childNodes].filter((node) => node.nodeType !== Node.COMMENT_NODE)
        for (const [place, node] of nodes.entries()) {
            const next = nodes[place + 1]
            if (!next || !inline(node) || !inline(next) || gap(node, 'Right') || gap(next, 'Left')) continue
            if (/[\p{L}\p{N}.,:;]$/u.test(node.textContent) && /^[\p{L}\p{N}]/u.test(next.textContent))
                found.push(node.textContent.slice(-20) + '|' + next.textContent.slice(0, 20))
        }
    }
    return found.slice(0, 8)
}"""
TOUCH = 43
"""What a finger needs, 44 px, less the borders of a row in which three of them share a phone's width."""


def too_small(page: Page) -> list[str]:
    """What can be pressed on a page and is smaller than a finger needs; links in running text aside."""
    found: list[str] = page.evaluate(_SMALL, TOUCH)
    return found


def sticking_out(page: Page) -> str:
    """Elements because of which the page scrolls sideways; empty if it does not."""
    found: str = page.evaluate(_STICKS_OUT)
    return found


def run_together(page: Page) -> list[str]:
    """Words of two elements that nothing keeps apart, as where a template has no space between them."""
    found: list[str] = page.evaluate(_RUN_TOGETHER)
    return found


_NO_WORDS = re.compile(r"<(script|style|svg|template|textarea|pre|code)\b.*?</\1>", re.DOTALL)
_INSIDE_LINES = re.compile(r"</?(?:a|abbr|b|em|i|kbd|q|small|span|strong|time)\b[^>]*>")
_JOINT = re.compile(r"[a-z0-9][.!?:;](?=[A-Z][a-z])|\d\.(?=[a-z]{2}|[A-Z]\b)")


def joints(page: Page) -> list[str]:
    """Where a sentence follows another without a space, in what is read without a style sheet: “in round 1.once”."""
    return joints_in(page.content())


def joints_in(html: str) -> list[str]:
    """The same of the HTML of a page."""
    text = unescape(re.sub("<[^>]+>", " ", _INSIDE_LINES.sub("", _NO_WORDS.sub("", html))))
    return [text[max(0, each.start() - 20) : each.end() + 20] for each in _JOINT.finditer(text)]


def faults(page: Page, camera: Camera, name: str) -> list[str]:
    """What is wrong with a page: it scrolls sideways, words run into each other, something is too small for a finger,
    or axe finds anything, of any weight. Each way in which it is looked at is asked for what depends on it, and the
    first one for everything."""
    page.wait_for_load_state("load")  # texts are there before their style sheets
    found = [f"words run together: {what}" for what in run_together(page) + joints(page)]
    page.evaluate(Axe().axe_script)
    with as_before(page):
        page.set_viewport_size({"width": 320, "height": 800})
        found += [f"sideways at 320 px: {what}" for what in [sticking_out(page)] if what]
        # Hosts set matches up at a desk, mostly; everything else is for a phone too.
        width = 640 if name.startswith("admin") else PHONE
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        found += [f"sideways at {width} px with large text: {what}" for what in [sticking_out(page)] if what]
        page.evaluate("document.documentElement.style.fontSize = ''")
        for number, (width, scheme) in enumerate(ways(name)):
            see_as(page, width, scheme)
            found += [f"sideways at {width} px: {what}" for what in [sticking_out(page)] if what]
            # At a desk there is a mouse.
            if width == PHONE:
                found += [f"too small for a finger: {what}" for what in too_small(page)]
            found += [f"{width} px, {scheme}: {barrier}" for barrier in _barriers(page, OF_LOOKS if number else ())]
            camera.shoot(page, f"{name}-{width}-{scheme}")
    return found


def _barriers(page: Page, rules: tuple[str, ...]) -> Iterator[str]:
    """What these rules find, or all rules."""
    # It would read all style sheets for a rule that is not asked; the other one that needs something looks for sounds.
    how = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}} | ({"runOnly": rules} if rules else {})
    for barrier in page.evaluate("(how) => axe.run(how)", how)["violations"]:
        nodes = [(node["target"], [check["message"] for check in node["any"]]) for node in barrier["nodes"]]
        yield f"{barrier['id']}: {nodes[:4]}"
