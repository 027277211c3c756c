"""Pauses that end by themselves, and deadlines that a host moves to the usual hour."""

from datetime import datetime, timedelta

import pytest

from matches.models import Match, clock
from matches.queries.feed import feed_line
from matches.services import hosting
from matches.services.commands import AlreadyDone
from matches.services.deadlines import advance_if_due, sweep
from matches.services.errors import CommandRefused
from matches.services.group.queue import submit
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


def berlin(present: clock.FixedTime, start: datetime, closes: timedelta, hour: str = "15:00") -> Table:
    """A match with a usual hour that has just begun."""
    present.instant = start
    table = Table(present, closes=closes.total_seconds())
    Match.objects.filter(pk=table.match_id).update(usual_hour=hour, usual_zone="Europe/Berlin")
    return table.open()


def kinds(table: Table) -> list[str]:
    return list(table.match.announcements.order_by("pk").values_list("kind", flat=True))


def said(table: Table, kind: str) -> str:
    """The last announcement of a kind, as players read it."""
    item = table.match.announcements.filter(kind=kind).latest("pk")
    return feed_line(table.match, item, {}).text


class TestThePauseThatEndsByItself:
    def test_it_goes_on_at_its_time_however_late_the_worker_is_and_what_is_due_since_then_is_done(self, table):
        table.at(20 * HOUR).act("ann", "bid", amount=3)
        hosting.pause(table.match, table.host, "a storm", until=START + 30 * HOUR)
        assert said(table, "match_paused").endswith("it resumes by itself on Mon 2 Mar, 20:00 UTC: a storm.")
        table.at(29 * HOUR)
        assert (sweep(), table.match.status) == (0, "paused")
        table.at(50 * HOUR)  # nobody came by for 20 hours
        assert sweep() == 1
        assert table.state.core.phase == "decision"
        deadline, resumed = table.match.log.order_by("-number")[:2]
        assert (deadline.kind, deadline.match_time, resumed.actor) == ("deadline", DAY, "clock")
        assert table.match.next_deadline_at == START + 58 * HOUR, "the deadline passed at 34 h, the decision is 24 h"
        assert verify(table.match) == []

    def test_an_action_and_a_page_need_no_sweep_alone_and_in_a_group(self, table):
        hosting.pause(table.match, table.host, until=START + HOUR)
        table.at(HOUR - timedelta(microseconds=1))
        assert table.act("ann", "bid", amount=1).code == "match_paused"
        table.at(HOUR)
        assert table.act("ann", "bid", amount=1).accepted
        hosting.pause(table.match, table.host, until=START + 2 * HOUR)
        table.at(3 * HOUR)
        assert submit(table.match_id, table.users["bob"].pk, {"type": "bid", "amount": 1}).accepted
        hosting.pause(table.match, table.host, until=START + 4 * HOUR)
        table.at(5 * HOUR)
        assert advance_if_due(table.match)
        assert table.match.next_deadline_at == START + 27 * HOUR, "two hours of pauses count, and not who came when"
        assert verify(table.match) == []

    def test_it_can_be_put_off_or_ended_earlier_and_ends_once(self, table):
        hosting.pause(table.match, table.host, key="k")
        assert table.match.resumes_at == START + hosting.LONGEST_PAUSE, "no pause is for ever"
        assert "or until Tue 31 Mar" in said(table, "match_paused")
        hosting.resume_at(table.match, table.host, START + 5 * HOUR)
        with pytest.raises(AlreadyDone):
            hosting.resume_at(table.match, table.host, START + 5 * HOUR)
        for wrong in (START, START + hosting.LONGEST_PAUSE + HOUR):
            with pytest.raises(CommandRefused, match="in the future, at most 30 days"):
                hosting.resume_at(table.match, table.host, wrong)
        table.at(5 * HOUR)
        with pytest.raises(CommandRefused, match=r"Only a paused match can resume\. This match is running"):
            hosting.resume(table.match, table.host)
        sweep()
        assert kinds(table).count("match_resumed") == 1
        hosting.pause(table.match, table.host, until=START + 9 * HOUR)
        table.at(6 * HOUR)
        hosting.resume(table.match, table.host)
        table.at(10 * HOUR)
        assert sweep() == 0
        assert table.match.next_deadline_at == START + 30 * HOUR
        assert verify(table.match) == []


class TestTheUsualHour:
    def test_extending_resuming_and_closing_by_it(self, present):
        table = berlin(present, START, DAY, "18:00")  # 17:00 UTC
        hosting.extend(table.match, table.host, until=START + DAY + 3 * HOUR, expected=DAY)
        assert table.match.next_deadline_at == START + DAY + 3 * HOUR
        with pytest.raises(CommandRefused, match="after the current deadline"):
            hosting.extend(table.match, table.host, until=START + DAY + 3 * HOUR, expected=DAY)
        table.at(10 * HOUR)
        hosting.pause(table.match, table.host)
        table.at(11 * HOUR)
        hosting.resume(table.match, table.host, to_hour=True)
        assert table.match.next_deadline_at == START + 2 * DAY + 3 * HOUR
        table.at(12 * HOUR).act("ann", "bid", amount=1)
        hosting.close_deadline(table.match, table.host, later=hosting.HOUR)
        assert table.state.core.phase == "decision"
        assert table.match.next_deadline_at == START + DAY + 27 * HOUR, "a day after is 02:00 UTC; then 17:00 is next"
        assert said(table, "deadlines_kept").endswith("The next is Tue 3 Mar, 17:00 UTC (Tue 18:00 in Europe/Berlin).")
        assert verify(table.match) == []

    def test_what_is_behind_a_deadline_that_is_closed_stays_if_the_host_says_so(self, table):
        table.at(4 * HOUR).act("ann", "bid", amount=1)
        hosting.close_deadline(table.match, table.host, later=hosting.STAY)
        assert table.match.next_deadline_at == START + 2 * DAY
        assert verify(table.match) == []
