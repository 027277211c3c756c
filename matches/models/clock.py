"""The only place that reads the time, and the only one that maps match time to UTC and back.

A match's clock is an anchor: at the instant `anchor_at` the match time is `anchor_time`, and from
then on it runs `speed` times as fast as UTC (1 but for demos). Before the anchor it stands still.
So a pause is a clock without an anchor, an extension is an anchor in the future, and closing a
deadline early is an anchor whose time is that deadline. Match time never goes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_MICROSECOND = timedelta(microseconds=1)


class FixedTime:
    """A present that stands still until it is moved."""

    def __init__(self, instant: datetime) -> None:
        self.instant = instant

    def forward(self, span: timedelta) -> datetime:
        """Let time pass; the new present."""
        self.instant += span
        return self.instant


_fixed: ContextVar[FixedTime | None] = ContextVar("fixed_time", default=None)


def now() -> datetime:
    """The present instant, in UTC."""
    fixed = _fixed.get()
    return datetime.now(UTC) if fixed is None else fixed.instant


@contextmanager
def fixed(instant: datetime) -> Iterator[FixedTime]:
    """Within the block the present stands still, and moves only by hand.

    For this thread (or asyncio task) alone: a server in the same process is not affected. So the
    demo lets a season happen by the real rules before anybody comes, and tests let days pass.
    """
    present = FixedTime(instant)
    token = _fixed.set(present)
    try:
        yield present
    finally:
        _fixed.reset(token)


@dataclass(frozen=True, slots=True)
class MatchClock:
    """One match's clock. `anchor_at` is None while it stands still (paused, not yet started)."""

    anchor_at: datetime | None
    anchor_time: timedelta
    speed: int = 1

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
        """This clock, standing still at what it shows now."""
        return MatchClock(None, self.time(instant), self.speed)

    def started(self, instant: datetime) -> MatchClock:
        """This clock, running on from what it shows, from an instant that may lie ahead."""
        return MatchClock(instant, self.anchor_time, self.speed)

    def held(self, instant: datetime, span: timedelta) -> MatchClock:
        """This clock, standing still for `span` (match time) more: every deadline comes that much later."""
        start = instant if self.anchor_at is None else max(instant, self.anchor_at)
        return MatchClock(start - (-span // self.speed), self.time(instant), self.speed)

    def jumped(self, instant: datetime, time: timedelta) -> MatchClock:
        """This clock, showing a later match time at once."""
        return MatchClock(instant, max(time, self.time(instant)), self.speed)
