"""The style sheets and other files that pages ask for."""

from functools import cache
from pathlib import Path

from django.conf import settings

# -- assets ----------------------------------------------------------------------------------------------
# The icons of assets. Their shapes differ, not only their colours; their names are in `matches.engine.sentences`.

_ITEM = "item:"

ICONS = {
    "chip": "chip",
    "garnet": "garnet",
    "blood_garnet": "blood-garnet",
    "token": "token",
    "tol": "tol",
    "priority": "priority",
    "gold": "gold",
    "silver": "silver",
    "bronze": "bronze",
}


def icon_of(asset: str) -> str:
    """An asset's icon. `item:<name>` is one of a match's items; an asset without an icon of its own gets a token's."""
    return ICONS.get(asset) or ("item" if asset.startswith(_ITEM) else "token")


# -- styles ----------------------------------------------------------------------------------------------
# Which style sheets and scripts a page loads, in which order: few files, so that a first visit takes few requests.

FOR_HOSTS = "hosting.css"
"""For the console only: the widgets of a game's settings load it as their media."""

AT_A_GLANCE = "glance.css"
"""What lists of matches need from a game, besides the shared sheets."""

SITE = ("tokens", "site", "components")
SHEETS: dict[str, tuple[str, ...]] = {
    "": SITE,
    "account": ("account",),
    "lists": ("match", "lists"),
    "front": ("match", "lists"),
    "game": ("match", "lists"),
    "match": ("match",),
    "replay": ("match",),
    "preview": ("match",),
    "talk": ("match",),
    "person": ("match",),
    "season": ("match", "lists", "season"),
    # These come after all of Django's, so that no rule needs !important.
    "hosting": ("tokens", "components", "console"),
}
"""What each kind of page loads after the sheets of the site (""); hosts' pages have none of those."""

AFTER_THE_GAME = {"preview": ("css/preview.css",), "replay": ("css/replay.css",)}
_OF_A_GAME = ("front", "game", "match", "replay", "preview")
_LISTS = ("front", "lists")


def sheets_for(kind: str, game: str = "") -> tuple[str, ...]:
    """The sheets of a kind of page (a key of `SHEETS`), with a game's own if it shows that."""
    shared = tuple(f"css/{name}.css" for name in SHEETS[kind])
    glance = glance_sheets() if kind in _LISTS else ()
    own = sheets_of_game(game) if kind in _OF_A_GAME and game else ()
    return tuple(dict.fromkeys((*shared, *glance, *own, *AFTER_THE_GAME.get(kind, ()))))


def scripts_for_match(game: str) -> tuple[str, ...]:
    """The scripts of a match's page, beside the site's."""
    return ("js/match.js", *scripts_of_game(game))


def scripts_of_game(game: str) -> tuple[str, ...]:
    """The script of a game's own board and form, if it has one."""
    return (f"games/{game}/board.js",) if (folder_of(game) / "board.js").exists() else ()


@cache
def sheets_of_game(slug: str) -> tuple[str, ...]:
    """The paths of a game's sheets, in the order of their names, in which they are loaded."""
    return tuple(
        f"games/{slug}/{sheet.name}" for sheet in sorted(folder_of(slug).glob("*.css")) if sheet.name != FOR_HOSTS
    )


@cache
def glance_sheets() -> tuple[str, ...]:
    """The sheets for a list of matches of any games."""
    found = (path.name for path in settings.GAME_DIRS)
    return tuple(f"games/{slug}/{AT_A_GLANCE}" for slug in found if (folder_of(slug) / AT_A_GLANCE).exists())


def folder_of(slug: str) -> Path:
    """The folder of a game's static files; the tests' own games have none."""
    return next((path for path in settings.GAME_DIRS if path.name == slug), Path(slug)) / "static" / "games" / slug
