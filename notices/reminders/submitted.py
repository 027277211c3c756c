"""Tells hosts that everybody has submitted before a deadline, and reminds nobody of what they have done.

Sealed submissions are told to nobody, so nothing of them is in the outbox, nor is that a fault was cleared. The log
says in which matches somebody has acted since the last look, and only those of them that still wait for somebody are
read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from matches.engine.notice_events import ALL_SUBMITTED
from matches.models import Match, Player, Submission, clock
from matches.queries.legible import legible
from matches.queries.matches import Position
from notices import events
from notices.models import AskedDeadline, LogSeen, Notice
from notices.outbox import store
from notices.reading import read_by_acting, retire_troubles
from notices.reminders.deadlines import catch_up
from notices.reminders.reminding import hosts_of

_MOST_ROWS = 5000
_MOST_MATCHES = 300
_LATE = timedelta(seconds=10)
"""So long a transaction can take to commit: rows that are younger are looked at again."""


def tell_hosts() -> int:
    """Tell hosts of the matches in which everybody has submitted since the last time; how many there were. What players
    were asked for and have done, and what hosts were called for and have put right, counts as read."""
    seen = LogSeen.objects.order_by("pk").first()
    if seen is None:
        return _begin()
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


def _begin() -> int:
    """The first time: what there was before is not told, but deadlines that are already running are noted."""
    newest = Submission.objects.aggregate(newest=Max("pk"))["newest"] or 0
    catch_up()
    LogSeen.objects.get_or_create(pk=1, defaults={"row": newest})
    return 0


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
    ids = {deadline.match_id for deadline in waiting}
    players: defaultdict[int, list[Player]] = defaultdict(list)
    for player in Player.objects.filter(match__in=ids):
        players[player.match_id].append(player)
    positions = {match.pk: Position(match) for match in Match.objects.filter(pk__in=ids, status=Match.Status.OPEN)}
    full = [
        deadline
        for deadline in waiting
        if (position := positions.get(deadline.match_id))
        and legible(position.match, partial(_have_all, players[deadline.match_id], deadline), position)
    ]
    everybody = [player for found in players.values() for player in found]
    hosts = hosts_of({deadline.match_id for deadline in full}, everybody)
    told = {}
    for deadline in full:
        match = positions[deadline.match_id].match
        told[deadline.pk] = [_notice(deadline, host, match, now) for host in hosts[match.pk]]
    return told


def _have_all(players: Iterable[Player], deadline: AskedDeadline, position: Position) -> bool:
    """Whether nobody is asked for anything any more until then, and at least one has submitted something."""
    views = [position.private_of(player) for player in players]
    asks = [ask for view in views if view for ask in view.asked]
    if any(ask.until is not None and timedelta(seconds=ask.until) == deadline.time for ask in asks):
        return False
    return any(position.has_submitted(player) for player in players)


def _notice(deadline: AskedDeadline, host: User, match: Match, now: datetime) -> Notice:
    return Notice(
        user=host,
        match=match,
        source=f"all-submitted:{deadline.pk}",
        event=ALL_SUBMITTED,
        title=f"{events.EVENTS[ALL_SUBMITTED].headline} · {match.title}",
        text="Everybody has submitted. You can wait for the deadline, or end it early.",
        url=match.get_absolute_url(),
        by=deadline.at,
        at=now,
    )
