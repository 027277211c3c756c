"""Tells hosts' pages that are open that something has happened in a season. What it is they ask for themselves."""

from __future__ import annotations

from typing import Any

from matches.live.messages import Hint
from matches.live.publisher import publisher
from seasons.models import SeasonRole


def on_change(*, season_id: int, **_: Any) -> None:
    """A receiver of `season_changed`."""
    people = SeasonRole.objects.filter(season=season_id, role__in=SeasonRole.SEEING).values_list("user_id", flat=True)
    publisher.hint(Hint("desk", 0, (), frozenset(people)))
