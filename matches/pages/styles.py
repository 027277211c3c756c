"""Which style sheets, scripts and drawings a page loads, and in which order.

They are small files, one idea each; a page loads them as bundles (`genius_site/bundles.py` makes these): one that all
pages share, and one of its own kind, so that a first visit takes few requests.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

FOR_HOSTS = "hosting.css"
"""For the console only: the widgets of a game's settings load it as their media."""

AT_A_GLANCE = "glance.css"
"""What lists of matches need from a game, besides the shared sheets."""

SITE_SHEETS = tuple(
    f"css/{name}.css"
    for name in (
        "tokens",
        "base",
        "controls",
        "frame",
        "layout",
        "components",
        "messages",
        "notices",
    )
)
LIBRARIES = ("vendor/htmx-4.0.1/htmx.min.js",)
"""In a bundle of their own: a slow machine then takes several short breaths instead of one long one."""

SITE_SCRIPTS = tuple(
    f"js/{name}.js"
    for name in (
        "clock",
        "live-region",
        "live",
        "notices",
        "presence",
        "controls",
        "keys",
        "unread",
    )
)

DRAWINGS = "bundles/drawings.svg"
"""Icons and marks, whose names differ: a page asks for one file."""

_TABLE = (
    "board",
    "match-line",
    "from-hosts",
    "match",
    "acting",
    "sheet",
    "first-screen",
    "low-windows",
    "on-board",
    "jotter",
    "records",
    "scores",
    "story",
)
SHEETS: dict[str, tuple[str, ...]] = {
    "account": ("account",),
    "lists": ("board", "lists", "list-rows", "asking"),
    "game": ("board", "lists", "match", "acting", "sheet", "jotter", "records", "scores"),
    "match": _TABLE,
    "replay": _TABLE,
    "preview": _TABLE,
    "talk": ("match-line", "from-hosts", "match", "talk", "low-windows"),
    "person": ("records", "scores", "people"),
    "season": ("match", "records", "scores", "story", "season"),
    # These come after all of Django's, so that no rule needs !important.
    "hosting": ("tokens", "components", "admin", "console", "console-tables", "console-forms", "drafts"),
}
"""What each kind of page loads after the sheets of the site; hosts' pages have none of those."""

AFTER_THE_GAME = {"preview": ("css/preview.css",), "replay": ("css/replay.css",)}
MATCH_SCRIPTS = tuple(
    f"js/{name}.js"
    for name in (
        "stage",
        "act",
        "lots",
        "refresh",
        "notes",
        "aloud",
        "unsent",
        "form-focus",
        "notebook",
        "on-board",
        "moments",
    )
)
_OF_A_GAME = ("game", "match", "replay", "preview")


@cache
def bundles() -> dict[str, tuple[str, ...]]:
    """Every bundle: its path for `{% static %}`, and the paths of the files in it, in their order."""
    found = {"bundles/site.css": SITE_SHEETS, "bundles/libraries.js": LIBRARIES, "bundles/site.js": SITE_SCRIPTS}
    found["bundles/replay.js"] = ("js/replay.js",)
    found["bundles/practice.js"] = ("js/practice.js",)
    found["bundles/console.js"] = ("js/console.js", "js/typing.js")
    found["bundles/overview.js"] = ("js/live.js", "js/overview.js")
    found[DRAWINGS] = ("img/icons.svg", "img/marks.svg")
    for kind in SHEETS:
        for game in ("", *_games()) if kind in _OF_A_GAME else ("",):
            found[_path(kind, game, "css")] = _sheets(kind, game)
    for game in ("", *_games()):
        found[_path("match", game, "js")] = (*MATCH_SCRIPTS, *_script_of(game))
    return found


def sheets_for(kind: str, game: str = "") -> tuple[str, ...]:
    """The bundles of sheets of a kind of page (a key of `SHEETS`), with a game's own if it shows that; without a kind,
    those that all pages share."""
    if not kind:
        return ("bundles/site.css",)
    return (_path(kind, game if kind in _OF_A_GAME else "", "css"),)


def script_for_match(game: str) -> str:
    """The bundle of scripts of a match's page, beside the site's."""
    return _path("match", game, "js")


@cache
def sheets_of_game(slug: str) -> tuple[str, ...]:
    """The paths of a game's sheets, in the order of their names, in which they are loaded."""
    return tuple(
        f"games/{slug}/{sheet.name}" for sheet in sorted(folder_of(slug).glob("*.css")) if sheet.name != FOR_HOSTS
    )


@cache
def glance_sheets() -> tuple[str, ...]:
    """The sheets for a list of matches of any games."""
    return tuple(f"games/{slug}/{AT_A_GLANCE}" for slug in _games() if (folder_of(slug) / AT_A_GLANCE).exists())


def folder_of(slug: str) -> Path:
    """The folder of a game's static files; the tests' own games have none."""
    return next((path for path in settings.GAME_DIRS if path.name == slug), Path(slug)) / "static" / "games" / slug


def _sheets(kind: str, game: str) -> tuple[str, ...]:
    shared = tuple(f"css/{name}.css" for name in SHEETS[kind])
    glance = glance_sheets() if kind == "lists" else ()
    return (*shared, *glance, *sheets_of_game(game), *AFTER_THE_GAME.get(kind, ()))


def _script_of(slug: str) -> tuple[str, ...]:
    return (f"games/{slug}/board.js",) if (folder_of(slug) / "board.js").exists() else ()


def _path(kind: str, game: str, ending: str) -> str:
    """The tests' own games have no bundles but the shared ones."""
    return f"bundles/{kind}-{game}.{ending}" if game in _games() else f"bundles/{kind}.{ending}"


@cache
def _games() -> tuple[str, ...]:
    return tuple(path.name for path in settings.GAME_DIRS if (path / "static").is_dir())
