"""Finds the template of a part of a match: the game's own, or the standard one if it has none."""

from __future__ import annotations

STANDARD = ("shape", "status", "more", "summary", "purse", "panel", "forecast", "receipt", "result", "history")
"""Parts that games may leave out, because there is a standard template for them."""


def template_of(game: str, part: str) -> tuple[str, ...]:
    """The template names to try for a part, in order."""
    own = f"games/{game}/{part}.html"
    return (own, f"matches/standard/{part}.html") if part in STANDARD else (own,)


def picture_of(game: str) -> tuple[str, ...]:
    """The same for the picture of a match, which is an SVG."""
    return (f"games/{game}/picture.svg", "matches/standard/picture.svg")
