"""What another app shows to each person on whatever page they have open: their notices; and beside their own matches.

That app registers a function in its `AppConfig.ready`; matches/ does not know it by name. When what it shows to
somebody has changed, it sends the signal `people_told`, and open pages and programs (`/ws/me/`) get it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.safestring import SafeString

Make = Callable[[Any, Literal["json", "html"]], dict[str, Any]]
"""Given a user and a format, the fields of a frame: JSON-able, equal where nothing has changed."""

_makers: list[Make] = []


def register(make: Make) -> None:
    """Ask this function from now on."""
    if make not in _makers:
        _makers.append(make)


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """All fields for one person."""
    return {name: value for make in _makers for name, value in make(user, form).items()}


@dataclass(frozen=True, slots=True)
class Mine:
    """A section of the page of a person's own matches. `asks`: what is asked of them, a card each, before all else."""

    name: str
    title: str
    html: SafeString
    asks: tuple[SafeString, ...] = ()


_mine: list[Callable[[Any], Mine | None]] = []


def register_mine(make: Callable[[Any], Mine | None]) -> None:
    """Ask this function for a section of that page from now on."""
    if make not in _mine:
        _mine.append(make)


def mine_of(user: Any) -> list[Mine]:
    """All sections for one person."""
    return [found for make in _mine if (found := make(user)) is not None]
