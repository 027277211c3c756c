"""Pictures of matches to share: the widths of texts, the marks of players, and drawing SVG as PNG."""

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
# How wide texts are in the font of pictures, and how much of them fits.
# Pictures are drawn with the vendored font alone, so that every server, with fonts or without, draws the same bytes.

FAMILY = "DejaVu Sans"
_FOLDER = Path(settings.BASE_DIR) / "static" / "vendor" / "dejavu-2.37"
FILES = {"regular": _FOLDER / "DejaVuSans.ttf", "bold": _FOLDER / "DejaVuSans-Bold.ttf"}

MISSING = "□"
"""Stands for each character that the font does not have."""

_ELLIPSIS = "…"
_SPACES = {"Zs", "Zl", "Zp"}
_NOT_DRAWN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_LEAST_SHARE = 0.72  # of its size: a text may shrink to this before it is cut
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
    """Return a text as the font can draw it, on one line: without control and direction-changing characters, and with a
    box for each character that the font does not have."""
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
    """Return the width of a drawable text, in pixels."""
    return _font("bold" if bold else "regular").width(text) * size


def cut(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return as much of a drawable text as fits, with an ellipsis if it is cut."""
    if width(text, size, bold=bold) <= room:
        return text
    left = text
    while left and width(left.rstrip() + _ELLIPSIS, size, bold=bold) > room:
        left = left[:-1]
        while left and unicodedata.combining(left[-1]):
            left = left[:-1]
    return left.rstrip() + _ELLIPSIS


def lines(text: str, room: float, size: float, most: int, *, bold: bool = False) -> list[str]:
    """Return a drawable text in at most `most` lines, broken between words where possible; the last one may be cut."""
    found: list[str] = []
    left = text
    while left and len(found) < most - 1:
        line = _line(left, room, size, bold)
        found.append(line.rstrip())
        left = left[len(line) :].lstrip()
    return [*found, cut(left, room, size, bold=bold)] if left else found


def _line(text: str, room: float, size: float, bold: bool) -> str:
    """The part of a text that fills its first line."""
    if width(text, size, bold=bold) <= room:
        return text
    end = 1
    while end < len(text) and width(text[: end + 1].rstrip(), size, bold=bold) <= room:
        end += 1
    space = text.rfind(" ", 0, end + 1)
    return text[:space] if space > 0 else text[:end]


def fitted(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, float]:
    """Return a drawable text and the size at which to draw it: smaller if that is enough to fit, otherwise also cut."""
    wide = width(text, size, bold=bold)
    if wide <= room:
        return text, size
    smaller = max(size * room / wide, size * _LEAST_SHARE)
    return cut(text, room, smaller, bold=bold), smaller


def fitted_number(number: int, room: float, size: float, *, bold: bool = False) -> tuple[str, float]:
    """Return a whole number as text and the size at which to draw it. It is never cut: a number that is too long is
    rounded down to “1.23×10⁶⁹” and made as small as necessary."""
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
# Marks differ first in shape, then in edge, then in colour, and always carry initials, so they work without colours and
# in print. The first twelve players differ in shape and have no edge, which is easiest to read when small; the next
# twelve have the same shapes and colours with a ring, and so on: 48 different marks.

SHAPES = (
    *("disc", "tile", "rhombus", "hexagon", "pentagon", "octagon"),
    *("flower", "arch", "leaf", "ticket", "burst", "cross"),
)
TEAM_SHAPES = ("swallowtail", "crest", "pointed-banner", "flag")
EDGES = ("", "ring", "dashes", "dots")


def mark_of(index: int, *, team: bool = False) -> str:
    """Return the mark's name in `static/img/marks.svg`: its shape, and its edge if it has one."""
    shapes = TEAM_SHAPES if team else SHAPES
    edge = EDGES[marks.edge_of(index)]
    return "-".join(filter(None, (shapes[index % len(shapes)], edge)))


def colour_of(index: int) -> int:
    """Return the number of the mark's colour: `mark-0` to `mark-11` in the style sheets."""
    return marks.colour_of(index)


def initials_of(name: str) -> str:
    """Return a name's initials: the first letters of its first two words, or the first two letters of a single word. Of
    a name that ends with a number, its last two digits, which tell it from others: Player 11, Player 12."""
    words = [word for word in name.replace("_", " ").replace("-", " ").replace(".", " ").split() if word]
    if not words:
        return "?"
    if words[-1].isdecimal():
        return words[-1][-2:]
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return letters[0].upper() + letters[1:]


# -- pictures --------------------------------------------------------------------------------------------
# The picture of a match for links in chats: its public board as a PNG, made from an SVG template of its game.
# It shows only what is public and nothing that changes with the clock, so that everybody gets the same bytes for as
# long as nothing happens. Drawing takes a tenth of a second of CPU: each process draws a picture once, one at a time,
# and caches it.

WIDTH, HEIGHT = 1200, 630
MOST_SECONDS_IN_LINE = 5.0

_MOST_PICTURES = 96

_USED = re.compile(r'href="#(\w+):([\w-]+)"')
_SYMBOL = re.compile(r'<symbol id="([\w-]+)"(.*?)</symbol>', re.DOTALL)
_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)(?:, *([^)]+))?\)")
_TOKEN = re.compile(r"--([a-z0-9-]+): light-dark\([^,()]+, (#[0-9a-f]{3,6})\);")


