"""How wide words are in the one font of pictures, and how much of them fits.

Pictures are drawn with the vendored font alone, so that each server, with fonts or without, draws the same bytes.
"""

from __future__ import annotations

import struct
import unicodedata
from functools import cache
from pathlib import Path

from django.conf import settings

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
        data = path.read_bytes()
        (count,) = struct.unpack_from(">H", data, 4)
        tables = {}
        for place in range(count):
            tag, _, offset, length = struct.unpack_from(">4sIII", data, 12 + 16 * place)
            tables[tag.decode("ascii")] = data[offset : offset + length]
        self._units: int
        (self._units,) = struct.unpack_from(">H", tables["head"], 18)
        (metrics,) = struct.unpack_from(">H", tables["hhea"], 34)
        self._advances: list[int] = [struct.unpack_from(">H", tables["hmtx"], 4 * glyph)[0] for glyph in range(metrics)]
        self._glyphs = _character_map(tables["cmap"])

    def has(self, character: str) -> bool:
        return ord(character) in self._glyphs

    def width(self, text: str) -> float:
        return sum(self._advance(character) for character in text) / self._units

    def _advance(self, character: str) -> int:
        glyph = self._glyphs.get(ord(character), 0)
        return self._advances[min(glyph, len(self._advances) - 1)]


def _character_map(table: bytes) -> dict[int, int]:
    """Character -> glyph, from the map of the first 65,536 characters (format 4), which each font has."""
    (count,) = struct.unpack_from(">H", table, 2)
    offsets = {struct.unpack_from(">I", table, 8 + 8 * place)[0] for place in range(count)}
    start = next(offset for offset in sorted(offsets) if struct.unpack_from(">H", table, offset)[0] == 4)
    (doubled,) = struct.unpack_from(">H", table, start + 6)
    segments = doubled // 2

    def column(at: int, kind: str = "H") -> tuple[int, ...]:
        return struct.unpack_from(f">{segments}{kind}", table, start + at)

    ends, firsts = column(14), column(16 + doubled)
    deltas, ranges = column(16 + 2 * doubled, "h"), column(16 + 3 * doubled)
    found: dict[int, int] = {}
    for segment, (first, last) in enumerate(zip(firsts, ends, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if ranges[segment]:
                at = start + 16 + 3 * doubled + 2 * segment + ranges[segment] + 2 * (code - first)
                (glyph,) = struct.unpack_from(">H", table, at)
                if not glyph:
                    continue
            if glyph := (glyph + deltas[segment]) & 0xFFFF:
                found[code] = glyph
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
