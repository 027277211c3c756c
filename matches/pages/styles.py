"""The style sheets and scripts of games for players' pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

FOR_HOSTS = "hosting.css"
"""For the console only: the widgets of a game's settings load it as their media."""

AT_A_GLANCE = "glance.css"
"""What lists of matches need from a game, besides the shared sheets."""


@cache
def sheets_of_game(slug: str) -> tuple[str, ...]:
    """The paths of a game's sheets for `{% static %}`, in the order of their names, in which they are loaded."""
    return tuple(f"games/{slug}/{sheet.name}" for sheet in _sheets(slug) if sheet.name != FOR_HOSTS)


@cache
def glance_sheets() -> tuple[str, ...]:
    """The sheets for a list of matches of any games."""
    slugs = [path.name for path in settings.GAME_DIRS]
    return tuple(f"games/{slug}/{AT_A_GLANCE}" for slug in slugs if (_folder(slug) / AT_A_GLANCE).exists())


@cache
def script_of_game(slug: str) -> str:
    """The path of a game's script for `{% static %}`; empty if it has none."""
    return f"games/{slug}/board.js" if (_folder(slug) / "board.js").exists() else ""


def _sheets(slug: str) -> list[Path]:
    return sorted(_folder(slug).glob("*.css"))


def _folder(slug: str) -> Path:
    """The folder of a game's static files; the tests' own games have none."""
    return next((path for path in settings.GAME_DIRS if path.name == slug), Path(slug)) / "static" / "games" / slug
