"""How wide words are in the one font of pictures, and how much of them fits.

Pictures are drawn with the vendored font alone, so that each server, with fonts or without, draws the same bytes.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from django.conf import settings
from fontTools.ttLib import TTFont

FAMILY = "DejaVu Sans"
_FOLDER = Path(settings.BASE_DIR) / "static" / "vendor" / "dejavu-2.37"
FILES = {"regular": _FOLDER / "DejaVuSans.ttf", "bold": _FOLDER / "DejaVuSans-Bold.ttf"}

MISSING = "□"
"""Stands for each character that the font does not have."""

_ELLIPSIS = "…"
_SPACES = {"Zs", "Zl", "Zp"}
_NOT_DRAWN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_LEAST_SHARE = 0.72  # of its size, to which a text may shrink before it is cut
_KEPT_DIGITS = 3


class _Font:
    """The widths of a TrueType font's characters, in parts of its size."""

    def __init__(self, path: Path) -> None:
        with TTFont(path, lazy=True) as font:
            self._units: int = font["head"].unitsPerEm
            self._glyphs: dict[int, str] = font.getBestCmap()
            self._widths = {name: width for name, (width, _) in font["hmtx"].metrics.items()}

    def has(self, character: str) -> bool:
        return ord(character) in self._glyphs

    def width(self, text: str) -> float:
        found: float = sum(self._widths[self._glyphs.get(ord(each), ".notdef")] for each in text) / self._units
        return found


@cache
def _font(weight: str) -> _Font:
    return _Font(FILES[weight])


def drawable(text: str) -> str:
    """The text as the font can draw it, on one line: without control and direction-turning characters, and with a box
    for each character that the font does not have."""
    shown = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if character in "\t\n\r" or category in _SPACES:
            shown.append(" ")
        elif category in _NOT_DRAWN:
            continue
        elif _font("regular").has(character) or not category.startswith("M"):
            shown.append(character if _font("regular").has(character) else MISSING)
    return " ".join("".join(shown).split())


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a drawable text is, in pixels."""
    return _font("bold" if bold else "regular").width(text) * size


def cut(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """As much of a drawable text as fits, with an ellipsis where it goes on."""
    if width(text, size, bold=bold) <= room:
        return text
    left = text
    while left and width(left.rstrip() + _ELLIPSIS, size, bold=bold) > room:
        left = left[:-1]
        while left and unicodedata.combining(left[-1]):
            left = left[:-1]
    return left.rstrip() + _ELLIPSIS


def lines(text: str, room: float, size: float, most: int, *, bold: bool = False) -> list[str]:
    """A drawable text in at most so many lines, broken between words where possible; the last one is cut."""
    found: list[str] = []
    left = text
    while left and len(found) < most - 1:
        line = _line(left, room, size, bold)
        found.append(line.rstrip())
        left = left[len(line) :].lstrip()
    return [*found, cut(left, room, size, bold=bold)] if left else found


def _line(text: str, room: float, size: float, bold: bool) -> str:
    """The beginning of a text that fills one line."""
    if width(text, size, bold=bold) <= room:
        return text
    end = 1
    while end < len(text) and width(text[: end + 1].rstrip(), size, bold=bold) <= room:
        end += 1
    space = text.rfind(" ", 0, end + 1)
    return text[:space] if space > 0 else text[:end]


def fitted(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, float]:
    """A drawable text and the size at which to write it: smaller if that is enough, else also cut."""
    wide = width(text, size, bold=bold)
    if wide <= room:
        return text, size
    smaller = max(size * room / wide, size * _LEAST_SHARE)
    return cut(text, room, smaller, bold=bold), smaller


def fitted_number(number: int, room: float, size: float, *, bold: bool = False) -> tuple[str, float]:
    """The same for a whole number, of which no digit may be lost unseen: one that is too long is rounded down to
    “1.23×10⁶⁹”, and made as small as it must be."""
    text = f"{number}".replace("-", "−")
    wide = width(text, size, bold=bold)
    if wide * _LEAST_SHARE > room and len(text) > 2 * _KEPT_DIGITS:
        digits, sign = f"{abs(number)}", "−" if number < 0 else ""
        power = f"{len(digits) - 1}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        text = f"{sign}{digits[0]}.{digits[1:_KEPT_DIGITS]}×10{power}"
        wide = width(text, size, bold=bold)
    return text, min(size, size * room / wide)
