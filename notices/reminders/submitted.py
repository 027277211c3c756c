"""Tells hosts that everybody has submitted before a deadline, and reminds nobody of what they have done.

Sealed submissions are told to nobody, so nothing of them is in the outbox, nor is that a fault was cleared. The log
says in which matches somebody has acted since the last look, and only those of them that still wait for somebody are
read.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Max

from matches.engine.notice_events import ALL_SUBMITTED
from matches.models import Match, Submission, clock
from matches.queries.access import legible
from matches.queries.matches import Position
from notices.models import AskedDeadline, LogSeen, Notice
from notices.outbox import store
from notices.reading import read_by_acting, retire_troubles
from notices.reminders.reminding import Scene

_MOST_ROWS = 5000
_MOST_MATCHES = 300
_LATE = timedelta(seconds=10)
"""So long a transaction can take to commit: rows that are younger are looked at again."""


def tell_hosts() -> int:
    """Tell hosts of the matches in which everybody has submitted since the last time; how many there were. What players
    were asked for and have done, and what hosts were called for and have put right, counts as read."""
    from_now_on: dict[str, Any] = {"row": _newest}  # what there was before is not told
    seen, _ = LogSeen.objects.get_or_create(pk=1, defaults=from_now_on)
    columns = ("pk", "match_id", "received_at", "player_id")
    rows = Submission.objects.filter(pk__gt=seen.row).order_by("pk").values_list(*columns)
    new = list(rows[:_MOST_ROWS])
    if not new:
        return 0
    now = clock.now()
    read_by_acting({player for *_, player in new if player is not None})
    acted = {match for _, match, *_ in new}
    retire_troubles(acted)
    waiting = AskedDeadline.objects.filter(match__in=acted, all_sent=False, at__gt=now).order_by("match", "time")
    complete = _complete(list(waiting[:_MOST_MATCHES]), now)
    with transaction.atomic():
        store([notice for notices in complete.values() for notice in notices])
        AskedDeadline.objects.filter(pk__in=complete).update(all_sent=True)
        LogSeen.objects.filter(pk=seen.pk).update(row=_seen(new, seen.row, now))
    return len(complete)


def _newest() -> int:
    return Submission.objects.aggregate(newest=Max("pk"))["newest"] or 0


def _seen(new: list[tuple[int, int, datetime, int | None]], before: int, now: datetime) -> int:
    """Up to which row everything has surely been seen. Ids are given before transactions commit."""
    last = before
    for pk, _, received_at, _ in new:
        if received_at > now - _LATE:
            break
        last = pk
    return last


def _complete(waiting: list[AskedDeadline], now: datetime) -> dict[int, list[Notice]]:
    """The deadlines before which everybody has submitted, each with what their match's hosts are told."""
    scene = Scene({deadline.match_id for deadline in waiting}, now)
    told = {}
    for deadline in waiting:
        position = scene.positions[deadline.match_id]
        if position.match.status == Match.Status.OPEN and legible(
            position.match, partial(_have_all, scene, deadline), position
        ):
            source, lines = f"all-submitted:{deadline.pk}", [_ALL]
            told[deadline.pk] = [
                scene.notice(deadline.match_id, host, ALL_SUBMITTED, source, lines, deadline.at)
                for host in scene.hosts[deadline.match_id]
            ]
    return told


_ALL = "Everybody has submitted. You can wait for the deadline, or end it early."


def _have_all(scene: Scene, deadline: AskedDeadline, position: Position) -> bool:
    """Whether nobody is asked for anything any more until then, and at least one has submitted something."""
    players = scene.players[deadline.match_id]
    if any(scene.asked(player, deadline)[0] for player in players):
        return False
    return any(position.has_submitted(player) for player in players)
