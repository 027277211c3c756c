"""The icons of assets, and the style sheets and scripts of each kind of page."""

from functools import cache
from pathlib import Path

from django.conf import settings

# -- assets ----------------------------------------------------------------------------------------------
# The icons of assets. They differ in shape, not only in colour; their names are in `matches.engine.sentences`.

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
    """Return an asset's icon. `item:<name>` is one of a match's items; other unknown assets get that of tokens."""
    return ICONS.get(asset) or ("item" if asset.startswith(_ITEM) else "token")


# -- styles ----------------------------------------------------------------------------------------------
# Which style sheets and scripts a page loads, in which order: few files, so that a first visit takes few requests.

FOR_HOSTS = "hosting.css"
"""Loaded in the console only, as media of the widgets of a game's settings."""

AT_A_GLANCE = "glance.css"
"""What lists of matches need of a game's styles, besides the shared sheets."""

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
"""What each kind of page loads after the sheets of the site (""); the console loads none of those."""

AFTER_THE_GAME = {"preview": ("css/preview.css",), "replay": ("css/replay.css",)}
_OF_A_GAME = ("front", "game", "match", "replay", "preview")
_LISTS = ("front", "lists")


def sheets_for(kind: str, game: str = "") -> tuple[str, ...]:
    """Return the sheets of a kind of page (a key of `SHEETS`), with a game's own ones if it shows that game."""
    shared = tuple(f"css/{name}.css" for name in SHEETS[kind])
    glance = glance_sheets() if kind in _LISTS else ()
    own = sheets_of_game(game) if kind in _OF_A_GAME and game else ()
    return tuple(dict.fromkeys((*shared, *glance, *own, *AFTER_THE_GAME.get(kind, ()))))


def scripts_for_match(game: str) -> tuple[str, ...]:
    """Return the scripts of a match's page, besides the site's."""
    return ("js/match.js", *scripts_of_game(game))


def scripts_of_game(game: str) -> tuple[str, ...]:
    """Return the script of a game's own board and form, if it has one."""
    return (f"games/{game}/board.js",) if (folder_of(game) / "board.js").exists() else ()


@cache
def sheets_of_game(slug: str) -> tuple[str, ...]:
    """Return the paths of a game's sheets, sorted by name, which is the order of loading."""
    return tuple(
        f"games/{slug}/{sheet.name}" for sheet in sorted(folder_of(slug).glob("*.css")) if sheet.name != FOR_HOSTS
    )


@cache
def glance_sheets() -> tuple[str, ...]:
    """Return the sheets for a list of matches of any games."""
    found = (path.name for path in settings.GAME_DIRS)
    return tuple(f"games/{slug}/{AT_A_GLANCE}" for slug in found if (folder_of(slug) / AT_A_GLANCE).exists())


def folder_of(slug: str) -> Path:
    """Return the folder of a game's static files; the tests' own games have none."""
    return next((path for path in settings.GAME_DIRS if path.name == slug), Path(slug)) / "static" / "games" / slug
