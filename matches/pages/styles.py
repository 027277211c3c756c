"""The style sheets and scripts that games bring with them for players' pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

FOR_HOSTS = "hosting.css"
"""Belongs to the console: the widgets of a game's settings name it as their media."""

AT_A_GLANCE = "glance.css"
"""What lists of matches need of a game, beyond what all games share."""


@cache
def sheets_of_game(slug: str) -> tuple[str, ...]:
    """What `{% static %}` calls a game's sheets, in the order of their names, which is the order of loading."""
    return tuple(f"games/{slug}/{sheet.name}" for sheet in _sheets(slug) if sheet.name != FOR_HOSTS)


@cache
def glance_sheets() -> tuple[str, ...]:
    """The sheets that a list of matches of any games needs."""
    slugs = [path.name for path in settings.GAME_DIRS]
    return tuple(f"games/{slug}/{AT_A_GLANCE}" for slug in slugs if (_folder(slug) / AT_A_GLANCE).exists())


@cache
def script_of_game(slug: str) -> str:
    """What `{% static %}` calls the module that makes a game's board quicker to use; empty where it brings none."""
    return f"games/{slug}/board.js" if (_folder(slug) / "board.js").exists() else ""


def _sheets(slug: str) -> list[Path]:
    return sorted(_folder(slug).glob("*.css"))


def _folder(slug: str) -> Path:
    """The tests play games that have no folder here, and bring no styles."""
    return next((path for path in settings.GAME_DIRS if path.name == slug), Path(slug)) / "static" / "games" / slug
