"""Looks at a picture before it is drawn: is it well formed, and does every text fit."""

import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

from matches.pages import pictures
from matches.pages.pictures import WIDTH

SVG = "{http://www.w3.org/2000/svg}"
SMALLEST = 15
"""Pixels of 1200; a chat shows half of them."""


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def faults_of(svg: str, smallest: float = SMALLEST) -> list[str]:
    """What is wrong with its texts; raises for what is not XML."""
    return list(_faults(ElementTree.fromstring(svg), smallest))  # noqa: S314 - our own


def _faults(root: ElementTree.Element, smallest: float) -> Iterator[str]:
    scaled = {text for group in root.iter(f"{SVG}g") if group.get("transform") for text in group.iter(f"{SVG}text")}
    in_symbols = {text for symbol in root.iter(f"{SVG}symbol") for text in symbol.iter(f"{SVG}text")}
    for text in root.iter(f"{SVG}text"):
        words, size = text.text or "", float(text.get("font-size", 0))
        if text in in_symbols or not words:
            continue
        if size < smallest:
            yield f"{words} is written in {size:.0f}"
        if text in scaled:
            continue
        wide = pictures.width(words, size, bold=text.get("font-weight") == "700")
        left = float(text.get("x", 0)) - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor", "start"), 0)
        if left < 0:
            yield f"{words} begins at {left:.0f}"
        if left + wide > WIDTH:
            yield f"{words} ends at {left + wide:.0f}"
