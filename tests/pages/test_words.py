"""The small words of the pages: marks, amounts, deadlines, spans of time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template

from matches.infra.text import moment_in_words
from matches.pages.texts import in_words, urgency

NOW = datetime(2031, 11, 22, 10, tzinfo=UTC)


def draw(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"),
        (899, "14 min 59 s"),
        (900, "15 min"),
        (172799, "47 h 59 min"),
        (273600, "3 days 4 h"),
    ],
)
def test_spans_are_said_by_the_two_parts_that_matter(seconds: int, words: str) -> None:
    assert in_words(seconds) == words
    assert in_words(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("left", "urgency", "words"),
    [
        (timedelta(hours=5), "calm", "in 5 h"),
        (timedelta(minutes=119), "soon", "in 1 h 59 min"),
        (timedelta(minutes=14), "urgent", "in 14 min 00 s"),
        (timedelta(0), "passed", "time is up"),
    ],
)
def test_a_deadline_grows_louder_as_it_comes_near(left: timedelta, urgency: str, words: str) -> None:
    html = draw("{% deadline at now %}", at=NOW + left, now=NOW)
    assert f'data-urgency="{urgency}"' in html
    assert words in html
    assert moment_in_words(NOW + left) in html


def test_a_deadline_is_the_same_bytes_for_viewers_everywhere() -> None:
    at = NOW + timedelta(hours=5)
    there = at.astimezone(ZoneInfo("Asia/Tokyo"))
    assert draw("{% deadline at now %}", at=at, now=NOW) == draw("{% deadline at now %}", at=there, now=NOW)


def test_equal_times_are_equally_urgent() -> None:
    minutes = (121, 119, 16, 14, 0)
    assert [urgency(timedelta(minutes=left)) for left in minutes] == ["calm", "soon", "soon", "urgent", "passed"]
