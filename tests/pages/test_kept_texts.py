"""What pages keep of what they rendered, and the words of countdowns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Template

from matches.pages.templatetags.components import iso
from matches.pages.templatetags.match_tags import time_left

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_seats_of_many_boards_that_are_watched_at_once_are_kept() -> None:
    rendered: list[int] = []

    class Seat:
        def __init__(self, number: int) -> None:
            self.number = number

        @property
        def text(self) -> str:
            rendered.append(self.number)
            return "x" * 800

    template = Template("{% load match_tags %}{% cached seat.number %}{{ seat.text }}{% endcached %}")
    for _ in range(2):
        for number in range(3000):
            template.render(Context({"seat": Seat(number)}))
    assert rendered == list(range(3000))


def test_a_block_that_names_a_dict_is_kept_until_something_in_it_changes() -> None:
    rendered: list[int] = []

    class Votes:
        def __init__(self, **given: int) -> None:
            self.given = given

        @property
        def text(self) -> str:
            rendered.append(len(rendered))
            return ",".join(self.given)

    template = Template("{% load match_tags %}{% cached votes.given %}{{ votes.text }}{% endcached %}")
    for votes in (Votes(ann=1, bob=2), Votes(ann=1, bob=2), Votes(bob=2, ann=1), Votes(ann=1, bob=True)):
        assert template.render(Context({"votes": votes})) == ",".join(votes.given)
    assert rendered == [0, 1, 2]


def left(seconds: int | None, verb: str = "", *, short: bool = False, paused: bool = False, speed: int = 1) -> str:
    instant = None if seconds is None else NOON + timedelta(seconds=seconds)
    times = SimpleNamespace(stands_still=False, paused_at=NOON if paused else None, instant=lambda _: instant)
    context: Any = {"now": NOON + timedelta(hours=paused), "times": times, "match": SimpleNamespace(speed=speed)}
    return time_left(context, 1.0, verb, short=short)


@pytest.mark.parametrize(
    ("html", "words"),
    [
        (left(30), ("urgent", "in 30 s")),
        (left(30, short=True), ("urgent", "30 s")),
        (left(0), ("passed", "time is up")),
        (left(3600), ("soon", "in 1 h")),
        (left(3600, paused=True), ("paused", "1 h left, paused")),
        (left(86400, "wins"), ("calm", "<span>wins</span> ")),
        (left(86400, "<b>"), ("calm", "<span>&lt;b&gt;</span> ")),
    ],
)
def test_a_countdown_says_how_urgent_it_is(html: str, words: tuple[str, str]) -> None:
    urgency, said = words
    assert f'data-urgency="{urgency}"' in html
    assert said in html


def test_a_countdown_tells_scripts_all_that_they_need_to_count_on() -> None:
    assert left(30, short=True, paused=True) == (
        '<span class="time-left" data-deadline="2026-03-01T12:00:30+00:00" data-urgency="paused"'
        ' data-paused="2026-03-01T12:00:00+00:00">'
        '<span class="time-left__left" data-deadline-left="short">30 s left, paused</span> '
        '<time class="time-left__at" datetime="2026-03-01T12:00:30+00:00" data-moment="short"'
        ' title="Sun 1 Mar, 12:00 UTC">Sun 12:00 UTC</time></span>'
    )
    assert left(None) == ""


def test_a_moment_has_no_more_digits_than_html_knows() -> None:
    said = [iso(NOON), iso(NOON.replace(microsecond=236802))]
    assert [each.removeprefix(f"{NOON:%Y-%m-%dT%H:%M:%S}") for each in said] == ["+00:00", ".236+00:00"]
