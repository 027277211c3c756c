"""A person's calendar: the coming deadlines of their matches, as iCalendar. It contains only what they may see.

It is made whenever a calendar program asks, and replaces what that program had before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from accounts.models import User
from matches.infra.text import moment_in_words
from matches.models import Match, clock
from matches.pages.context import MatchTimes
from matches.queries import access, lists
from matches.queries.access import Viewer, legible
from matches.queries.matches import Position
from matches.services import deadlines as due
from notices.models import CalendarAddress

START = "start"
_MICROSECOND = timedelta(microseconds=1)


class Deadline(NamedTuple):
    """A coming deadline. `key` stays the same when it moves; `is_sure` is false while the match is paused."""

    match: Match
    key: str
    at: datetime
    is_sure: bool
    summary: str
    description: str


def deadlines_of(viewer: Viewer) -> list[Deadline] | None:
    """Return the coming deadlines of a match for its viewer; None if its rules are missing on this site, or fail.

    Lock screens show the summaries, so these say neither what is asked nor whether it has been done.
    """
    match = viewer.match
    if match.status == Match.Status.SCHEDULED:
        return [_start(match, match.starts_at)] if match.starts_at and not match.start_problem else []
    if match.status not in Match.RUNNING:
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
    """Return the key of a deadline at a match time (seconds)."""
    return str(timedelta(seconds=time) // _MICROSECOND)


def _start(match: Match, at: datetime) -> Deadline:
    return Deadline(match, START, at, True, _summary(match, "the match begins"), page_of(match))


def _deadline(match: Match, key: str, at: datetime, asked: list[str]) -> Deadline:
    lines, word = [plain(text) for text in asked] or ["A deadline of this match."], "deadline"
    is_paused = match.status == Match.Status.PAUSED
    if is_paused:
        word = "deadline (paused)"
        until = f" It resumes on {moment_in_words(match.resumes_at)} at the latest." if match.resumes_at else ""
        lines = [f"The match is paused. When it resumes, this deadline moves.{until}", *lines]
    return Deadline(match, key, at, not is_paused, _summary(match, word), "\n".join([*lines, page_of(match)]))


def _summary(match: Match, word: str) -> str:
    return f"{plain(match.title)}: {word}"


_MOST_MATCHES = 100


def events_of(user: User) -> list[Deadline]:
    """Return the coming deadlines of a person's matches, earliest first."""
    found: list[Deadline] = []
    for mine in lists.my_open_matches(user, _MOST_MATCHES):
        if due.advance_if_due(mine.match):
            mine.match.refresh_from_db()
        viewer = access.viewer_of(mine.match, user)
        found += (viewer.player and deadlines_of(viewer)) or []
    return sorted(found, key=lambda each: (each.at, each.match.pk))


@transaction.atomic
def make_address(user: User) -> CalendarAddress:
    """Make a new calendar address; the person's earlier one stops working."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()  # two clicks at once
    address = CalendarAddress.objects.filter(user=user).first() or CalendarAddress(user=user)
    address.renew()
    address.save()
    return address


def revoke_address(user: User) -> bool:
    """Remove a person's calendar address; return whether there was one."""
    return bool(CalendarAddress.objects.filter(user=user).delete()[0])


def find_address(secret: str) -> CalendarAddress | None:
    """Return the calendar address with this secret; None if there is none, or its owner's account is closed."""
    found = CalendarAddress.objects.filter(digest=CalendarAddress.digest_of(secret), user__is_active=True)
    return found.select_related("user").first()


# -- iCalendar (RFC 5545) ------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from icalendar import Event


_NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters
_NONCHARACTERS = "\ufffe\uffff"


def plain(text: str) -> str:
    """Return the text in one line, without characters that XML or iCalendar cannot hold."""
    fit = (" " if unicodedata.category(each) in _NO_TEXT or each in _NONCHARACTERS else each for each in text)
    return " ".join("".join(fit).split())


def page_of(match: Match) -> str:
    """Return the absolute URL of a match's page."""
    return f"{settings.SITE_URL}{match.get_absolute_url()}"


_ASK_AGAIN = timedelta(hours=1)


def as_ical(name: str, events: Iterable[Deadline]) -> bytes:
    """Return a calendar with these events. Within an hour, the same events give the same bytes."""
    from icalendar import Calendar, vText  # it takes long to import, and few processes ever need it

    calendar = Calendar()
    calendar.add("prodid", "-//Genius//Matches//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    for key in ("name", "x-wr-calname"):
        calendar.add(key, vText(plain(name)))  # icalendar does not escape these itself
    calendar.add("refresh-interval", _ASK_AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    made_at = clock.now().replace(minute=0, second=0, microsecond=0)
    for event in events:
        calendar.add_component(_component(event, made_at))
    text: bytes = calendar.to_ical()
    return text


def _component(event: Deadline, made_at: datetime) -> Event:
    from icalendar import Event

    component = Event()
    component.add("uid", f"{event.key}.{event.match.public_id}@{urlsplit(settings.SITE_URL).hostname}")
    component.add("dtstamp", made_at)
    component.add("sequence", event.match.public_version)  # rises with each change that moves a deadline
    component.add("status", "CONFIRMED" if event.is_sure else "TENTATIVE")
    component.add("dtstart", event.at)
    component.add("summary", event.summary)
    component.add("description", event.description)
    component.add("url", page_of(event.match))
    component.add("class", "PRIVATE")
    component.add("transp", "TRANSPARENT")
    return component


def export(user: Any) -> list[dict[str, Any]]:
    """Return what the export of an account contains about the person's calendar."""
    return [{"made_at": each.made_at} for each in CalendarAddress.objects.filter(user=user)]
