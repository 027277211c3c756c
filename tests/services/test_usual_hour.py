"""A time of day stays what it is on both sides of a change of the clocks; odd days are handled and said."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.models.usual_hour import UsualHour

DAY = timedelta(days=1)

zones = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "UTC"]
)
instants = st.timedeltas(timedelta(), timedelta(days=9000)).map(lambda span: datetime(2011, 1, 1, tzinfo=UTC) + span)


def usual(hour: str, zone: str = "Europe/Berlin") -> UsualHour:
    found = UsualHour.read(hour, zone)
    assert found is not None
    return found


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


def test_a_time_that_does_not_exist_is_later_and_of_two_the_first_counts_and_both_is_said():
    hour = usual("02:30")
    gap = hour.after(utc(2026, 3, 29, 0))
    assert gap == utc(2026, 3, 29, 1, 30)
    assert hour.oddity(gap) == (
        "02:30 does not exist on Sun 29 Mar in Europe/Berlin, when the clocks go forward. It is 03:30 then."
    )
    twice = hour.after(utc(2026, 10, 24, 23))
    assert (twice, hour.after(twice)) == (utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 1, 30))
    assert hour.oddity(twice) == (
        "02:30 occurs twice on Sun 25 Oct in Europe/Berlin, when the clocks go back. The first one counts."
    )
    assert hour.oddity(utc(2026, 10, 26, 1, 30)) == ""


@given(instants, st.times(), zones)
def test_it_comes_every_day_and_always_at_its_time_unless_it_says_otherwise(instant, time, zone):
    hour = usual(f"{time:%H:%M}", zone)
    at = hour.after(instant)
    then = hour.after(at)
    assert instant < at <= instant + 2 * DAY
    assert at < then <= at + 2 * DAY
    assert hour.first_from(at) == at
    assert at.astimezone(hour.zone).time() == hour.hour or hour.oddity(at)


@pytest.mark.parametrize(("hour", "zone"), [("24:00", "UTC"), ("2pm", "UTC"), ("14:00", ""), ("14:00", "Mars/Olympus")])
def test_what_is_no_hour_or_no_zone_is_refused(hour, zone):
    with pytest.raises(ValueError, match=r"looks like 14:00|Choose a time zone"):
        UsualHour.read(hour, zone)
    assert UsualHour.read("", zone) is None
