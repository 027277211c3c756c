"""Limits on how many refused actions of one player a match's log keeps, and how often a person may join or be away.

Rows of the log are never deleted, and these cost their sender nothing, so without a limit somebody could flood the log.
Accepted actions are not limited.
"""

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from matches.models import Match, Player, Submission
from matches.services.errors import CommandRefused, TooManyRefused

QUOTAS = ((600, timedelta(hours=1)), (3000, timedelta(days=1)))
"""The most refused actions within each of these times: one every 6 seconds for an hour, every 29 seconds for a day."""

OF_ROWS = ((20, timedelta(hours=1)), (60, timedelta(days=1)))
"""The same for a person's rows about joining, leaving, being away and coming back."""


class TooOften(CommandRefused):
    code = "too_often"
    status = 429
    retry_after = 3600


def refuse_beyond_rows(match: Match, user_id: int, now: datetime) -> None:
    """Raise `TooOften` if a person has made as many rows in this match as a quota allows. Called for joining and being
    away; leaving and coming back are always possible."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, user_id=user_id)
    rows = rows.exclude(pk__in=match.questions.values("submission"))  # which have a quota of their own
    if wait(rows, "received_at", OF_ROWS, now) is not None:
        raise TooOften("You have changed this too often in this match. Try again later, or ask a host.")


def told_lately(match: Match, kind: str, user_id: int, now: datetime) -> bool:
    """Whether this kind of announcement was made about this person within the last hour, so as not to repeat it."""
    told = match.announcements.filter(kind=kind, submission__user_id=user_id)
    return told.filter(at__gt=now - timedelta(hours=1)).exists()


def refuse_beyond_quota(player: Player, now: datetime) -> None:
    """Raise `TooManyRefused` if one more refused action of this player would exceed a quota."""
    left = wait(_refused(player), "received_at", QUOTAS, now)
    if left is None:
        return
    refusal = TooManyRefused(
        "The rules refuse this action, and they have refused too many of yours already. Actions that they accept "
        f"still go through. You can try this one again in {roughly(left)}."
    )
    refusal.retry_after = math.ceil(left.total_seconds())
    raise refusal


def refusals_left(player: Player, now: datetime) -> int:
    """How many more refused actions of this player the log takes."""
    refused = _refused(player)
    return min(most - refused.filter(received_at__gt=now - span)[:most].count() for most, span in QUOTAS)


def _refused(player: Player) -> QuerySet[Submission]:
    return player.submissions.filter(accepted=False)


def wait(rows: QuerySet[Any], at: str, quotas: Iterable[tuple[int, timedelta]], now: datetime) -> timedelta | None:
    """How long until there are fewer of these rows than each quota allows in its time; None if that is already so. `at`
    is the field with their instant."""
    waits = []
    for most, span in quotas:
        latest = rows.filter(**{f"{at}__gt": now - span}).order_by(f"-{at}").values_list(at, flat=True)
        waits += [oldest + span - now for oldest in latest[most - 1 : most]]
    return max(waits, default=None)


def roughly(span: timedelta) -> str:
    """A wait in words, rounded up."""
    minutes = math.ceil(span / timedelta(minutes=1))
    return f"{minutes} min" if minutes <= 120 else f"{math.ceil(minutes / 60)} h"
