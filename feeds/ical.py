"""A calendar as iCalendar (RFC 5545). Times are UTC; there are no alarms, which people set in their own calendars."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from feeds.models import CalendarEvent
from matches.models import Match

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
