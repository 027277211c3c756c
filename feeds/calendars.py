"""A person's calendar: the deadlines of their matches, from what they may see, and what calendars were told of them.

That is kept, so that they hear of every change and of what is withdrawn, and brought up to date when a calendar asks:
nothing of this costs anything while a match is played.
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
from feeds.models import CalendarAddress, CalendarEvent
from matches.engine.step import EVERYONE
from matches.infra.text import moment_in_words
from matches.models import Match, Player, clock
from matches.pages.context import MatchTimes
from matches.queries import access, lists
from matches.queries.access import Viewer, legible
from matches.queries.matches import Position
from matches.services import deadlines as due

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


def _start(match: Match, at: datetime) -> Deadline:
    return Deadline(START, at, Status.CONFIRMED, _summary(match, "the match begins"), page_of(match))


def _deadline(match: Match, key: str, at: datetime, asked: list[str]) -> Deadline:
    lines, status, word = [plain(text) for text in asked] or ["A deadline of this match."], Status.CONFIRMED, "deadline"
    if match.status == Match.Status.PAUSED:
        status, word = Status.TENTATIVE, "deadline (paused)"
        until = f" It resumes {moment_in_words(match.resumes_at)} at the latest." if match.resumes_at else ""
        lines = [f"The match is paused. When it resumes, this deadline moves.{until}", *lines]
    return Deadline(key, at, status, _summary(match, word), "\n".join([*lines, page_of(match)]))


def _summary(match: Match, word: str) -> str:
    return f"{plain(match.title)}: {word}"


KEPT = timedelta(days=60)
"""How long past and withdrawn events stay in calendars."""

_MOST_MATCHES = 100
_MOST_EVENTS = 500


def events_of(address: CalendarAddress) -> list[CalendarEvent]:
    """The events of a calendar, brought up to now, in the order of their times."""
    for match in _matches_of(address):
        _bring_up(address, match)
    newest = address.events.filter(at__gt=clock.now() - KEPT).select_related("match").order_by("-at", "-pk")
    return list(reversed(newest[:_MOST_EVENTS]))


def _matches_of(address: CalendarAddress) -> list[Match]:
    """A person's matches that are not over, and others of which the calendar still shows something as coming."""
    matches = {mine.match.pk: mine.match for mine in lists.my_open_matches(address.user, _MOST_MATCHES)}
    pending = address.events.filter(settled=False, at__gt=clock.now() - KEPT).exclude(match__in=matches)
    others = pending.order_by("-at").values_list("match", flat=True)[:_MOST_MATCHES]
    return [*matches.values(), *Match.objects.filter(pk__in=list(others))]


def _bring_up(address: CalendarAddress, match: Match) -> None:
    """Write what has changed in one match."""
    if due.advance_if_due(match):
        match.refresh_from_db()
    coming = _coming(address, match)
    if coming is None or not _changed(address, match, coming):
        return
    with transaction.atomic():
        CalendarAddress.objects.select_for_update().filter(pk=address.pk).first()  # two programs may ask at once
        changed = _changed(address, match, coming)
        CalendarEvent.objects.bulk_create([event for event in changed if event.pk is None])
        CalendarEvent.objects.bulk_update([event for event in changed if event.pk is not None], _CHANGING)
        address.events.filter(match=match, at__lt=clock.now() - 2 * KEPT).delete()


def _coming(address: CalendarAddress, match: Match) -> list[Deadline] | None:
    """What is to come in a match, for this calendar: nothing where its person does not play; None if nobody knows."""
    viewer = access.viewer_of(match, address.user)
    return deadlines_of(viewer) if viewer.player else []


_SHOWN = ("at", "status", "summary", "description")
_CHANGING = (*_SHOWN, "sequence", "changed_at", "head", "settled")


def _changed(address: CalendarAddress, match: Match, coming: Iterable[Deadline]) -> list[CalendarEvent]:
    """The events that are new or no longer as they are stored, with their new contents."""
    now, changed = clock.now(), []
    stored = {event.key: event for event in address.events.filter(match=match)}
    wanted = {deadline.key: dict(zip(_SHOWN, deadline[1:], strict=True)) for deadline in coming}
    for key, shown in wanted.items():
        event = stored.get(key)
        if event is None:
            event = CalendarEvent(address=address, match=match, key=key, created_at=now, changed_at=now, **shown)
            event.head = match.log_count
            changed.append(event)
        elif _change(event, match, now, **shown, settled=False):
            changed.append(event)
    for key, event in stored.items():
        if key not in wanted and _change(event, match, now, **_ended(match, event)):
            changed.append(event)
    return changed


