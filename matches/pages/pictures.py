"""Pictures of matches to share, and the letters and faces in them."""

import hashlib
import re
import threading
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import resvg_py
from django.conf import settings
from django.template.loader import render_to_string
from fontTools.ttLib import TTFont

from accounts import marks
from matches.infra.local_cache import LocalCache
from matches.models import Match
from matches.pages import styles
from matches.pages.context import Headline, MatchContext, headline_of
from matches.pages.fragments import picture_of
from matches.queries.matches import Position

# -- fonts -----------------------------------------------------------------------------------------------
# How wide words are in the one font of pictures, and how much of them fits.
#
# Pictures are drawn with the vendored font alone, so that each server, with fonts or without, draws the same bytes.

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


# -- avatars ---------------------------------------------------------------------------------------------
# The marks of players and teams: twelve shapes, twelve colours, four edges, drawn in `static/img/marks.svg`.
#
# Marks differ first in shape, then in edge, then in colour, and always carry initials, so they work without colours
# and in print. The first twelve players differ in shape and have no edge, which is easiest to read when small; the
# next twelve have the same shapes and colours with a ring, and so on: 48 different marks.

SHAPES = (
    *("disc", "tile", "rhombus", "hexagon", "pentagon", "octagon"),
    *("flower", "arch", "leaf", "ticket", "burst", "cross"),
)
TEAM_SHAPES = ("swallowtail", "crest", "pointed-banner", "flag")
EDGES = ("", "ring", "dashes", "dots")


def mark_of(index: int, *, team: bool = False) -> str:
    """The mark's name in `static/img/marks.svg`: its shape, and its edge if it has one."""
    shapes = TEAM_SHAPES if team else SHAPES
    edge = EDGES[marks.edge_of(index)]
    return "-".join(filter(None, (shapes[index % len(shapes)], edge)))


def colour_of(index: int) -> int:
    """The number of the mark's colour: `mark-0` to `mark-11` in the style sheets."""
    return marks.colour_of(index)


def initials_of(name: str) -> str:
    """Two letters: the first of the first two words, or the first two of a single word. A number at the end stands for
    the name, which it tells from others: Player 11, Player 12."""
    words = [word for word in name.replace("_", " ").replace("-", " ").replace(".", " ").split() if word]
    if not words:
        return "?"
    if words[-1].isdecimal():
        return words[-1][-2:]
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return letters[0].upper() + letters[1:]


# -- pictures --------------------------------------------------------------------------------------------
# The picture of a match for links in chats: its public board as a PNG, made from an SVG template of its game.
#
# It holds what everybody may know and nothing that changes with the clock, so that it is the same bytes for everybody
# and for as long as nothing happens. Drawing takes a tenth of a second of CPU: each picture is drawn once by a
# process, one at a time, and kept.

WIDTH, HEIGHT = 1200, 630
MOST_SECONDS_IN_LINE = 5.0

_MOST_PICTURES = 96

_USED = re.compile(r'href="#(\w+):([\w-]+)"')
_SYMBOL = re.compile(r'<symbol id="([\w-]+)"(.*?)</symbol>', re.DOTALL)
_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)(?:, *([^)]+))?\)")
_TOKEN = re.compile(r"--([a-z0-9-]+): light-dark\([^,()]+, (#[0-9a-f]{3,6})\);")


class TooManyPictures(Exception):
    """Others are being drawn and this one did not come to its turn."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture before it is drawn. `digest` names what it will look like."""

    svg: str = field(repr=False)
    digest: str


def drawing_of(position: Position, shown: MatchContext) -> Drawing:
    """The picture of a match as it stands, in SVG. `shown`: the same match for templates."""
    match, headline = position.match, headline_of(position, shown.people)
    plays = position.public is not None and match.status != Match.Status.CANCELLED
    # Neither `now` nor `times`: a picture must not change while nothing happens.
    context = {"match": shown.info, "view": position.public, "people": shown.people, "headline": headline}
    template = picture_of(match.game) if plays else picture_of(match.game)[-1:]
    return drawing_from(render_to_string(template, context), match.game)


