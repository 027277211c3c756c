"""Limits how many refused actions of one player the log of a match keeps.

The log is never deleted and a refusal costs its sender nothing, so without a limit the log could be flooded. Accepted
actions are not limited.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from matches.models import Player, Submission
from matches.services.errors import TooManyRefused
from matches.services.storage import sql

QUOTAS = ((600, timedelta(hours=1)), (3000, timedelta(days=1)))
"""At most this many in this time: on average one every 6 seconds for an hour, and one every 29 seconds for a day."""

_REFUSED_SINCE = "player_id = %s AND NOT accepted AND received_at > %s LIMIT %s"
_OLDEST_THAT_COUNTS = "player_id = %s AND NOT accepted AND received_at > %s ORDER BY received_at DESC LIMIT 1 OFFSET %s"


def refuse_beyond_quota(player: Player, now: datetime) -> None:
    """Raise `TooManyRefused` if one more refused action of this player would exceed a quota."""
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


def refusals_left(player: Player, now: datetime) -> int:
    """How many more refused actions of this player the log takes."""
    counts = (most - _count(player, now - span, most) for most, span in QUOTAS)
    return min(counts)


def _count(player: Player, since: datetime, most: int) -> int:
    """How many refused actions since then; not counted further than `most`."""
    rows = sql.select(
        Submission, ("id",), _REFUSED_SINCE, player.pk, sql.stored(Submission, "received_at", since), most
    )
    return len(rows)


def _roughly(wait: timedelta) -> str:
    minutes = math.ceil(wait / timedelta(minutes=1))
    return f"{minutes} min" if minutes <= 120 else f"{math.ceil(minutes / 60)} h"


def _wait(player: Player, now: datetime, most: int, span: timedelta) -> timedelta | None:
    """How long until there are fewer than `most` within `span`; None if that is already so."""
    since = sql.stored(Submission, "received_at", now - span)
    rows = sql.select(Submission, ("id",), _OLDEST_THAT_COUNTS, player.pk, since, most - 1)
    if not rows:
        return None
    received: datetime = Submission.objects.values_list("received_at", flat=True).get(pk=rows[0][0])
    return received + span - now
