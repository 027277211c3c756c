"""What another app shows to each person on whatever page they have open: their notices.

That app registers a function in its `AppConfig.ready`; matches/ does not know it by name. When what it shows to
somebody has changed, it sends the signal `people_told`, and open pages and programs (`/ws/me/`) get it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

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
