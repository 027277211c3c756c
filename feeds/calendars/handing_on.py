"""What becomes of calendars when a place of a running match changes hands."""

from __future__ import annotations

from typing import Any

from feeds.models import CalendarEvent
from matches.models import Player


def forget(player: Player, left: Any, **_: Any) -> None:
    """A receiver of `matches.services.signals.place_changed_hands`: what somebody was asked in that place is no longer
    in their calendar."""
    if left is not None:
        CalendarEvent.objects.filter(address__user=left, match_id=player.match_id).delete()
