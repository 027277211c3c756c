"""What a calendar shows of a person's matches, read back with icalendar."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar, Event

from feeds.calendars import as_ical
from feeds.models import CalendarAddress, CalendarEvent
from matches.models import Match, clock
from matches.services import hosting
from tests.feeds.conftest import Subscribed
from tests.fixtures.present import START
from tests.web.conftest import Table

HOUR = timedelta(hours=1)
SEALING_ENDS, OPENS = START + 23 * HOUR, START + 24 * HOUR


def test_what_is_asked_and_the_match_s_own_deadline_are_events_in_utc(table: Table, ann_s: Subscribed) -> None:
    asked, opens = ann_s.read()
    assert (asked.decoded("dtstart"), opens.decoded("dtstart")) == (SEALING_ENDS, OPENS)
    assert asked["dtstart"].to_ical() == b"20260302T130000Z"
    assert asked["summary"] == opens["summary"] == "Night table: deadline"
    assert asked["description"].splitlines()[0] == "You can make one sealed bid, judged when the auction opens."
    assert asked["url"] == f"http://127.0.0.1:8000{table.url}"
    assert not asked.walk("VALARM")


def test_what_has_been_done_is_withdrawn_and_comes_back_when_it_is_asked_again(table: Table, ann_s: Subscribed) -> None:
    (before, _) = ann_s.read()
    table.bid("ann", "Z", 3)
    (done, _) = ann_s.read()
    assert done["uid"] == before["uid"]
    assert (done["status"], done["sequence"]) == ("CANCELLED", 1)
    assert table.act("ann", "withdraw").accepted
    (again, _) = ann_s.read()
    assert (again["status"], again["sequence"]) == ("CONFIRMED", 2)


def test_ten_times_extended_paused_and_resumed_it_is_one_event_whose_sequence_rises(table: Table) -> None:
    calendar, dora = Subscribed(table, "ann"), table.users["dora"]
    table.at(24)
    due = next(event for event in calendar.read() if event["status"] == "CONFIRMED" and start_of(event) > clock.now())
    uid, sequence, known = due["uid"], due["sequence"], len(calendar.read())
    at = due.decoded("dtstart")

    def changed(status: str) -> Event:
        nonlocal sequence
        (event,) = [each for each in calendar.read() if each["uid"] == uid]
        assert event["sequence"] > sequence
        assert event["status"] == status
        assert event.decoded("last-modified") == clock.now()
        sequence = event["sequence"]
        return event

    for _ in range(10):
        table.present.forward(timedelta(minutes=1))
        hosting.extend(table.match, dora, HOUR)
        at += HOUR
        assert start_of(changed("CONFIRMED")) == at
        hosting.pause(table.match, dora)
        assert start_of(changed("TENTATIVE")) == at
        table.present.forward(timedelta(minutes=30))
        hosting.resume(table.match, dora)
        at += timedelta(minutes=30)
        assert start_of(changed("CONFIRMED")) == at
    assert len(calendar.read()) == known
    assert table.match.next_deadline_at == at


def start_of(event: Event) -> datetime:
    at: datetime = event.decoded("dtstart")
    return at


def test_a_cancelled_match_cancels_what_was_to_come(table: Table, ann_s: Subscribed) -> None:
    ann_s.read()
    hosting.cancel(table.match, table.users["dora"], "no players left")
    assert [str(event["status"]) for event in ann_s.read()] == ["CANCELLED", "CANCELLED"]
    table.present.forward(timedelta(days=3))
    assert [str(event["status"]) for event in ann_s.read()] == ["CANCELLED", "CANCELLED"]


def test_a_player_who_leaves_is_told_that_it_is_withdrawn(db: None, present: clock.FixedTime) -> None:
    from matches.services.joining import leave

    table = Table(present)
    hosting.publish(table.match, table.users["dora"], START + 5 * HOUR)
    calendar = Subscribed(table, "bob")
    assert calendar.one()["status"] == "CONFIRMED"
    leave(table.match, table.users["bob"])
    assert calendar.one()["status"] == "CANCELLED"


@pytest.mark.parametrize("before", ["", "x" * 70, "é" * 60])
def test_odd_titles_are_folded_and_escaped(table: Table, before: str) -> None:
    title = f"{before}a;b,c\\d: “ü” 牌\U0001f0cf\r\nBEGIN:VALARM\x00"[:120]
    text, event = told(title, "One; two, three\\four\nline two")
    assert b"\r\nBEGIN:VALARM" not in text
    assert max(map(len, text.split(b"\r\n"))) <= 75
    assert all(line.startswith((b" ", b"BEGIN", b"END")) or b":" in line for line in text.split(b"\r\n")[:-1])
    assert event["summary"] == title.split("\r")[0] + " BEGIN:VALARM: deadline"
    assert event["description"] == "One; two, three\\four\nline two"


def told(title: str, description: str) -> tuple[bytes, Event]:
    """The text of a calendar with one event of a match with that title, and the event read back."""
    from feeds.calendars import _summary

    match, now = Match(title=title), datetime(2026, 3, 1, tzinfo=UTC)
    event = CalendarEvent(match=match, key="1", at=now, created_at=now, changed_at=now, status="CONFIRMED")
    event.summary, event.description = _summary(match, "deadline"), description
    text = as_ical(title, [event])
    (read,) = Calendar.from_ical(text).walk("VEVENT")
    return text, read


def test_a_summary_never_says_what_is_asked_or_done(table: Table, ann_s: Subscribed) -> None:
    before = {str(event["summary"]) for event in ann_s.read()}
    table.bid("ann", "Z", 3)
    assert {str(event["summary"]) for event in ann_s.read()} == before == {"Night table: deadline"}


def test_a_calendar_is_the_same_whatever_others_do_in_secret(table: Table) -> None:
    calendar = Subscribed(table, "ann")
    before = calendar.get().content
    table.bid("bob", "Z", 5)
    table.act("cat", "bid", seat="nowhere", amount=3)
    assert calendar.get().content == before
    again = CalendarAddress.objects.get()
    again.events.all().delete()
    assert calendar.get().content == before


def test_what_was_read_from_a_later_position_stays(table: Table, ann_s: Subscribed, monkeypatch: Any) -> None:
    """Two programs ask at once, and the one that looked first writes last."""
    from feeds import calendars

    late = calendars._coming(ann_s.address, table.match), table.match
    hosting.extend(table.match, table.users["dora"], HOUR)
    ann_s.read()
    monkeypatch.setattr(calendars, "_coming", lambda address, match: late[0])
    calendars._bring_up(ann_s.address, late[1])
    monkeypatch.undo()
    assert [start_of(event) for event in ann_s.read()] == [SEALING_ENDS + HOUR, OPENS + HOUR]