def _change(event: CalendarEvent, match: Match, now: datetime, *, settled: bool, **shown: Any) -> bool:
    """Let an event say this; whether it was different. What another reader has stored from a later position of the
    match stays."""
    if event.settled or event.head > match.log_count:
        return False
    differs = any(getattr(event, name) != value for name, value in shown.items())
    if not differs and event.settled == settled:
        return False
    for name, value in shown.items():
        setattr(event, name, value)
    event.settled, event.head = settled, match.log_count
    if differs:
        event.sequence, event.changed_at = event.sequence + 1, now
    return True


def _ended(match: Match, event: CalendarEvent) -> dict[str, Any]:
    """What becomes of an event that is no longer to come: it has passed, or it was withdrawn, perhaps because what was
    asked until then has been done."""
    passed, at = _passed(match, event)
    stays = passed and (event.key == START or event.status != Status.CANCELLED)
    status = Status.CONFIRMED if stays else Status.CANCELLED
    return {"status": status, "at": at or event.at, "settled": passed or match.is_over}


def _passed(match: Match, event: CalendarEvent) -> tuple[bool, datetime | None]:
    """Whether a moment has come before the match ended, and when that was, if it is known exactly."""
    if event.key == START:
        return match.has_begun, match.opened_at
    time = int(event.key) * _MICROSECOND
    times, seconds = MatchTimes(match, clock.now()), time.total_seconds()
    if not times.has_passed(seconds):
        return False, None
    if (at := times.past(seconds)) is not None:
        return True, at
    # The clock has been moved since then. What everybody was told at that match time says when it was.
    told = match.announcements.filter(audience=EVERYONE, match_time=time).first()
    return True, told.at if told else None


def forget_place(player: Player, left: Any, **_: Any) -> None:
    """A receiver of `matches.services.signals.place_changed_hands`: what somebody was asked in that place is no longer
    in their calendar."""
    if left is not None:
        CalendarEvent.objects.filter(address__user=left, match_id=player.match_id).delete()


@transaction.atomic
def make_address(user: User) -> CalendarAddress:
    """A new address; the one that the person had before no longer works."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()  # two clicks at once
    address = CalendarAddress.objects.filter(user=user).first() or CalendarAddress(user=user)
    address.renew()
    address.save()
    return address


def revoke_address(user: User) -> bool:
    """Let a person's address stop working; whether there was one."""
    return bool(CalendarAddress.objects.filter(user=user).delete()[0])


def find_address(secret: str) -> CalendarAddress | None:
    """The address with this secret; None if there is none, or its owner's account is closed."""
    found = CalendarAddress.objects.filter(digest=CalendarAddress.digest_of(secret), user__is_active=True)
    return found.select_related("user").first()


# -- iCalendar (RFC 5545) ------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from icalendar import Event


_NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters
_NONCHARACTERS = "\ufffe\uffff"


def plain(text: str) -> str:
    """The text in one line, without what neither XML nor iCalendar can hold."""
    fit = (" " if unicodedata.category(each) in _NO_TEXT or each in _NONCHARACTERS else each for each in text)
    return " ".join("".join(fit).split())


def page_of(match: Match) -> str:
    """The whole address of a match's page."""
    return f"{settings.SITE_URL}{match.get_absolute_url()}"


_ASK_AGAIN = timedelta(hours=1)


def as_ical(name: str, events: Iterable[CalendarEvent]) -> bytes:
    """The text of a calendar with these events. The same events give the same bytes."""
    from icalendar import Calendar, vText  # it takes long to import, and few processes ever need it

    calendar = Calendar()
    calendar.add("prodid", "-//Genius//Matches//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    for key in ("name", "x-wr-calname"):
        calendar.add(key, vText(plain(name)))  # these are not escaped by themselves
    calendar.add("refresh-interval", _ASK_AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(_component(event))
    text: bytes = calendar.to_ical()
    return text


def _component(event: CalendarEvent) -> Event:
    from icalendar import Event

    component = Event()
    component.add("uid", f"{event.key}.{event.match.public_id}@{urlsplit(settings.SITE_URL).hostname}")
    component.add("dtstamp", event.changed_at)
    component.add("created", event.created_at)
    component.add("last-modified", event.changed_at)
    component.add("sequence", event.sequence)
    component.add("status", event.status)
    component.add("dtstart", event.at)
    component.add("summary", event.summary)
    component.add("description", event.description)
    component.add("url", page_of(event.match))
    component.add("class", "PRIVATE")
    component.add("transp", "TRANSPARENT")
    return component
