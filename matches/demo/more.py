"""What other apps add to the demo, after its matches have been made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from matches.demo.people import People

Maker = Callable[[People, datetime], object]

_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """From now on the demo has this, too. It gets the demo's people and the present instant."""
    if maker not in _makers:
        _makers.append(maker)


def make_more(people: People, now: datetime) -> None:
    """Make all of it."""
    for maker in _makers:
        maker(people, now)
