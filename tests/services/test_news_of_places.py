"""Who has a place and when the match begins: those whom it concerns are told."""

import pytest

from matches.models import Match
from matches.queries.feed import feed
from matches.services import hosting, joining
from matches.services.roster import PlayerChange, change_players
from tests.services.conftest import HOUR, Table, person, told_alone

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def coming(db, present):
    """A match of ann, bob and cat that begins in an hour."""
    table = Table(present)
    hosting.publish(table.match, table.host, present.instant + HOUR)
    return table


def notices(user):
    return [line.text for line in told_alone(user)]


def news(table):
    return [line.text for line in feed(table.match, None)]


def to_hosts(table):
    return [
        table.match.rules.describe(item, str)
        for item in table.match.announcements.filter(audience="hosts").order_by("pk")
    ]


def test_somebody_whom_a_host_gives_a_place_is_told(coming):
    eve = person("eve")
    change_players(coming.match, coming.host, [PlayerChange(None, {"user": eve})])
    assert notices(eve) == [f"The host {coming.host.username} has given you a place in this match: you play as eve."]
    assert notices(coming.users["ann"]) == []
    change_players(coming.match, coming.host, [PlayerChange(coming.player("eve").pk, {"garnets": 3})])
    assert len(notices(eve)) == 1


def test_hosts_are_told_of_one_who_leaves_and_nobody_else_is(coming):
    joining.leave(coming.match, coming.users["ann"])
    assert to_hosts(coming) == ["ann left the match before it began."]
    assert news(coming) == []
    assert notices(coming.users["bob"]) == []


def test_one_who_was_added_by_a_host_can_leave_a_match_that_anyone_can_join(coming):
    Match.objects.filter(pk=coming.match_id).update(joining="open")
    eve = person("eve")
    change_players(coming.match, coming.host, [PlayerChange(None, {"user": eve})])
    joining.leave(coming.match, eve)
    assert to_hosts(coming) == ["eve left the match before it began."]
    assert not coming.match.players.filter(handle="eve").exists()


def test_a_place_that_is_given_to_somebody_else_brings_them_no_notices_of_others(coming):
    eve, finn = person("eve"), person("finn")
    change_players(coming.match, coming.host, [PlayerChange(None, {"user": eve, "handle": "guest"})])
    change_players(coming.match, coming.host, [PlayerChange(coming.player("guest").pk, {"user": finn})])
    assert notices(eve) == []
    assert notices(finn) == [f"The host {coming.host.username} has given you a place in this match: you play as guest."]
