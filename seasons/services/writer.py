"""The only writer of running seasons: every change goes through here, in one transaction under the season's lock.

`locked_season` opens the transaction, locks the row, reads the clock once, passes everything that is due, each at its
own time, and gives a `Writer`. Locks are taken in one order, matches before their season, so that there is no deadlock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import Any

import msgspec
from django.conf import settings as django_settings
from django.db import transaction
from django.dispatch import Signal

from matches.engine.draw import Draw
from matches.engine.strict_json import canonical
from matches.infra.text import moment_in_words
from matches.models import Match, clock
from matches.services import outages
from matches.services.commands import actor_of
from matches.services.locking import lock_row
from matches.services.storage.log import chained
from seasons.engine import season as rules
from seasons.engine.scenario import result_of
from seasons.engine.state import BY_CANDIDATE, OPPONENT, MatchResult, SeasonState, Step
from seasons.models import Member, Season, SeasonEntry, SeasonMatch, SeasonNews, SeasonRow


def described(season: Season) -> dict[str, Any]:
    """Return what the log's first row says of a season beside its rules; it is fixed from then on."""
    return {
        "id": season.public_id,
        "title": season.title,
        "description": season.description,
        "usual_hour": season.usual_hour.isoformat() if season.usual_hour else None,
        "zone": season.zone,
        "is_demo": season.is_demo,
        "created_at": season.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


# -- signals -------------------------------------------------------------------------------------------------

# Sent after the commit with sender=Season, season_id (int): a row was added to its log.
season_changed = Signal()

# Sent inside the transaction with sender=Member, member (as it is now), left (the user who was behind it), so that
# other apps take what is the member's from who has left. A receiver that raises rolls it back.
member_changed_hands = Signal()

# Sent inside the transaction with sender=Season, source, draft, host: apps that store hosts' choices for a season copy
# them.
season_duplicated = Signal()

# Sent inside the transaction with sender=Application, application, text, to_hosts, is_gone (the season has no page any
# more): notify the applicant, or the hosts, with this text.
applied = Signal()


# -- writer ----------------------------------------------------------------------------------------------

Kind = SeasonRow.Kind

_told_by_file: ContextVar[bool] = ContextVar("told_by_file", default=False)


@contextmanager
def told_by_file() -> Iterator[None]:
    """Within the block a scenario decides everything, even for bots."""
    token = _told_by_file.set(True)
    try:
        yield
    finally:
        _told_by_file.reset(token)


class Writer:
    """A locked season inside its transaction. `now` is the instant read once under the lock."""

    def __init__(self, season: Season, now: datetime) -> None:
        self.season = season
        self.now = now
        self.draw = Draw(season.chance)
        self.state: SeasonState | None = season.decoded()
        self.step: Any = None
        """The step of the last row; None if the rules have none for it."""

    @property
    def begun(self) -> SeasonState:
        """The state of a season that has begun; raises `RuntimeError` otherwise."""
        if self.state is None:
            raise RuntimeError("the season has not begun")
        return self.state

    @property
    def time(self) -> timedelta:
        """The season time now, never before the last event."""
        time = self.season.time(self.now)
        return time if self.state is None else max(time, self.state.time)

    @cached_property
    def members(self) -> dict[str, Member]:
        """Handle -> member."""
        return {member.handle: member for member in self.season.cast.all()}

    @cached_property
    def matches(self) -> dict[str, SeasonMatch]:
        """Key -> match."""
        return {each.key: each for each in self.season.matches.select_related("match")}

    def forget(self) -> None:
        """Forget the cached members and matches, as some have been added."""
        for name in ("members", "matches"):
            self.__dict__.pop(name, None)

    # -- what is due -----------------------------------------------------------------------------

    def pass_due(self) -> int:
        """Pass everything that is due, in order of time (at the same time: deadlines, pregames, then ends of matches);
        return how many there were."""
        passed = 0
        while self.state is not None and (due := self._next()) is not None:
            self._pass(*due)
            passed += 1
        return passed

    def _next(self) -> tuple[timedelta, int, str] | None:
        """The earliest thing that is due: its season time, its rank, and the key of its match."""
        found: list[tuple[timedelta, int, str]] = []
        deadline = rules.next_deadline(self.begun)
        if deadline is not None:
            found.append((deadline, 0, ""))
        growth = self.begun.growth
        if growth is not None and growth.next is None and (ended := self._pregame_ended(growth.match)) is not None:
            found.append((ended, 1, growth.match))
        for each in self.begun.matches:
            match = self.matches[each.key].match
            if each.result is None and match.is_over and match.finished_at is not None:
                found.append((self.season.time(match.finished_at), 2, each.key))
        if self._is_for_a_bot_to_name():
            found.append((self.begun.time, 3, ""))
        due = [each for each in found if each[0] <= self.time]
        return min(due, default=None)

    def _is_for_a_bot_to_name(self) -> bool:
        """Whether a candidate who has to name an opponent is a bot, for whom one is drawn at once."""
        state, after = self.begun, self.begun.after
        if state.phase != OPPONENT or state.settings.opponent != BY_CANDIDATE or after is None or _told_by_file.get():
            return False
        return after.closes != state.time and self.members[after.candidates[0]].is_bot

    def _pregame_ended(self, key: str) -> timedelta | None:
        found = self.matches.get(key)
        at = found.match.pregame_ended_at if found else None
        return None if at is None else self.season.time(at)

    def _pass(self, at: timedelta, rank: int, key: str) -> None:
        when = max(at, self.begun.time)
        if rank == 0 and self._fell_into_outage(at):
            return
        if rank == 0:
            self.record(Kind.DEADLINE, {}, at=at)
        elif rank == 1:
            self.record(Kind.PREGAME_OVER, {"match": key, "ended": at // timedelta(microseconds=1)}, at=when)
        elif rank == 2:
            self.note_end(key, when)
        else:
            self.record(Kind.COMMAND, {"draw_opponent": True, "reason": "The candidate is a bot."}, at=when)

    def _fell_into_outage(self, closes: timedelta) -> bool:
        """Extend the time to name an opponent if it ended in an outage; return whether it did. Growth does not move,
        and comes after this even at the same time."""
        after, at = self.begun.after, self.season.instant(closes)
        if after is None or after.closes != closes or at is None or self.season.is_demo:
            return False
        if closes == self.begun.time:  # a draw at once, ordered by a host or for a bot, is no deadline
            return False
        outage = outages.over(at, self.now)
        if outage is None:
            return False
        ends = at + outage.length
        if self.begun.settings.decision_time >= django_settings.OUTAGE_LEAST:
            ends = max(ends, outage.until + django_settings.OUTAGE_LEAST)
        told = {"from": outage.since, "to": outage.until, "ends": ends}
        words = {name: moment_in_words(instant) for name, instant in told.items()}
        self.record(Kind.OUTAGE, {"by": (ends - at) // timedelta(microseconds=1), **words}, at=closes)
        return True

    def note_end(self, key: str, at: timedelta | None = None) -> None:
        """Record how a match has ended, unless that is recorded already."""
        known, result = self.begun.match(key), self.result(key)
        if known is None or known.result == result:
            return
        self.record(Kind.MATCH_OVER, {"match": key, "result": msgspec.to_builtins(result)}, at=at)

    def result(self, key: str) -> MatchResult:
        """Return the result of a match that is over. Locks the match, so that nobody corrects a balance meanwhile.
        There is no deadlock, as a match that is over never waits for its season."""
        return _result(lock_row(self.matches[key].match_id))

    def peek(self, key: str) -> MatchResult:
        """Return the result of a match without locking it."""
        return _result(self.matches[key].match)

    # -- writing ---------------------------------------------------------------------------------

    def record(
        self,
        kind: str,
        payload: dict[str, Any],
        *,
        actor: str = "",
        user: Any = None,
        at: timedelta | None = None,
        key: str = "",
    ) -> SeasonRow:
        """Append a row to the log and apply its step. Without `actor` it is the host `user`, or else the clock. Raises
        what the rules raise, before anything is stored."""
        time = self.time if at is None else at
        self.step = rules.step_of(self.state, kind, payload, time, self.draw)
        row = SeasonRow(
            season=self.season,
            kind=kind,
            actor=actor or (actor_of(user) if user else "clock"),
            user=user,
            payload=canonical(payload),
            received_at=self.now,
            season_time=time,
            key=key,
        )
        chained(self.season, row)
        row.save(force_insert=True)
        if self.step is not None:
            self._apply(row, self.step)
        self._save()
        transaction.on_commit(partial(season_changed.send_robust, Season, season_id=self.season.pk))
        return row

    def tell_everyone(self, row: SeasonRow, kind: str, **data: Any) -> None:
        """Add public news of a row that is not the rules' affair."""
        told = {"season": self.season, "row": row, "audience": "everyone", "kind": kind, "data": data, "at": self.now}
        SeasonNews.objects.create(**told)

    def _apply(self, row: SeasonRow, step: Step) -> None:
        before, self.state = self.state, step.state
        instant = self.season.instant(row.season_time) or self.now
        entries = [
            SeasonEntry(
                season=self.season,
                row=row,
                giver=self.members[each.giver] if each.giver else None,
                receiver=self.members[each.receiver] if each.receiver else None,
                match=self.matches[each.match] if each.match else None,
                asset=each.asset,
                amount=each.amount,
                reason=each.reason,
                note=each.note,
                at=instant,
                season_time=row.season_time,
            )
            for each in step.transfers
        ]
        SeasonEntry.objects.bulk_create(entries)
        news = [
            SeasonNews(season=self.season, row=row, audience=each.audience, kind=each.kind, data=each.data, at=instant)
            for each in step.announcements
        ]
        SeasonNews.objects.bulk_create(news)
        self._follow_members(step.state)
        self._follow_matches(before, step.state, instant)
        if step.state.phase == "ended" and self.season.status != Season.Status.ENDED:
            self.season.status, self.season.ended_at = Season.Status.ENDED, instant

    def _follow_members(self, state: SeasonState) -> None:
        for each in state.members:
            member = self.members[each.handle]
            if (member.status, member.place) != (each.status, each.place):
                member.status, member.place = each.status, each.place
                member.save(update_fields=["status", "place"])

    def _follow_matches(self, before: SeasonState | None, after: SeasonState, instant: datetime) -> None:
        open_before = {each.key: each for each in before.matches} if before else {}
        open_after = {each.key: each for each in after.matches}
        for key in open_after.keys() - open_before.keys():
            match = self.matches[key]
            match.opened_at, match.is_death_match = instant, open_after[key].is_death_match
            match.save(update_fields=["opened_at", "is_death_match"])
        for key in open_before:
            match, present = self.matches[key], open_after.get(key)
            if match.over_at is None and (present is None or present.result is not None):
                match.over_at = instant
            if present is None:
                match.settled_at = instant
            match.save(update_fields=["over_at", "settled_at"])

    def _save(self) -> None:
        season = self.season
        if self.state is not None:
            season.state = rules.encode(self.state).decode()
            due = rules.next_deadline(self.state)
            season.next_deadline_at = None if due is None else season.instant(due)
            growth = self.state.growth
            waits = growth is not None and growth.next is None
            season.awaits_pregame_of = self.matches.get(growth.match) if growth and waits else None
        season.save(
            update_fields=[
                "state",
                "next_deadline_at",
                "awaits_pregame_of",
                "log_count",
                "log_head",
                "status",
                "started_at",
                "ended_at",
            ]
        )


def _result(match: Match) -> MatchResult:
    state = match.rules.decode_state(match.state)
    return result_of(match.rules, state, cancelled=match.status == Match.Status.CANCELLED)


def lock_season(season_id: int) -> tuple[Season, datetime]:
    """Lock the season's row until the transaction ends; return it and the time under the lock."""
    return Season.objects.select_for_update().get(pk=season_id), clock.ask()


@contextmanager
def locked_season(season_id: int) -> Iterator[Writer]:
    """Open a transaction with the season locked, and pass what is due."""
    with transaction.atomic():
        writer = Writer(*lock_season(season_id))
        writer.pass_due()
        yield writer
