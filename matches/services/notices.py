"""Marking notices as read: a notice stays until then."""

from __future__ import annotations

from typing import Any

from matches.models import Announcement, clock


def mark_read(user: Any, tokens: list[str] | None = None, match_id: int | None = None) -> int:
    """Mark a person's own notices as read: these ones, one match's, or all. How many there were."""
    mine = Announcement.objects.filter(player__user=user, read_at=None)
    if tokens is not None:
        mine = mine.filter(token__in=tokens)
    if match_id is not None:
        mine = mine.filter(match_id=match_id)
    return mine.update(read_at=clock.now())
