"""Hosts stop, hold and jump the match's clock; rules never notice."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.models import clock
from matches.models.clock import MatchClock
from matches.services import hosting
from matches.services.deadlines import sweep
from matches.services.errors import CommandRefused
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

database = [pytest.mark.django_db]
MICROSECOND = timedelta(microseconds=1)

spans = st.timedeltas(timedelta(), timedelta(days=40))
speeds = st.sampled_from([1, 7, 8, 100, 500, 999])
running = st.builds(MatchClock, spans.map(lambda span: START + span), anchor_time=spans, speed=speeds)
standing = st.builds(MatchClock, st.none(), anchor_time=spans, speed=speeds, hold_left=spans)
clocks = st.one_of(running, standing)


class TestWithAMatch:
    pytestmark = database

    def test_while_paused_nothing_is_due_and_nothing_is_taken(self, table):
        table.at(20 * HOUR)
        hosting.pause(table.match, table.host, "the host is ill")
        assert table.match.next_deadline_at is None
        table.at(50 * HOUR)
        assert sweep() == 0
        assert table.act("ann", "bid", amount=1).code == "match_paused"
        hosting.resume(table.match, table.host)
        assert table.match.next_deadline_at == START + 54 * HOUR
        assert table.act("ann", "bid", amount=1).accepted

    @pytest.mark.parametrize("by", [timedelta(), -HOUR, timedelta(days=31)])
    def test_an_extension_of_nothing_or_of_months_is_refused(self, table, by):
        with pytest.raises(CommandRefused, match="at most 30 days"):
            hosting.extend(table.match, table.host, by)

    def test_closing_early_passes_the_deadline_now_and_brings_the_next_forward(self, table):
        table.at(2 * HOUR).act("ann", "bid", amount=3)
        table.at(4 * HOUR)
        hosting.close_deadline(table.match, table.host)
        assert table.state.core.phase == "decision"
        assert table.match.next_deadline_at == START + 28 * HOUR

    def test_only_the_deadline_that_the_host_saw_is_closed_or_moved(self, table):
        table.at(HOUR).act("ann", "bid", amount=3)
        table.at(DAY)
        with pytest.raises(CommandRefused, match="moved or passed since"):
            hosting.close_deadline(table.match, table.host, expected=DAY)
        with pytest.raises(CommandRefused, match="moved or passed since"):
            hosting.extend(table.match, table.host, 2 * HOUR, expected=DAY)

    def test_a_cancelled_match_takes_nothing_and_its_clock_stands(self, table):
        table.at(HOUR)
        hosting.cancel(table.match, table.host, "too few")
        table.at(3 * DAY)
        assert sweep() == 0
        assert table.act("ann", "bid", amount=1).code == "match_cancelled"
        assert table.match.clock.time(clock.now()) == HOUR

    def test_a_command_that_comes_too_late_settles_what_was_due_first(self, table):
        table.at(2 * DAY)
        with pytest.raises(CommandRefused, match="This match is finished"):
            hosting.pause(table.match, table.host)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["pause", "resume", "extend", "wait"]), st.integers(1, 300)), min_size=1, max_size=12
    )
)
def test_whatever_hosts_do_the_deadline_comes_after_exactly_a_day_of_running_clock(new_table, steps):
    """A model that counts minutes against the real clock."""
    table = new_table()
    minute = timedelta(minutes=1)
    left, hold, paused, now = 24 * 60, 0, False, 0
    for what, minutes in steps:
        if what == "wait":
            now += minutes
            table.at(now * minute)
            if not paused:
                waited = max(minutes - hold, 0)
                hold, left = max(hold - minutes, 0), left - waited
            if left <= 0:
                break
        elif what == "extend" and not paused:
            hosting.extend(table.match, table.host, minutes * minute)
            hold += minutes
        elif what == "pause" and not paused:
            hosting.pause(table.match, table.host)
            paused = True
        elif what == "resume" and paused:
            hosting.resume(table.match, table.host)
            paused = False
    if left > 0 and not paused:
        assert table.match.next_deadline_at == START + (now + hold + left) * minute


@pytest.fixture
def new_table(db, present):
    """Makes a new table for each example, from the same start."""

    def make() -> Table:
        present.instant = START
        return Table(present).open()

    return make


@given(clocks, spans)
def test_nothing_is_early_and_the_instant_is_the_first_at_which_a_time_is_reached(some, ahead):
    time = some.anchor_time + ahead
    instant = some.instant(time)
    if some.anchor_at is None:
        assert instant is None
    else:
        assert some.time(instant) >= time
        assert not ahead or some.time(instant - MICROSECOND) < time
