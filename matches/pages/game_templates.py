"""Finds the template of a part of a match: the game's own, or the standard one if it has none."""

from __future__ import annotations

STANDARD = ("status", "more", "summary", "panel", "forecast", "receipt", "result")
"""What games may leave out, because there is a way to show it that fits every match."""


def template_of(game: str, part: str) -> tuple[str, ...]:
    """The names under which a part may be found, the first that there is counts."""
    own = f"games/{game}/{part}.html"
    return (own, f"matches/standard/{part}.html") if part in STANDARD else (own,)
