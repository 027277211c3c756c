"""After an outage, deadlines that fell into it come later, exactly once, whoever comes first; shorter gaps catch up."""

from datetime import datetime, timedelta

import pytest

from matches.models import Heartbeat, Match, Outage, clock
from matches.services import deadlines, hosting
from matches.services.deadlines import advance, advance_if_due, sweep
from matches.services.group.queue import submit
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table
from tests.services.test_by_itself import kinds, said

pytestmark = [pytest.mark.django_db]

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def rule(settings, monkeypatch) -> None:
    monkeypatch.setattr(deadlines, "_looked_after", None)
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = 10 * MINUTE, 12 * HOUR


def off(present: clock.FixedTime, since: datetime, until: datetime) -> None:
    """The site sweeps for the last time, and nobody does anything until `until`."""
    present.instant = since
    sweep()
    present.instant = until


WAYS = {
    "sweep": lambda table: sweep(),
    "page": lambda table: advance_if_due(table.match),
    "advance": lambda table: advance(table.match_id),
    "alone": lambda table: table.act("ann", "bid", amount=2),
    "group": lambda table: submit(table.match_id, table.users["ann"].pk, {"type": "bid", "amount": 2}),
    "host": lambda table: hosting.extend(table.match, table.host, HOUR),
}


@pytest.mark.parametrize("first", WAYS)
def test_whoever_comes_first_extends_and_the_next_do_not(table, present, first):
    off(present, START + 20 * HOUR, START + 30 * HOUR)
    WAYS[first](table)
    due = START + 42 * HOUR + (HOUR if first == "host" else timedelta())
    assert table.match.next_deadline_at == due, "12 h after the site was back"
    assert table.state.core.phase == "running"
    for each in WAYS:
        if each != "host":
            WAYS[each](table)
    assert table.match.next_deadline_at == due
    assert kinds(table).count("outage") == 1
    assert Outage.objects.values_list("since", "until").get() == (START + 20 * HOUR, START + 30 * HOUR)
    assert verify(table.match) == []
    for instant in (present.instant, due - MINUTE, due):
        Heartbeat.objects.update(at=instant)
        present.instant = instant
        sweep()
        assert (table.state.core.phase == "running") == (instant < due)
    assert verify(table.match) == []


def test_a_host_can_close_a_deadline_soon_after_an_outage(table, present):
    off(present, START + 1 * HOUR, START + 3 * HOUR)
    sweep()
    present.instant += HOUR
    hosting.close_deadline(table.match, table.host)
    assert kinds(table).count("outage") == 0
    assert table.match.log.filter(kind="deadline").exists()
    assert verify(table.match) == []


def test_a_shorter_gap_catches_up_as_ever(table, present):
    off(present, START + DAY - MINUTE, START + DAY + 9 * MINUTE - timedelta(microseconds=1))
    sweep()
    assert table.state.core.phase != "running"
    assert not Outage.objects.exists()


def test_a_short_deadline_comes_as_much_later_as_the_outage_was_long(present):
    table = Table(present, closes=3600.0).open()
    off(present, START + 30 * MINUTE, START + 50 * MINUTE)
    table.advance()
    assert table.match.next_deadline_at == START + HOUR, "it did not fall into the gap"
    off(present, START + 50 * MINUTE, START + 75 * MINUTE)
    table.advance()
    assert table.match.next_deadline_at == START + 85 * MINUTE, "ten minutes were left when the site went"
    assert verify(table.match) == []


def test_a_days_deadline_soon_after_an_outage_moves_as_soon_as_it_is_over(table, present):
    off(present, START - 60 * HOUR, START + 23 * HOUR)
    sweep()
    assert table.match.next_deadline_at == START + 35 * HOUR
    assert "and a deadline came soon after. So every deadline comes 11h later" in said(table, "outage")
    assert verify(table.match) == []
    later = Table(present).open()
    off(present, START + 23 * HOUR, START + 24 * HOUR)
    sweep()
    assert (kinds(later).count("outage"), kinds(table).count("outage")) == (0, 1), "not within an hour after an hour"


def test_what_was_done_during_the_outage_stays(table, present):
    """The web was there, and nobody swept."""
    off(present, START + 20 * HOUR, START + 23 * HOUR)
    assert table.act("ann", "bid", amount=3).accepted
    table.at(30 * HOUR)
    assert table.act("bob", "bid", amount=2).accepted
    assert table.match.next_deadline_at == START + 42 * HOUR
    assert verify(table.match) == []
    table.at(45 * HOUR).advance()
    assert table.state.core.phase == "running", "nobody has swept for fifteen hours more"
    sweep()
    table.at(60 * HOUR)
    sweep()
    assert Outage.objects.count() == 3
    assert verify(table.match) == []


def test_a_pause_goes_on_and_one_that_ended_in_the_outage_ended_then(table, present):
    hosting.pause(table.match, table.host, until=START + 21 * HOUR)
    other = Table(present).open()
    hosting.pause(other.match, other.host, until=START + 99 * HOUR)
    off(present, START + 20 * HOUR, START + 50 * HOUR)
    sweep()
    assert (table.match.status, other.match.status) == ("open", "paused")
    assert kinds(table)[-2:] == ["match_resumed", "outage"]
    assert table.match.next_deadline_at == START + 75 * HOUR, "45 h and the 30 h of the outage"
    assert verify(table.match) == verify(other.match) == []


def test_a_start_in_the_outage_comes_later_and_at_its_usual_hour(present):
    plain, usual = Table(present), Table(present)
    Match.objects.filter(pk=usual.match_id).update(usual_hour="15:00", usual_zone="Europe/Berlin")
    hosting.publish(plain.match, plain.host, START + DAY)
    hosting.publish(usual.match, usual.host, START + DAY)
    off(present, START + 23 * HOUR, START + 26 * HOUR)
    sweep()
    assert [table.match.starts_at - START for table in (plain, usual)] == [27 * HOUR, 2 * DAY]
    assert [table.match.status for table in (plain, usual)] == ["scheduled", "scheduled"]
    assert said(usual, "outage").endswith(
        "when this match should have begun. It begins on Tue 3 Mar, 14:00 UTC (Tue 15:00 in Europe/Berlin) instead."
    )
    present.instant = START + 27 * HOUR
    sweep()
    assert (plain.match.status, plain.match.opened_at) == ("open", START + 27 * HOUR)
    assert verify(plain.match) == []
