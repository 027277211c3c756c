"""What a calendar shows of a person's matches, read back with icalendar."""

from datetime import datetime, timedelta

import pytest
from icalendar import Calendar, Event

from matches.models import Match, clock
from matches.services import hosting
from notices.calendars import Deadline, as_ical
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


def test_what_has_been_done_is_gone_and_comes_back_when_it_is_asked_again(table: Table, ann_s: Subscribed) -> None:
    asked, opens = ann_s.read()
    table.bid("ann", "Z", 3)
    assert [event["uid"] for event in ann_s.read()] == [opens["uid"]]
    assert table.act("ann", "withdraw").accepted
    assert [event["uid"] for event in ann_s.read()] == [asked["uid"], opens["uid"]]


def test_extended_paused_and_resumed_again_and_again_it_is_one_event_whose_sequence_rises(table: Table) -> None:
    calendar, dora = Subscribed(table, "ann"), table.users["dora"]
    table.at(24)
    due = calendar.one()
    sequence, at = due["sequence"], start_of(due)

    def changed(status: str) -> datetime:
        nonlocal sequence
        event = calendar.one()
        assert event["uid"] == due["uid"]
        assert event["sequence"] > sequence
        assert event["status"] == status
        sequence = event["sequence"]
        return start_of(event)

    for _ in range(3):
        table.present.forward(timedelta(minutes=1))
        hosting.extend(table.match, dora, HOUR)
        at += HOUR
        assert changed("CONFIRMED") == at
        hosting.pause(table.match, dora)
        assert changed("TENTATIVE") == at
        table.present.forward(timedelta(minutes=30))
        hosting.resume(table.match, dora)
        at += timedelta(minutes=30)
        assert changed("CONFIRMED") == at
    assert table.match.next_deadline_at == at


def start_of(event: Event) -> datetime:
    at: datetime = event.decoded("dtstart")
    return at


def test_nothing_is_to_come_in_a_match_that_is_cancelled_or_that_one_has_left(
    db: None, present: clock.FixedTime
) -> None:
    from matches.services.joining import leave

    table = Table(present)
    hosting.publish(table.match, table.users["dora"], START + 5 * HOUR)
    calendars = [Subscribed(table, name) for name in ("ann", "bob")]
    assert [start_of(calendar.one()) for calendar in calendars] == [START + 5 * HOUR] * 2
    leave(table.match, table.users["bob"])
    assert [len(calendar.read()) for calendar in calendars] == [1, 0]
    hosting.cancel(table.match, table.users["dora"], "no players left")
    assert calendars[0].read() == []


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
    from notices.calendars import _summary

    match = Match(title=title)
    text = as_ical(title, [Deadline(match, "1", START, True, _summary(match, "deadline"), description)])
    (read,) = Calendar.from_ical(text).walk("VEVENT")
    return text, read


def test_a_calendar_is_the_same_whatever_others_do_in_secret(table: Table) -> None:
    calendar = Subscribed(table, "ann")
    before = calendar.get().content
    table.bid("bob", "Z", 5)
    table.act("cat", "bid", seat="nowhere", amount=3)
    assert calendar.get().content == before
