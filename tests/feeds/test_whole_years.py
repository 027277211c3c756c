"""A daily deadline through three years in twenty zones: pages, mails and calendars tell one and the same minute."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from feeds.calendars.ical import as_ical
from feeds.models import CalendarEvent
from matches.infra.moments import moment_in_words
from matches.models import Match
from matches.models.usual_hour import UsualHour
from notices.channels import wording

FIRST, LAST = date(2027, 1, 1), date(2029, 12, 31)  # with 29 February 2028
DAY = timedelta(days=1)
ZONES = {  # each with another hour, some of which are missing or come twice when clocks change
    "UTC": "00:00",
    "Europe/Berlin": "02:30",
    "Europe/London": "01:30",
    "Europe/Lisbon": "23:59",
    "Europe/Kyiv": "03:15",
    "Africa/Casablanca": "02:30",
    "Africa/Cairo": "00:00",
    "America/New_York": "02:00",
    "America/Los_Angeles": "14:00",
    "America/St_Johns": "01:59",
    "America/Sao_Paulo": "20:00",
    "America/Santiago": "00:00",
    "America/Havana": "00:30",
    "Asia/Kolkata": "09:30",
    "Asia/Kathmandu": "12:45",
    "Asia/Beirut": "00:00",
    "Australia/Lord_Howe": "02:15",
    "Australia/Adelaide": "02:45",
    "Pacific/Auckland": "02:30",
    "Pacific/Chatham": "03:00",
}


def days() -> list[date]:
    return [FIRST + DAY * number for number in range((LAST - FIRST).days + 1)]


def by_hand(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The first instant at which clocks there show that time, found by looking at each; where none do, the one that is
    as much later as the clocks go forward."""
    bare = datetime.combine(day, hour)
    offsets = sorted({zone.utcoffset(bare.replace(fold=fold)) for fold in (0, 1)}, reverse=True)  # type: ignore[type-var]
    for offset in offsets:
        at = (bare - offset).replace(tzinfo=UTC)  # type: ignore[operator]
        if at.astimezone(zone).replace(tzinfo=None) == bare:
            return at
    return (bare - offsets[-1]).replace(tzinfo=UTC)  # type: ignore[operator]


def in_words(told: str, at: datetime) -> datetime:
    """The instant that “Sat 21 Nov, 14:00 UTC” tells in that year."""
    found = datetime.strptime(f"{at.year} {told}", "%Y %a %d %b, %H:%M UTC").replace(tzinfo=UTC)
    assert f"{found:%a}" == told[:3]
    return found


def in_a_mail(told: str, zone: ZoneInfo) -> set[datetime]:
    """The instants that “Mon 2 Mar 2026, 00:30 CET (Sun 1 Mar 2026, 23:30 UTC)” tells: by clocks there, and by UTC."""
    here, _, utc = told.removesuffix(")").partition(" (")
    if not utc:
        return {datetime.strptime(here, "%a %d %b %Y, %H:%M UTC").replace(tzinfo=UTC)}
    day = here.partition(", ")[0]
    there = datetime.strptime(here.rpartition(" ")[0], "%a %d %b %Y, %H:%M").replace(tzinfo=zone)
    of_utc = utc if ", " in utc else f"{day}, {utc}"
    told_by_utc = datetime.strptime(of_utc, "%a %d %b %Y, %H:%M UTC").replace(tzinfo=UTC)
    local = {there.replace(fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {told_by_utc} if told_by_utc in local else local | {told_by_utc}


@cache
def closes() -> dict[str, list[datetime]]:
    found = {}
    for name, hour in ZONES.items():
        usual = UsualHour.read(hour, name)
        assert usual is not None
        found[name] = [usual.on(day) for day in days()]
    return found


def test_each_close_is_the_instant_that_clocks_there_show() -> None:
    for name, hour in ZONES.items():
        zone, at = ZoneInfo(name), time.fromisoformat(hour)
        assert closes()[name] == [by_hand(day, at, zone) for day in days()], name


def test_pages_and_mails_tell_that_minute() -> None:
    for name, instants in closes().items():
        zone = ZoneInfo(name)
        for at in instants:
            assert in_words(moment_in_words(at), at) == at, (name, at)
            assert in_a_mail(wording.moment(at, name), zone) == {at}, (name, at)


def _changes(instants: list[datetime]) -> list[datetime]:
    """Those around a change of the clocks, around 29 February and at the turn of a year."""
    odd = {number for number in range(1, len(instants)) if instants[number] - instants[number - 1] != DAY}
    near = {number + step for number in odd for step in (-1, 0, 1)}
    return [
        at for number, at in enumerate(instants) if number in near or (at.month, at.day) in {(2, 29), (12, 31), (1, 1)}
    ]


def test_calendars_tell_it_too() -> None:
    match: Any = Match(public_id="abc", title="Night table")
    wanted = sorted({at for instants in closes().values() for at in _changes(instants)})
    assert len(wanted) > 300
    events = [
        CalendarEvent(
            match=match, key=str(number), at=at, changed_at=at, created_at=at, summary="x", status="CONFIRMED"
        )
        for number, at in enumerate(wanted)
    ]
    read = Calendar.from_ical(as_ical("Mine", events)).walk("VEVENT")
    assert [event.decoded("dtstart").astimezone(UTC) for event in read] == wanted


@pytest.mark.parametrize("by", [timedelta(hours=1), timedelta(minutes=1)])
def test_a_clock_that_is_wrong_is_found(by: timedelta) -> None:
    at = datetime(2028, 2, 29, 13, 30, tzinfo=UTC)
    told = wording.moment(at + by, "Europe/Berlin")
    assert in_a_mail(told, ZoneInfo("Europe/Berlin")) != {at}
    forged = wording.moment(at, "Europe/Berlin").replace("14:30", "15:30")
    assert len(in_a_mail(forged, ZoneInfo("Europe/Berlin"))) > 1
    assert in_words(moment_in_words(at + by), at) != at
