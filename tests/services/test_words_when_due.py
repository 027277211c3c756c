"""Words that are said in the very moment in which a start or a deadline is due: both are stored."""

from __future__ import annotations

import pytest

from matches.models import Match
from matches.services import hosting
from matches.services.deadlines import advance, sweep
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def say(table: Table) -> None:
    hosting.announce(table.match, table.host, "announcement", "Good luck.")


def test_a_deadline_that_is_due_is_stored_with_what_was_said(table: Table) -> None:
    table.at(2 * DAY)
    say(table)
    assert verify(table.match) == []
    assert advance(table.match_id) == 0, "nothing is left to pass"


def test_a_match_begins_behind_an_announcement_at_its_start(present) -> None:
    table = Table(present)
    hosting.publish(table.match, table.host, starts_at=present.instant + HOUR)
    table.at(HOUR)
    say(table)
    sweep()
    assert table.match.status == Match.Status.OPEN
    assert table.state.core.phase == "running"
    assert verify(table.match) == []
