"""Quiet hours and the digest's hour are times of day in one's own zone, also on days when clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from notices.models import Habits
from notices.services.planning import end_of_quiet, next_time

BERLIN = ZoneInfo("Europe/Berlin")  # forward on 29 March 2026 at 02:00, back on 25 October 2026 at 03:00


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (utc(3, 27, 8, 30), utc(3, 28, 8)),  # 09:00 has passed: tomorrow's, still in winter time
        (utc(3, 28, 8, 30), utc(3, 29, 7)),  # tomorrow's is in summer time
        (utc(3, 29, 6, 59), utc(3, 29, 7)),
        (utc(10, 24, 7, 30), utc(10, 25, 8)),
        (utc(10, 25, 7, 30), utc(10, 25, 8)),
    ],
)
def test_the_digest_comes_at_nine_by_the_clock_on_the_wall(now: datetime, due: datetime) -> None:
    assert next_time(time(9), now, BERLIN) == due


@pytest.mark.parametrize(
    ("start", "end", "now", "due"),
    [
        (22, 7, utc(3, 28, 20, 59), utc(3, 28, 20, 59)),
        (22, 7, utc(3, 28, 21), utc(3, 29, 5)),  # a short night
        (22, 7, utc(3, 29, 4, 59), utc(3, 29, 5)),
        (22, 7, utc(3, 29, 5), utc(3, 29, 5)),
        (22, 7, utc(10, 24, 20), utc(10, 25, 6)),  # a long one
        (22, 7, utc(10, 25, 5, 30), utc(10, 25, 6)),
        (1, 3, utc(3, 29, 0, 30), utc(3, 29, 1)),  # 03:00 comes right after 01:59
        (1, 3, utc(10, 25, 0, 30), utc(10, 25, 2)),  # 02:30 comes twice
        (1, 3, utc(10, 25, 1, 30), utc(10, 25, 2)),
        (9, 9, utc(10, 25, 9), utc(10, 25, 9)),
    ],
)
def test_quiet_hours_last_until_their_end_by_the_clock_on_the_wall(
    start: int, end: int, now: datetime, due: datetime
) -> None:
    habits = Habits(quiet_from=time(start), quiet_to=time(end))
    assert end_of_quiet(habits, now, BERLIN) == due


def test_an_end_that_the_clocks_leave_out_still_comes_that_night() -> None:
    habits = Habits(quiet_from=time(22), quiet_to=time(2, 30))
    assert utc(3, 29, 0) < end_of_quiet(habits, utc(3, 28, 22), BERLIN) <= utc(3, 29, 2)
