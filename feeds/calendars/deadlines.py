"""Which deadlines a person's calendar should show of a match, from what this person may see of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.conf import settings

from feeds.models import CalendarEvent
from feeds.plain import plain
from matches.infra.moments import moment_in_words
from matches.models import Match, clock
from matches.pages.context import MatchTimes
from matches.queries.access import Viewer
from matches.queries.legible import legible
from matches.queries.matches import Position

START = "start"
_MICROSECOND = timedelta(microseconds=1)
Status = CalendarEvent.Status


class Deadline(NamedTuple):
    """A moment that is still to come. `key` stays the same when it moves."""

    key: str
    at: datetime
    status: Status
    summary: str
    description: str


def deadlines_of(viewer: Viewer) -> list[Deadline] | None:
    """What is to come in a match for its viewer; None if this site does not know the match's rules, or they fail.

    Summaries are shown on lock screens: they say neither what is asked nor whether it has been done.
    """
    match = viewer.match
    if match.status == Match.Status.SCHEDULED:
        return [_start(match, match.starts_at)] if match.starts_at and not match.start_problem else []
    if match.status not in (Match.Status.OPEN, Match.Status.PAUSED):
        return []
    return legible(match, partial(_asked_of, viewer))


def _asked_of(viewer: Viewer, position: Position) -> list[Deadline] | None:
    match = viewer.match
    if position.public is None:
        return None
    asked: dict[int | float, list[str]] = {}
    if position.public.next_deadline is not None:
        asked[position.public.next_deadline] = []
    private = position.private_of(viewer.player)
    for ask in private.asked if private else ():
        if ask.until is not None:
            asked.setdefault(ask.until, []).append(ask.text)
    times = MatchTimes(match, clock.now())
    return [
        _deadline(match, key_of(time), at, texts)
        for time, texts in asked.items()
        if not times.has_passed(time) and (at := times.instant(time)) is not None
    ]


def key_of(time: int | float) -> str:
    """The key of a deadline at a match time (seconds)."""
    return str(timedelta(seconds=time) // _MICROSECOND)


def time_of(key: str) -> timedelta | None:
    """The match time of a deadline's key; None for the start."""
    return None if key == START else int(key) * _MICROSECOND


def page_of(match: Match) -> str:
    """The whole address of a match's page."""
    return f"{settings.SITE_URL}{match.get_absolute_url()}"


def _start(match: Match, at: datetime) -> Deadline:
    return Deadline(START, at, Status.CONFIRMED, _summary(match, "the match begins"), page_of(match))


def _deadline(match: Match, key: str, at: datetime, asked: list[str]) -> Deadline:
    lines, status, word = [plain(text) for text in asked] or ["A deadline of this match."], Status.CONFIRMED, "deadline"
    if match.status == Match.Status.PAUSED:
        status, word = Status.TENTATIVE, "deadline (paused)"
        until = f" It goes on at the latest {moment_in_words(match.resumes_at)}." if match.resumes_at else ""
        lines = [f"The match is paused. When it goes on, this deadline gets a later time.{until}", *lines]
    return Deadline(key, at, status, _summary(match, word), "\n".join([*lines, page_of(match)]))


def _summary(match: Match, word: str) -> str:
    return f"{plain(match.title)}: {word}"
