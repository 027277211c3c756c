"""Match time: what is read, what is refused, what is printed."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.match_time import LONGEST, parse_duration, parse_typed, seconds, spell

SPANS = st.timedeltas(min_value=timedelta(), max_value=LONGEST)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (0, timedelta()),
        (-0.0, timedelta()),
        (90, timedelta(seconds=90)),
        (1.5, timedelta(seconds=1, microseconds=500_000)),
        (0.000001, timedelta(microseconds=1)),
        ("24h", timedelta(days=1)),
        ("2d", timedelta(days=2)),
        ("90m", timedelta(minutes=90)),
        ("1d12h", timedelta(hours=36)),
        ("1d2h3m4s", timedelta(days=1, hours=2, minutes=3, seconds=4)),
        ("0h", timedelta()),
        ("3650d", LONGEST),
    ],
)
def test_a_number_of_seconds_or_whole_parts_are_read(raw: object, expected: timedelta) -> None:
    assert parse_duration(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        True, None, [], {}, "", " ", "h", "24", "1.5h", "-1h", "h24", "12h1d", "1h1h", "24H", "1 d", "24h\n5m", "٢h",
        "1w", -1, -0.001, math.nan, math.inf, -math.inf, 10**30, 1e300, LONGEST.total_seconds() + 1,
        "3651d", "9" * 5000 + "d",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_a_sentence(raw: object) -> None:
    with pytest.raises(ValueError, match=r"time|expected"):
        parse_duration(raw)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24h", timedelta(days=1)),
        (" 24 H ", timedelta(days=1)),
        ("1d 12h", timedelta(hours=36)),
        ("0", timedelta()),
        ("1.5 seconds", timedelta(milliseconds=1500)),
        ("24s", timedelta(seconds=24)),
    ],
)
def test_people_type_a_span_with_its_unit(text: str, expected: timedelta) -> None:
    assert parse_typed(text) == expected


@pytest.mark.parametrize("text", ["24", " 24 ", "7.5", "86400", "9" * 5000])
def test_a_number_that_a_person_types_needs_a_unit(text: str) -> None:
    with pytest.raises(ValueError, match=r"^\d{1,12}\.?\d* what\? Add d for days.*such as 24h or 1d12h$"):
        parse_typed(text)


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(), "0h"),
        (timedelta(minutes=90), "1h30m"),
        (timedelta(days=1), "24h"),
        (timedelta(hours=36), "36h"),
        (timedelta(days=2), "48h"),
        (timedelta(hours=49), "2d1h"),
        (timedelta(days=1, minutes=5), "1d5m"),
        (timedelta(milliseconds=1500), "1.5 seconds"),
    ],
)
def test_up_to_two_days_are_spoken_of_in_hours(span: timedelta, said: str) -> None:
    assert spell(span) == said


@given(SPANS)
def test_printing_and_reading_keeps_every_microsecond(span: timedelta) -> None:
    assert parse_duration(seconds(span)) == span
