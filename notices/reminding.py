"""Reminds players before deadlines if their own view still asks for something, and tells hosts when all have submitted.

Views are read and judged without a lock. One short transaction then takes the reminders, except those that another run
has taken or whose match has moved on meanwhile.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import F, Max

from accounts.models import User
from matches.engine.notice_events import ALL_SUBMITTED, DEADLINE_NEAR, HOSTS_ASKED, NOBODY_SUBMITTED
from matches.models import Absence, Match, MatchRole, Player, Submission, clock
from matches.queries.access import legible
from matches.queries.matches import Position
from matches.services.storage import many
from notices.models import AskedDeadline, LogSeen, Notice, Reminder
from notices.outbox import store
from notices.reading import read_by_acting, retire_troubles
from notices.reminder_times import AGAIN, HALF, chosen_by, lead_of, of_hosts_asked, spacings_of

logger = structlog.get_logger(__name__)

AT_ONCE = 250
"""How many reminders a run takes; the next run takes the others."""

_PAUSED_AGAIN = timedelta(minutes=30)
"""When to try again if a match is paused at the time of a reminder that somebody asked for."""


class Verdict(NamedTuple):
    """What to do with a due reminder: send these notices (None: not now), or look again at `due_at`."""

    notices: list[Notice] | None
    due_at: datetime | None = None


def remind() -> int:
    """Process the reminders that are due; return how many."""
    now = clock.now()
    due = Reminder.objects.filter(due_at__lte=now).select_related("deadline").order_by("due_at", "pk")
    reminders = list(due[:AT_ONCE])
    if reminders:
        scene = Scene({reminder.deadline.match_id for reminder in reminders}, now)
        _take({reminder: scene.verdict(reminder) for reminder in reminders}, scene, now)
    return len(reminders)


class Scene:
    """Some matches and their people, read with a few queries for all of them."""

    def __init__(self, matches: Collection[int], now: datetime) -> None:
        self._now = now
        self.positions = {match.pk: Position(match) for match in Match.objects.filter(pk__in=matches)}
        self.players: defaultdict[int, list[Player]] = defaultdict(list)
        for player in Player.objects.filter(match__in=matches).select_related("user"):
            self.players[player.match_id].append(player)
        self._told: set[tuple[int, int]] = set()

    @cached_property
    def heads(self) -> dict[int, int]:
        """The length of each match's log when it was read."""
        return {pk: position.match.log_count for pk, position in self.positions.items()}

    @cached_property
    def hosts(self) -> dict[int, list[User]]:
        """The people who host each match. Whoever plays does not count as a host, as hosts learn who has submitted."""
        playing = {(pk, player.user_id) for pk, players in self.players.items() for player in players}
        found: dict[int, list[User]] = {match: [] for match in self.positions}
        acting = MatchRole.objects.filter(match__in=found, role__in=MatchRole.ACTING, user__is_active=True)
        for row in acting.select_related("user"):
            if (row.match_id, row.user_id) not in playing:
                found[row.match_id].append(row.user)
        return found

    @cached_property
    def _away(self) -> set[int]:
        away = Absence.objects.filter(match__in=self.positions, ended_at=None, since__lte=self._now)
        return set(away.filter(until__gt=self._now).values_list("player_id", flat=True))

    @cached_property
    def _chosen(self) -> dict[int, frozenset[str]]:
        return chosen_by({each.user_id for players in self.players.values() for each in players if each.user_id})

    def asked(self, player: Player, deadline: AskedDeadline) -> tuple[list[str], str]:
        """Return what a player is asked for by a deadline, and what happens if they do nothing."""
        private = self.positions[deadline.match_id].private_of(player)
        asks = [each for each in private.asked if each.until is not None] if private else []
        texts = [each.text for each in asks if timedelta(seconds=each.until or 0) == deadline.time]
        return texts, private.if_idle if private else ""

    def verdict(self, reminder: Reminder) -> Verdict:
        """Decide what to do with a reminder that is due."""
        try:
            return self._verdict(reminder)
        except Exception:  # must not hold up other reminders
            logger.exception("reminder_failed", match=reminder.deadline.match_id)
            return Verdict(None)

    def _verdict(self, reminder: Reminder) -> Verdict:
        deadline = reminder.deadline
        match = self.positions[deadline.match_id].match
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
            if at - lead > self._now:  # the deadline has moved, and the outbox has not been processed yet
                return Verdict(None, at - lead)
        make = self._to_hosts if reminder.spacing == HALF else self._to_players
        return Verdict(list(make(reminder, at)))

    def _to_players(self, reminder: Reminder, at: datetime) -> Iterator[Notice]:
        """To players with this spacing, or the one who asked for this reminder, if something is still asked of them."""
        deadline = reminder.deadline
        for player in self.players[deadline.match_id]:
            user = player.user
            if user is None or not user.is_active or player.is_bot or player.pk in self._away:
                continue
            if reminder.user_id is not None:
                wanted = reminder.user_id == user.pk
            else:
                wanted = reminder.spacing in self._chosen.get(user.pk, spacings_of(()))
            # Two spacings can be due at once, after the site was down.
            if wanted and (user.pk, deadline.pk) not in self._told:
                texts, if_idle = self.asked(player, deadline)
                if texts:
                    self._told.add((user.pk, deadline.pk))
                    yield self._reminder_of(reminder, user, DEADLINE_NEAR, [*texts, if_idle], at, part="#act")

    def _to_hosts(self, reminder: Reminder, at: datetime) -> Iterator[Notice]:
        """To the hosts of a match that waits for them, or in which nobody has submitted."""
        match_id = reminder.deadline.match_id
        position = self.positions[match_id]
        asked = position.hosts_asked
        if asked is not None:
            if of_hosts_asked(asked) == reminder.deadline.time:
                for host in self.hosts[match_id]:
                    yield self._reminder_of(reminder, host, HOSTS_ASKED, [asked.text], at)
            return
        # `is False`, as None means that nothing sealed is asked for.
        if all(position.has_submitted(player) is False for player in self.players[match_id]):
            text = "Half of the time has passed, and nobody has submitted anything."
            for host in self.hosts[match_id]:
                yield self._reminder_of(reminder, host, NOBODY_SUBMITTED, [text], at)

    def _reminder_of(
        self, reminder: Reminder, user: User, event: str, lines: list[str], at: datetime, *, part: str = ""
    ) -> Notice:
        source = f"reminder:{reminder.pk}:{reminder.times}"
        return self.notice(reminder.deadline.match_id, user, event, source, lines, at, part=part)

    def notice(
        self, match: int, user: User, event: str, source: str, lines: list[str], by: datetime | None, *, part: str = ""
    ) -> Notice:
        """Return an unsaved notice about one of the matches."""
        about, text = self.positions[match].match, "\n".join(filter(None, lines))
        url = about.get_absolute_url() + part
        return Notice.of(event, about, user=user, source=source, text=text, url=url, by=by, at=self._now)


