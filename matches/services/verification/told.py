"""Whether what was told to one player is that player's, and what is to be passed on was told."""

from __future__ import annotations

import json
from bisect import bisect_left

from django.db.models import F, Q

from matches.models import Match, OutboxRow


def compare(match: Match) -> list[str]:
    """A player's handle may change before the start, so it is looked for in the record of that time. What nobody has
    any more proves nothing: what was told to a person goes when somebody else takes the place."""
    records = list(match.records.order_by("submission__number").values_list("submission__number", "facts"))
    numbers = [number for number, _ in records]
    told = match.announcements.filter(player__isnull=False)
    for number, audience, pk, handle in told.values_list("submission__number", "audience", "player", "player__handle"):
        place = bisect_left(numbers, number)
        if place < len(records):
            handle = json.loads(records[place][1])["players"].get(str(pk), {}).get("handle")
        elif not records and not match.state:
            continue  # a log of an older release, in which handles may still change
        if audience != f"player:{handle}":
            return ["Something is shown to another player than it was told to."]
    return []


def compare_outbox(match: Match) -> list[str]:
    """What is still to be passed on must have been told in this match."""
    waiting = OutboxRow.objects.filter(Q(match=match) | Q(submission__match=match))
    strange = waiting.exclude(submission__match=F("match")) | waiting.filter(submission__announcements=None)
    return ["Something waits to be passed on that was never told here."] if strange.exists() else []
