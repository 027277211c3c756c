"""A replay as one HTML file that needs no server: every frame, the style sheets, the drawings and the script in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from django.conf import settings
from django.template.loader import render_to_string

from matches.models import clock
from matches.pages import styles
from matches.pages.context import People
from matches.pages.pictures import symbols_in
from matches.pages.previews import absolute
from matches.pages.replays import ROLL, Change, Frame, Replay, exact_moment

_DRAWING = re.compile(r'href="[^"#]*?((?:bundles|games/\w+)/[\w-]+)(?:\.[0-9a-f]{12})?\.svg#([\w-]+)"')
_LINK = re.compile(r'href="/(?!/)')


def file_of(replay: Replay, people: People) -> str:
    """The file, for the viewpoint of this replay."""
    match, drawings = replay.match, dict[tuple[str, str], None]()
    first, _ = replay.frame(0)
    parts = replay.parts(0)
    me = people.get(replay.player.handle) if replay.player else None
    shown = {"frame": first, "parts": parts, "number": 1, "count": len(replay.moments), "roll": ROLL, "me": me}
    context = {
        **shown,
        "match": match,
        "game_title": match.rules.title,
        "link": absolute(match.get_absolute_url()),
        "made_at": exact_moment(clock.now()),
        "stage": _alone(render_to_string("matches/includes/replay_stage.html", shown), drawings),
        "status": _alone(parts["status"], drawings),
        "rolls": "".join(_script(number, roll) for number, roll in enumerate(_rolls(replay, drawings))),
        "at_once": replay.at_once,
        # Here and not in the template: no page of the site may have styles and scripts in it.
        "styles": f"<style>{_styles(match.game)}</style>",
        "script": f'<script type="module">{_static("js/replay.js").read_text()}</script>',
    }
    # After all else, which says what is drawn.
    return render_to_string("matches/replay_file.html", context | {"drawings": "".join(map(_drawn, drawings))})


def _rolls(replay: Replay, drawings: dict[tuple[str, str], None]) -> Iterator[list[Frame]]:
    for number in range(-(-len(replay.moments) // ROLL)):
        yield [
            msgspec.structs.replace(
                frame, parts={name: _change_alone(change, drawings) for name, change in frame.parts.items()}
            )
            for frame in replay.roll(number)
        ]


def _change_alone(change: Change, drawings: dict[tuple[str, str], None]) -> Change:
    if isinstance(change, str):
        return _alone(change, drawings)
    # An address is never cut: texts are cut before tags.
    return [(*place, [_alone(piece, drawings) for piece in pieces]) for *place, pieces in change]  # type: ignore[misc]


def _alone(html: str, drawings: dict[tuple[str, str], None]) -> str:
    """HTML that asks no server for anything: drawings are those of the file, and links lead to the site."""

    def inside(found: re.Match[str]) -> str:
        drawings[found[1], found[2]] = None
        return f'href="#{_name(found[1], found[2])}"'

    return _LINK.sub(f'href="{absolute("/")}', _DRAWING.sub(inside, html))


def _name(file: str, symbol: str) -> str:
    return f"{file.replace('/', '-')}-{symbol}"


def _drawn(drawing: tuple[str, str]) -> str:
    file, symbol = drawing
    return f'<symbol id="{_name(file, symbol)}"{_symbols(file).get(symbol, ">")}</symbol>'


@cache
def _symbols(file: str) -> dict[str, str]:
    """The symbols of a file of drawings, or of all that are bundled in it."""
    sources = styles.bundles().get(f"{file}.svg", (f"{file}.svg",))
    return symbols_in("".join(_static(source).read_text() for source in sources))


@cache
def _styles(game: str) -> str:
    """All style sheets of the page, in their order."""
    bundles = styles.bundles()
    names = styles.sheets_for("") + styles.sheets_for("replay", game)
    sheets = [sheet for name in names for sheet in bundles[name]]
    return "\n".join(_static(sheet).read_text() for sheet in sheets)


def _static(name: str) -> Path:
    """A file as it is in the source: those that are served have other names."""
    folder, _, rest = name.partition("/")
    if folder == "games":
        game, _, file = rest.partition("/")
        return styles.folder_of(game) / file
    return Path(settings.BASE_DIR) / "static" / name


def _script(number: int, roll: list[Frame]) -> str:
    """A roll as JSON in a script element, which nothing in it ends."""
    text = msgspec.json.encode(roll).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="roll-{number}">{text}</script>'