def without_result(title: str, kind: str) -> Drawing:
    """Instead of the picture of a match, for those who do not want to see yet how it ended."""
    headline = Headline("The result is hidden", ("until you ask for it on its page",))
    context = {"match": {"title": title, "game_title": kind}, "headline": headline, "hidden": True}
    return drawing_from(render_to_string("matches/standard/picture.svg", context))


def png_of(drawing: Drawing) -> bytes:
    """The picture as PNG. Raises `TooManyPictures`."""
    known = _pictures.get(drawing.digest)
    if known is not None:
        return known
    if not _turn.acquire(timeout=MOST_SECONDS_IN_LINE):
        raise TooManyPictures
    try:
        known = _pictures.get(drawing.digest)  # drawn by another thread while this one stood in line
        if known is None:
            known = draw(drawing.svg)
            _pictures.keep(drawing.digest, known)
        return known
    finally:
        _turn.release()


def draw(svg: str) -> bytes:
    """Any SVG as PNG, with the font and the colours of pictures. Raises `ValueError` for what is no SVG."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            style_sheet=style_sheet(),
            skip_system_fonts=True,
            font_files=[str(path) for path in FILES.values()],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            serif_family=FAMILY,
        )
    )


_pictures: LocalCache[str, bytes] = LocalCache(_MOST_PICTURES)
_turn = threading.Lock()


def drawing_from(svg: str, game: str = "") -> Drawing:
    """The drawing of any SVG, with every symbol that it uses."""
    whole = with_symbols(svg, game)
    return Drawing(whole, hashlib.sha256(f"{_drawn_by()}\n{whole}".encode()).hexdigest()[:40])


# -- what pictures are drawn with ----------------------------------------------------------------


def with_symbols(svg: str, game: str = "") -> str:
    """The SVG with every symbol that it uses as `#file:name`, from `static/img` or from the game's static files."""
    used = dict.fromkeys(_USED.findall(svg))
    drawn = "".join(f'<symbol id="{file}:{name}"{_symbols(file, game)[name]}</symbol>' for file, name in used)
    return svg.replace("</svg>", f"<defs>{drawn}</defs></svg>") if drawn else svg


@cache
def _symbols(file: str, game: str) -> dict[str, str]:
    """The symbols of a file, in the colours of pictures."""
    path = Path(settings.BASE_DIR) / "static" / "img" / f"{file}.svg"
    if not path.exists():
        path = styles.folder_of(game) / f"{file}.svg"
    drawn = _VARIABLE.sub(lambda found: tokens().get(found[1], found[2] or "none"), path.read_text())
    return symbols_in(drawn)


def symbols_in(svg: str) -> dict[str, str]:
    """The symbols in files of drawings: name -> all that follows it, up to the end of the symbol."""
    return dict(_SYMBOL.findall(svg))


@cache
def tokens() -> dict[str, str]:
    """The site's colours by night, by name: a picture stands on the pages of others, where none can be chosen."""
    sheet = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
    return dict(_TOKEN.findall(sheet))


@cache
def style_sheet() -> str:
    """For each colour `fill-…`, `line-…` (strokes) and `ink-…` (what `currentColor` is in a symbol)."""
    rules = (
        f".fill-{name}{{fill:{colour}}}.line-{name}{{stroke:{colour}}}.ink-{name}{{color:{colour}}}"
        for name, colour in tokens().items()
    )
    return "".join(rules)


@cache
def _drawn_by() -> str:
    """Names the font, the colours and the library: another one draws other bytes from the same SVG."""
    parts = [path.read_bytes() for path in FILES.values()]
    parts += [style_sheet().encode(), resvg_py.__version__.encode()]
    return hashlib.sha256(b"".join(parts)).hexdigest()
