"""The clock: the only module that reads the time, converts between match time and UTC, and changes a match's clock.

The time is the database's (`infra/database_time`). Code that decides something uses `ask`, under the lock; code that
only shows or plans something uses `now`.

A match's clock is stored as an anchor: at the instant `anchor_at` the match time is `anchor_time`, and from then on it
runs `speed` times as fast as UTC (1, except in demos). Before the anchor it stands still. A paused clock has no anchor,
an extended one has an anchor in the future, and closing a deadline early sets the anchor to that deadline. Match time
never goes back.

`MatchClock` does the arithmetic, `Clocked` holds the stored fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import F, Q

from matches.infra import database_time

_MICROSECOND = timedelta(microseconds=1)


class FixedTime:
    """A current time that stands still until it is moved."""

    def __init__(self, instant: datetime) -> None:
        self.instant = instant

    def forward(self, span: timedelta) -> datetime:
        """Let time pass, and return the new current time."""
        self.instant += span
        return self.instant


_fixed: ContextVar[FixedTime | None] = ContextVar("fixed_time", default=None)


def now() -> datetime:
    """The present instant in UTC: the database's time, estimated without asking the database."""
    fixed = _fixed.get()
    return database_time.present() if fixed is None else fixed.instant


def ask(*, using: str = DEFAULT_DB_ALIAS) -> datetime:
    """The present instant in UTC, as the database gives it now."""
    fixed = _fixed.get()
    return database_time.ask(using) if fixed is None else fixed.instant


skew, is_skewed = database_time.skew, database_time.is_skewed
"""How far this process's own clock is ahead of the database's, by the last reading; and whether that is too far."""


@contextmanager
def fixed(instant: datetime) -> Iterator[FixedTime]:
    """Stop the current time within the block; it moves only by `FixedTime.forward`.

    This holds only for this thread (or asyncio task); a server in the same process is not affected. The demo uses it
    to play a whole season in the past, and tests use it to let days pass.
    """
    present = FixedTime(instant)
    token = _fixed.set(present)
    try:
        yield present
    finally:
        _fixed.reset(token)


@dataclass(frozen=True, slots=True)
class MatchClock:
    """One match's clock. `anchor_at` is None while it stands still (paused, not yet started).

    `hold_left` (real time) is how long a paused clock still waits after it is resumed: the rest of an extension.
    """

    anchor_at: datetime | None
    anchor_time: timedelta
    speed: int = 1
    hold_left: timedelta = timedelta()

    def time(self, instant: datetime) -> timedelta:
        """The match time at an instant."""
        if self.anchor_at is None or instant <= self.anchor_at:
            return self.anchor_time
        return self.anchor_time + (instant - self.anchor_at) * self.speed

    def instant(self, time: timedelta) -> datetime | None:
        """The first instant at which a match time is reached; None while the clock stands still.

        Rounded up, so that nothing is ever early. For a time before the anchor it counts back from the anchor, which is
        exact only if the clock ran then as it does now.
        """
        if self.anchor_at is None:
            return None
        micros = (time - self.anchor_time) // _MICROSECOND
        return self.anchor_at + timedelta(microseconds=-(-micros // self.speed))

    def stopped(self, instant: datetime) -> MatchClock:
        """This clock, stopped at an instant; it keeps the rest of an extension."""
        left = self.hold_left if self.anchor_at is None else max(self.anchor_at - instant, timedelta())
        return MatchClock(None, self.time(instant), self.speed, left)

    def started(self, instant: datetime) -> MatchClock:
        """This clock, running from an instant on, or from the end of the rest of an extension."""
        return MatchClock(instant + self.hold_left, self.anchor_time, self.speed)

    def held(self, instant: datetime, span: timedelta) -> MatchClock:
        """This clock, stopped for another `span` (match time): every deadline comes that much later."""
        more = -(-span // self.speed)
        if self.anchor_at is None:
            return replace(self, hold_left=self.hold_left + more)
        return replace(self, anchor_at=max(instant, self.anchor_at) + more, anchor_time=self.time(instant))

    def showing(self, time: timedelta) -> MatchClock:
        """This clock, with another match time at its anchor."""
        return replace(self, anchor_time=time)

    def hold_until(self, time: timedelta, until: datetime) -> timedelta:
        """How long (match time) a running clock must be held so that the match time `time` comes at the instant
        `until`; negative if it would have to come earlier than now planned."""
        present = self.instant(time)
        return timedelta() if present is None else (until - present) * self.speed

    def released(self, span: timedelta) -> MatchClock:
        """This running clock as if it had not been held for `span` (match time): every deadline comes that much
        earlier."""
        if self.anchor_at is None:
            raise ValueError("a clock that stands still is not held")
        return replace(self, anchor_at=self.anchor_at - -(-span // self.speed))

    def jumped(self, instant: datetime, time: timedelta) -> MatchClock:
        """This clock, showing a later match time at once."""
        return replace(self, anchor_at=instant, anchor_time=max(time, self.time(instant)), hold_left=timedelta())


class Clocked(models.Model):
    """The stored fields of a match's clock. Whoever changes it takes the present instant and match time from the
    writer: never before the last event, whatever the system's clock does."""

    anchor_at = models.DateTimeField(null=True, editable=False)
    anchor_time = models.DurationField(default=timedelta, editable=False)
    speed = models.PositiveIntegerField(default=1, editable=False)
    paused_at = models.DateTimeField(null=True, editable=False)
    hold_left = models.DurationField(default=timedelta, editable=False)

    # When a paused clock resumes by itself.
    resumes_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        abstract = True

    @property
    def clock(self) -> MatchClock:
        """The match's clock."""
        return MatchClock(self.anchor_at, self.anchor_time, self.speed, self.hold_left)

    def set_clock(
        self, clock: MatchClock, paused_at: datetime | None = None, resumes_at: datetime | None = None
    ) -> None:
        """Set the clock; its speed stays. A paused one has stood still since `paused_at`, and resumes by itself at the
        instant `resumes_at` if that is given."""
        self.anchor_at, self.anchor_time, self.hold_left = clock.anchor_at, clock.anchor_time, clock.hold_left
        self.paused_at, self.resumes_at = paused_at, resumes_at

    def extend_clock(self, now: datetime, time: timedelta, by: timedelta) -> None:
        """Stop a running clock for `by` (match time) from the instant `now`, at which it shows the match time `time`:
        every deadline comes that much later."""
        self.set_clock(self.clock.held(now, by).showing(time))


CLOCK_FIELDS = tuple(field.name for field in Clocked._meta.local_fields)
"""The names of the fields of `Clocked`, for `save(update_fields=…)`."""

# -- outages -----------------------------------------------------------------------------------------------


class Outage(models.Model):
    """A time after `since` and up to `until` in which the site did not sweep (services/outages.py). Stored by the first
    process that notices it, and never changed."""

    since = models.DateTimeField(unique=True)
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(until__gt=F("since")), name="outage_has_a_length")]

    def __str__(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M} to {self.until:%Y-%m-%d %H:%M}"

    @property
    def length(self) -> timedelta:
        """How long the outage was."""
        return self.until - self.since


class Heartbeat(models.Model):
    """When a named regular task last completed a run; `/healthz` reads it."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%H:%M:%S}"
