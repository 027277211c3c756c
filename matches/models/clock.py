"""The only module that reads the time, converts between match time and UTC, and changes a match's clock.

A match's clock is stored as an anchor: at the instant `anchor_at` the match time is `anchor_time`, and from then on it
runs `speed` times as fast as UTC (1, except in demos). Before the anchor it stands still. A paused clock has no anchor,
an extended one has an anchor in the future, and closing a deadline early sets the anchor to that deadline. Match time
never goes back.

`MatchClock` does the arithmetic, `Clocked` holds the stored fields; no other code sets them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from django.db import models

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
    """The present instant, in UTC."""
    fixed = _fixed.get()
    return datetime.now(UTC) if fixed is None else fixed.instant


@contextmanager
def fixed(instant: datetime) -> Iterator[FixedTime]:
    """Within the block the current time stands still and moves only when told to.

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
        """The first instant at which a match time is reached, None while the clock stands still.

        Rounded up, so that nothing is ever early. A time already past gives the anchor's instant
        less what has gone by, which is exact as long as the anchor has not moved since.
        """
        if self.anchor_at is None:
            return None
        micros = (time - self.anchor_time) // _MICROSECOND
        return self.anchor_at + timedelta(microseconds=-(-micros // self.speed))

    def stopped(self, instant: datetime) -> MatchClock:
        """This clock, stopped at an instant; the rest of an extension is kept."""
        left = self.hold_left if self.anchor_at is None else max(self.anchor_at - instant, timedelta())
        return MatchClock(None, self.time(instant), self.speed, left)

    def started(self, instant: datetime) -> MatchClock:
        """This clock, going on at an instant, or once the rest of an extension has passed."""
        return MatchClock(instant + self.hold_left, self.anchor_time, self.speed)

    def held(self, instant: datetime, span: timedelta) -> MatchClock:
        """This clock, stopped for another `span` (match time): every deadline comes that much later."""
        more = -(-span // self.speed)
        if self.anchor_at is None:
            return replace(self, hold_left=self.hold_left + more)
        return MatchClock(max(instant, self.anchor_at) + more, self.time(instant), self.speed)

    def jumped(self, instant: datetime, time: timedelta) -> MatchClock:
        """This clock, showing a later match time at once."""
        return MatchClock(instant, max(time, self.time(instant)), self.speed)


class Clocked(models.Model):
    """The clock of a match as it is stored, and all that can be done to it.

    `now` is the present instant and `time` the present match time, as the writer knows it: never
    before the last event, whatever the system's clock does.
    """

    anchor_at = models.DateTimeField(null=True, editable=False)
    anchor_time = models.DurationField(default=timedelta, editable=False)
    speed = models.PositiveIntegerField(default=1, editable=False)
    paused_at = models.DateTimeField(null=True, editable=False)
    hold_left = models.DurationField(default=timedelta, editable=False)

    class Meta:
        abstract = True

    @property
    def clock(self) -> MatchClock:
        """The match's clock."""
        return MatchClock(self.anchor_at, self.anchor_time, self.speed, self.hold_left)

    def _set_clock(self, clock: MatchClock, paused_at: datetime | None = None) -> None:
        self.anchor_at, self.anchor_time, self.hold_left = clock.anchor_at, clock.anchor_time, clock.hold_left
        self.paused_at = paused_at

    def start_clock(self, at: datetime, time: timedelta = timedelta()) -> None:
        """Let the clock run from an instant, at which it shows `time`."""
        self._set_clock(MatchClock(at, time))

    def pause_clock(self, now: datetime, time: timedelta) -> None:
        """Stop the clock until `resume_clock`."""
        self._set_clock(replace(self.clock.stopped(now), anchor_time=time), paused_at=now)

    def resume_clock(self, now: datetime) -> None:
        """Let a paused clock go on."""
        self._set_clock(self.clock.started(now))

    def extend_clock(self, now: datetime, time: timedelta, by: timedelta) -> None:
        """Stop a running clock for `by` (match time): every deadline comes that much later."""
        self._set_clock(replace(self.clock.held(now, by), anchor_time=time))

    def jump_clock(self, now: datetime, time: timedelta) -> None:
        """Let the clock show a later match time at once."""
        self._set_clock(self.clock.jumped(now, time))

    def stop_clock(self, time: timedelta) -> None:
        """Stop the clock for good, at `time`."""
        self._set_clock(MatchClock(None, time))


CLOCK_FIELDS = tuple(field.name for field in Clocked._meta.local_fields)
"""What the methods of `Clocked` may change: names of fields, for those who store them."""