def _take(verdicts: dict[Reminder, Verdict], scene: Scene, now: datetime) -> None:
    """Store the verdicts of those reminders that are still as they were read."""
    with transaction.atomic():
        reminded: list[int] = []
        notices: list[Notice] = []
        later: list[tuple[datetime | None, int]] = []
        for reminder, head in _claimed(verdicts):
            verdict = verdicts[reminder]
            if verdict.notices is None:
                later.append((verdict.due_at, reminder.pk))
            # Otherwise somebody may have submitted at this very moment: the next run looks again.
            elif head == scene.heads[reminder.deadline.match_id]:
                reminded.append(reminder.pk)
                notices += verdict.notices
        many.update(Reminder, ("due_at",), ("id",), later)
        Reminder.objects.filter(pk__in=reminded).update(due_at=None, reminded_at=now, times=F("times") + 1)
        store(notices)


def _claimed(verdicts: dict[Reminder, Verdict]) -> Iterator[tuple[Reminder, int]]:
    """Lock and yield the reminders that nobody has taken or moved since they were read, with the log's length now."""
    rows = Reminder.objects.filter(pk__in=[reminder.pk for reminder in verdicts]).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, of=("self",))
    found = rows.values_list("pk", "due_at", "times", "deadline__match__log_count")
    present = {pk: (due_at, times, head) for pk, due_at, times, head in found}
    for reminder in verdicts:
        due_at, times, head = present.get(reminder.pk, (None, -1, 0))
        if (due_at, times) == (reminder.due_at, reminder.times):
            yield reminder, head


# -- who has submitted ---------------------------------------------------------------------------------------

_MOST_ROWS = 5000
_MOST_MATCHES = 300
_LATE = timedelta(seconds=10)
"""The longest that a transaction can take to commit: younger rows are read again by the next run."""


def tell_hosts() -> int:
    """Notify hosts of matches in which everybody has submitted since the last run; return how many deadlines these
    were. Also marks notices as read that players or hosts have acted on."""
    from_now_on: dict[str, Any] = {"row": _newest}  # what happened before the first run is ignored
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
    """The last row up to which all are surely visible: ids are assigned before transactions commit."""
    last = before
    for pk, _, received_at, _ in new:
        if received_at > now - _LATE:
            break
        last = pk
    return last


def _complete(waiting: list[AskedDeadline], now: datetime) -> dict[int, list[Notice]]:
    """The deadlines by which everybody has submitted, each with the notices to its match's hosts."""
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


_ALL = "Everybody has submitted. You can wait for the deadline, or close early."


def _have_all(scene: Scene, deadline: AskedDeadline, position: Position) -> bool:
    """Whether nothing is asked of anybody any more by then, and at least one has submitted something."""
    players = scene.players[deadline.match_id]
    if any(scene.asked(player, deadline)[0] for player in players):
        return False
    return any(position.has_submitted(player) for player in players)
