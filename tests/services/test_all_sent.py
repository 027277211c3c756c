"""Deadlines that pass as soon as everybody has sent what they ask, where hosts have chosen so."""

from datetime import timedelta

import pytest

from matches.models import Match
from matches.services import deadlines, hosting
from matches.services.replay import verify
from matches.services.roster import PlayerChange, change_players
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


def passed(table: Table) -> int:
    return table.match.log.filter(kind="deadline").count()


def test_it_passes_when_the_last_person_has_sent_and_nobody_waits_for_a_bot(present) -> None:
    table = Table(present)
    bot = PlayerChange(table.player("cat").pk, {"user": None, "is_bot": True})
    change_players(table.match, table.host, [bot])
    table.open()
    for handle in ("ann", "bob"):
        table.at(HOUR).act(handle, "bid", amount=3)
        assert deadlines.sweep_all_sent() == 0
    hosting.close_when_sent(table.match, table.host, True)
    assert table.match.announcements.filter(kind="closing_switched", audience="everyone").exists()
    before = passed(table)
    assert (deadlines.sweep_all_sent(), deadlines.sweep_all_sent()) == (1, 0)
    assert passed(table) == before + 1
    assert table.match.log.filter(payload__contains='"all_sent":true').get().actor == "clock"
    assert table.match.announcements.filter(kind="deadline_closed_early").get().data == {"all_sent": True}
    assert not verify(table.match)


def test_who_has_not_sent_is_waited_for(table) -> None:
    hosting.close_when_sent(table.match, table.host, True)
    table.at(HOUR).act("ann", "bid", amount=3)
    table.act("bob", "bid", amount=4)
    before = passed(table)
    assert deadlines.sweep_all_sent() == 0
    table.act("cat", "bid", amount=5)
    hosting.close_when_sent(table.match, table.host, False)
    assert deadlines.sweep_all_sent() == 0
    assert passed(table) == before


def test_a_day_that_is_closed_early_does_not_make_the_next_one_two_days_long(table) -> None:
    Match.objects.filter(pk=table.match_id).update(usual_hour="14:00", usual_zone="UTC")
    found = []
    for hours in (1, 12, 23):
        now = table.at(timedelta(hours=hours)).present.instant
        found.append(hosting.sensible_later(table.match, DAY, now))
    assert found == ["earlier", "hour", "hour"]
