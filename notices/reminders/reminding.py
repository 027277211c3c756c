"""The run that looks at deadlines whose time to remind has come, and reminds those whom their own view still asks.

Views are read and judged without a lock. One short transaction then takes the reminders: one that another run has taken
meanwhile, or whose match has gone on meanwhile, is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import F

from accounts.models import User
from matches.engine.notice_events import DEADLINE_NEAR, NOBODY_SUBMITTED
from matches.engine.views import Ask
from matches.models import Absence, Match, Player, clock
from matches.queries.matches import Position
from matches.services.storage import many
from notices import events
from notices.models import Notice, Reminder
from notices.outbox import store
from notices.reminders.deadlines import AGAIN, HALF, chosen_by, lead_of, spacings_of

logger = structlog.get_logger(__name__)

AT_ONCE = 250
"""How many reminders a run takes; the next run takes the others."""

_PAUSED_AGAIN = timedelta(minutes=30)
"""When to look again for somebody who wanted to be told again of what is paused by then."""


class Verdict(NamedTuple):
    """What becomes of a reminder: whom it reminds (None: nobody yet), and when it is due again."""

    notices: list[Notice] | None
    due_at: datetime | None = None


def remind() -> int:
    """Remind people of deadlines; how many reminders were looked at."""
    now = clock.now()
    due = Reminder.objects.filter(due_at__lte=now).select_related("deadline").order_by("due_at", "pk")
    reminders = list(due[:AT_ONCE])
    if reminders:
        scene = Scene(reminders, now)
        _take({reminder: scene.verdict(reminder) for reminder in reminders}, scene, now)
    return len(reminders)


class Scene:
    """The matches of some reminders, read with a few statements for all of them."""

    def __init__(self, reminders: list[Reminder], now: datetime) -> None:
        self._now = now
        ids = {reminder.deadline.match_id for reminder in reminders}
        self._positions = {match.pk: Position(match) for match in Match.objects.filter(pk__in=ids)}
        self._players: defaultdict[int, list[Player]] = defaultdict(list)
        players = list(Player.objects.filter(match__in=ids).select_related("user"))
        for player in players:
            self._players[player.match_id].append(player)
        away = Absence.objects.filter(match__in=ids, ended_at=None, since__lte=now, until__gt=now)
        self._away = set(away.values_list("player_id", flat=True))
        self._chosen = chosen_by({player.user_id for player in players if player.user_id is not None})
        halves = {reminder.deadline.match_id for reminder in reminders if reminder.spacing == HALF}
        self._hosts = hosts_of(halves, players)
        self._asked: dict[int, list[tuple[User, list[Ask], str]]] = {}
        self._told: set[tuple[int, int]] = set()

    @cached_property
    def heads(self) -> dict[int, int]:
        """How long each match's log was when it was read."""
        return {pk: position.match.log_count for pk, position in self._positions.items()}

    def verdict(self, reminder: Reminder) -> Verdict:
        """What becomes of a reminder that is due."""
        try:
            return self._verdict(reminder)
        except Exception:  # it must not keep the others from being reminded
            logger.exception("reminder_failed", match=reminder.deadline.match_id)
            return Verdict(None)

    def _verdict(self, reminder: Reminder) -> Verdict:
        deadline = reminder.deadline
        match = self._positions[deadline.match_id].match
        if match.status == Match.Status.PAUSED and reminder.spacing == AGAIN:
            return Verdict(None, self._now + _PAUSED_AGAIN)
        at = match.clock.instant(deadline.time) if match.status == Match.Status.OPEN else None
        if at is None or at <= self._now:
            return Verdict(None)
        if reminder.spacing != AGAIN:
            deadline.at = at
            lead = lead_of(reminder.spacing, deadline, match.speed)
            if lead is None:
                return Verdict(None)
            if at - lead > self._now:  # it has been moved, which the outbox has not passed on yet
                return Verdict(None, at - lead)
        make = self._to_hosts if reminder.spacing == HALF else self._to_players
        return Verdict(list(make(reminder, at)))

    def _to_players(self, reminder: Reminder, at: datetime) -> Iterator[Notice]:
        """To those who have chosen this spacing (or have asked for this one) and are still asked for something."""
        deadline = reminder.deadline
        for user, asked, if_idle in self._asked_by(reminder):
            if reminder.user_id is not None:
                wanted = reminder.user_id == user.pk
            else:
                wanted = reminder.spacing in self._chosen.get(user.pk, spacings_of(()))
            # Two spacings can be due at once, after the site was down.
            if wanted and (user.pk, deadline.pk) not in self._told:
                self._told.add((user.pk, deadline.pk))
                lines = [*(ask.text for ask in asked), if_idle]
                yield self._notice(reminder, user, DEADLINE_NEAR, lines, at, "#act")

    def _asked_by(self, reminder: Reminder) -> list[tuple[User, list[Ask], str]]:
        """The people who are asked for something until this deadline, with what it is, and what happens otherwise."""
        deadline = reminder.deadline
        if deadline.pk not in self._asked:
            position, found = self._positions[deadline.match_id], []
            for player in self._players[deadline.match_id]:
                is_away = player.is_bot or player.pk in self._away
                user = None if is_away else player.user
                private = position.private_of(player) if user is not None and user.is_active else None
                asked = [ask for ask in private.asked if _is_until(ask, deadline.time)] if private else []
                if user is not None and private is not None and asked:
                    found.append((user, asked, private.if_idle))
            self._asked[deadline.pk] = found
        return self._asked[deadline.pk]

    def _to_hosts(self, reminder: Reminder, at: datetime) -> Iterator[Notice]:
        """To the hosts of a match in which nobody has submitted anything."""
        match_id = reminder.deadline.match_id
        position = self._positions[match_id]
        # None: nothing sealed is asked for.
        if all(position.has_submitted(player) is False for player in self._players[match_id]):
            text = "Half of the time has passed, and nobody has submitted anything."
            for host in self._hosts[match_id]:
                yield self._notice(reminder, host, NOBODY_SUBMITTED, [text], at, "")

    def _notice(self, reminder: Reminder, user: User, event: str, lines: list[str], at: datetime, part: str) -> Notice:
        match = self._positions[reminder.deadline.match_id].match
        return Notice(
            user=user,
            match=match,
            source=f"reminder:{reminder.pk}:{reminder.times}",
            event=event,
            title=f"{events.EVENTS[event].headline} · {match.title}",
            text="\n".join(line for line in lines if line),
            url=match.get_absolute_url() + part,
            by=at,
            at=self._now,
        )