class TooManyPictures(Exception):
    """Other pictures were being drawn for so long that this one was not started."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture before it is drawn. `digest` identifies what it will look like."""

    svg: str = field(repr=False)
    digest: str


def drawing_of(position: Position, shown: MatchContext) -> Drawing:
    """Return the picture of a match's present position as SVG. `shown`: its template context."""
    match, headline = position.match, headline_of(position, shown.people)
    plays = position.public is not None and match.status != Match.Status.CANCELLED
    # Without `now` and `times`: a picture must not change while nothing happens.
    context = {"match": shown.info, "view": position.public, "people": shown.people, "headline": headline}
    template = picture_of(match.game) if plays else picture_of(match.game)[-1:]
    return drawing_from(render_to_string(template, context), match.game)


def without_result(title: str, kind: str) -> Drawing:
    """Return a picture that does not give the result away, for people who hide results."""
    headline = Headline("The result is hidden", ("until you ask for it on its page",))
    context = {"match": {"title": title, "game_title": kind}, "headline": headline, "hidden": True}
    return drawing_from(render_to_string("matches/standard/picture.svg", context))


def png_of(drawing: Drawing) -> bytes:
    """Return the picture as PNG. Raises `TooManyPictures`."""
    known = _pictures.get(drawing.digest)
    if known is not None:
        return known
    if not _turn.acquire(timeout=MOST_SECONDS_IN_LINE):
        raise TooManyPictures
    try:
        known = _pictures.get(drawing.digest)  # another thread may have drawn it meanwhile
        if known is None:
            known = draw(drawing.svg)
            _pictures.keep(drawing.digest, known)
        return known
    finally:
        _turn.release()


def draw(svg: str) -> bytes:
    """Draw any SVG as PNG, with the font and colours of pictures. Raises `ValueError` for invalid SVG."""
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
    """Return a drawing of any SVG, including every symbol that it uses."""
    whole = with_symbols(svg, game)
    return Drawing(whole, hashlib.sha256(f"{_drawn_by()}\n{whole}".encode()).hexdigest()[:40])


# -- what pictures are drawn with ----------------------------------------------------------------


def with_symbols(svg: str, game: str = "") -> str:
    """Return the SVG with a definition of every symbol that it uses as `#file:name`. The symbols are in `static/img` or
    in the game's static files."""
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
    """Return the symbols in an SVG file: name -> everything that follows the name, up to the end of the symbol."""
    return dict(_SYMBOL.findall(svg))


@cache
def tokens() -> dict[str, str]:
    """Return the site's dark colours, by name. Pictures appear on other sites, where nobody can choose a theme."""
    sheet = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
    return dict(_TOKEN.findall(sheet))


@cache
def style_sheet() -> str:
    """Return the classes `fill-…`, `line-…` (strokes) and `ink-…` (`currentColor` in a symbol) for each colour."""
    rules = (
        f".fill-{name}{{fill:{colour}}}.line-{name}{{stroke:{colour}}}.ink-{name}{{color:{colour}}}"
        for name, colour in tokens().items()
    )
    return "".join(rules)


@cache
def _drawn_by() -> str:
    """A hash of the font, the colours and the library, each of which changes the bytes drawn from the same SVG."""
    parts = [path.read_bytes() for path in FILES.values()]
    parts += [style_sheet().encode(), resvg_py.__version__.encode()]
    return hashlib.sha256(b"".join(parts)).hexdigest()
