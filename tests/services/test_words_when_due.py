"""Words that are said in the very moment in which a start or a deadline is due: both are stored."""

import pytest

from matches.models import Match
from matches.services import deadlines, hosting
from matches.services.deadlines import advance, sweep
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


def say(table: Table) -> None:
    hosting.announce(table.match, table.host, "announcement", "Good luck.")


def test_a_deadline_that_is_due_is_stored_with_what_was_said(table: Table) -> None:
    table.at(2 * DAY)
    say(table)
    assert verify(table.match) == []
    assert advance(table.match_id) == 0, "nothing is left to pass"


def test_a_pause_ends_behind_an_announcement_at_its_end(table, present) -> None:
    hosting.pause(table.match, table.host, reason="A break.", until=present.instant + HOUR)
    table.at(HOUR)
    say(table)
    assert table.match.next_deadline_at is not None, "otherwise nobody would ever look at the match again"
    assert verify(table.match) == []
    table.at(5 * DAY)
    sweep()
    assert table.match.log.filter(kind="deadline").exists()


@pytest.fixture
def outage(settings, monkeypatch) -> None:
    """The site sweeps now, and then no more: what falls due later than that fell into an outage."""
    monkeypatch.setattr(deadlines, "_looked_after", None)
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = HOUR / 6, 12 * HOUR
    sweep()


def test_a_start_that_an_outage_puts_off_is_stored_with_what_was_said(present, outage) -> None:
    table = Table(present)
    hosting.publish(table.match, table.host, starts_at=present.instant + HOUR)
    table.at(3 * HOUR)
    say(table)
    match = table.match
    assert match.status == Match.Status.SCHEDULED
    assert match.next_deadline_at == match.starts_at > present.instant
    assert verify(match) == []
