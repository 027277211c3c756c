"""How many refused actions of one player the log of a match keeps.

The log is never deleted, and a refusal costs its sender nothing. What the rules accept never counts.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from matches.models import Player, Submission
from matches.services.errors import TooManyRefused
from matches.services.storage import sql

QUOTAS = ((600, timedelta(hours=1)), (3000, timedelta(days=1)))
"""So many within so long: one every six seconds for an hour, every half minute for a day."""

_OLDEST_THAT_COUNTS = "player_id = %s AND NOT accepted AND received_at > %s ORDER BY received_at DESC LIMIT 1 OFFSET %s"


def refuse_beyond_quota(player: Player, now: datetime) -> None:
    """Raise `TooManyRefused` where one more refused action of this player's would be beyond a quota."""
    waits = [wait for most, span in QUOTAS if (wait := _wait(player, now, most, span))]
    if not waits:
        return
    wait = max(waits)
    refusal = TooManyRefused(
        "The rules refuse this action, and too many of your actions here were refused already. Actions that they "
        f"accept still go through; this one can be tried again in {_roughly(wait)}."
    )
    refusal.retry_after = math.ceil(wait.total_seconds())
    raise refusal


def _roughly(wait: timedelta) -> str:
    minutes = math.ceil(wait / timedelta(minutes=1))
    return f"{minutes} min" if minutes <= 120 else f"{math.ceil(minutes / 60)} h"


def _wait(player: Player, now: datetime, most: int, span: timedelta) -> timedelta | None:
    """How long until fewer than `most` lie within `span`; None where that is so now."""
    since = sql.stored(Submission, "received_at", now - span)
    rows = sql.select(Submission, ("id",), _OLDEST_THAT_COUNTS, player.pk, since, most - 1)
    if not rows:
        return None
    received: datetime = Submission.objects.values_list("received_at", flat=True).get(pk=rows[0][0])
    return received + span - now
