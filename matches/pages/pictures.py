"""The picture of a match for links in chats: its public board as a PNG, made from an SVG template of its game.

It holds what everybody may know and nothing that changes with the clock, so that it is the same bytes for everybody and
for as long as nothing happens. Drawing takes a tenth of a second of CPU: each picture is drawn once by a process, one
at a time, and kept.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import resvg_py
from django.conf import settings
from django.template.loader import render_to_string

from matches.infra.kept import Kept
from matches.models import Match
from matches.pages import fonts, styles
from matches.pages.context import MatchContext
from matches.pages.game_templates import picture_of
from matches.pages.headline import Headline, headline_of
from matches.queries.matches import Position

WIDTH, HEIGHT = 1200, 630
MOST_SECONDS_IN_LINE = 5.0

_MOST_DRAWINGS, _MOST_PICTURES = 2048, 96

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
    match = position.match
    key = (match.public_id, match.public_version, match.rules_version, shown.info, shown.people.key)
    known = _drawings.get(key)
    if known is None:
        known = _make(position, shown)
        _drawings.keep(key, known)
    return known


def without_result(title: str, kind: str) -> Drawing:
    """Instead of the picture of a match or a season, for those who do not want to see yet how it ended: its title, and
    what it is, such as the game's title."""
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
            font_files=[str(path) for path in fonts.FILES.values()],
            font_family=fonts.FAMILY,
            sans_serif_family=fonts.FAMILY,
            serif_family=fonts.FAMILY,
        )
    )


_drawings: Kept[Hashable, Drawing] = Kept(_MOST_DRAWINGS)
_pictures: Kept[str, bytes] = Kept(_MOST_PICTURES)
_turn = threading.Lock()


def _make(position: Position, shown: MatchContext) -> Drawing:
    match, headline = position.match, headline_of(position, shown.people)
    plays = position.public is not None and match.status != Match.Status.CANCELLED
    # Neither `now` nor `times`: a picture must not change while nothing happens.
    context = {"match": shown.info, "view": position.public, "people": shown.people, "headline": headline}
    template = picture_of(match.game) if plays else picture_of(match.game)[-1:]
    return drawing_from(render_to_string(template, context), match.game)


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
    parts = [path.read_bytes() for path in fonts.FILES.values()]
    parts += [style_sheet().encode(), resvg_py.__version__.encode()]
    return hashlib.sha256(b"".join(parts)).hexdigest()
