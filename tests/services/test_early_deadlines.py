"""`verify` finds a deadline that somebody passed before its time, as far as the log shows it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.models import Outage
from matches.services import deadlines, hosting
from matches.services.deadlines import sweep
from matches.services.replay import verify
from matches.services.verification.deadlines import compare
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR

pytestmark = pytest.mark.django_db


def test_one_passed_by_a_clock_that_is_ahead_shows_by_what_comes_behind_it(table):
    table.act("ann", "bid", amount=1)
    table.at(DAY + timedelta(minutes=1)).advance()  # by a clock that is two minutes ahead
    assert compare(table.match) == []
    table.at(DAY - timedelta(minutes=1)).act("ann", "bid", amount=2)
    last = table.match.log_count
    assert compare(table.match) == [
        f"Row {last - 1} passes a deadline before its time: row {last} was received before that."
    ]
    assert compare(table.match)[0] in verify(table.match)


def test_one_that_a_host_closes_early_is_not_early(table):
    table.act("ann", "bid", amount=1)
    hosting.close_deadline(table.match, table.host)
    table.at(HOUR).act("ann", "bid", amount=1)
    assert compare(table.match) == []


def test_an_extension_for_an_outage_that_nobody_noted_is_found(table, settings, monkeypatch):
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), 12 * HOUR
    monkeypatch.setattr(deadlines, "_looked_after", None)
    table.at(20 * HOUR)
    sweep()
    table.at(30 * HOUR)
    sweep()
    assert verify(table.match) == []
    Outage.objects.update(since=START)
    assert [line for line in verify(table.match) if "outage" in line] == [
        f"Row {table.match.log_count} moves deadlines for an outage that was not noted."
    ]