def hosts_of(matches: Iterable[int], players: Iterable[Player]) -> dict[int, list[User]]:
    """The people who host these matches, by match. Whoever plays in a match is not a host of it: hosts learn who has
    submitted."""
    playing = {(player.match_id, player.user_id) for player in players}
    found: dict[int, list[User]] = {match: [] for match in matches}
    for row in Match.hosts.through.objects.filter(match__in=found, user__is_active=True).select_related("user"):
        if (row.match_id, row.user_id) not in playing:
            found[row.match_id].append(row.user)
    return found


def _is_until(ask: Ask, time: timedelta) -> bool:
    return ask.until is not None and timedelta(seconds=ask.until) == time


def _take(verdicts: dict[Reminder, Verdict], scene: Scene, now: datetime) -> None:
    """Store what came of them, of those that are still as they were read."""
    with transaction.atomic():
        reminded: list[int] = []
        notices: list[Notice] = []
        later: list[tuple[datetime | None, int]] = []
        for reminder, head in _claimed(verdicts):
            verdict = verdicts[reminder]
            if verdict.notices is None:
                later.append((verdict.due_at, reminder.pk))
            # Somebody may have submitted in this very moment: the next run looks again.
            elif head == scene.heads[reminder.deadline.match_id]:
                reminded.append(reminder.pk)
                notices += verdict.notices
        many.update(Reminder, ("due_at",), ("id",), later)
        Reminder.objects.filter(pk__in=reminded).update(due_at=None, reminded_at=now, times=F("times") + 1)
        store(notices)


def _claimed(verdicts: dict[Reminder, Verdict]) -> Iterator[tuple[Reminder, int]]:
    """Those that nobody else has taken or moved since they were read, each with how long its match's log is by now.
    They are locked until the transaction ends."""
    rows = Reminder.objects.filter(pk__in=[reminder.pk for reminder in verdicts]).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, of=("self",))
    found = rows.values_list("pk", "due_at", "times", "deadline__match__log_count")
    present = {pk: (due_at, times, head) for pk, due_at, times, head in found}
    for reminder in verdicts:
        due_at, times, head = present.get(reminder.pk, (None, -1, 0))
        if (due_at, times) == (reminder.due_at, reminder.times):
            yield reminder, head
