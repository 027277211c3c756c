"""Starts with open places, starts that are postponed, and starts that fail."""

import pytest

from accounts import deletion
from matches.models import Match, Player
from matches.queries import feed
from matches.queries.access import access_match
from matches.queries.match_info import info_of
from matches.services import hosting
from matches.services.deadlines import sweep
from matches.services.joining import add_player, claim, invitation_of, join, leave
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db]


def set_up(table: Table, **fields) -> None:
    Match.objects.filter(pk=table.match_id).update(**fields)


def told(table: Table) -> list[str]:
    """What everyone has read, the latest first."""
    return [line.text for line in feed.feed(table.match, None)]


@pytest.fixture
def invited(present) -> Table:
    """A draft of ann, bob and cat, with an open place for eve."""
    table = Table(present)
    add_player(table.match, "eve")
    return table


@pytest.fixture
def lonely(present) -> Table:
    """A draft that anyone can join, with ann and three open places."""
    table = Table(present, "ann")
    set_up(table, joining="open", places=4)
    return table


def publish(table: Table, choice: str) -> None:
    hosting.publish(table.match, table.host, START + HOUR, choice)


class TestPublishing:
    def test_an_invitation_can_be_answered_until_the_start(self, invited):
        publish(invited, "wait")
        claim(invitation_of(invited.player("eve")), person("zoe"))
        invited.at(HOUR)
        assert sweep() == 1
        assert invited.match.opened_at == START + HOUR


class TestBots:
    def test_they_play_in_every_open_place_and_everyone_is_told(self, lonely):
        publish(lonely, "bots")
        lonely.at(HOUR)
        sweep()
        players = list(lonely.match.players.all())
        assert lonely.match.status == "open"
        assert [player.is_bot for player in players] == [False, True, True, True]
        assert lonely.state.core.handles == tuple(player.handle for player in players)
        assert any(text.startswith("Some places were still open, so bots take them: ") for text in told(lonely))
        assert not verify(lonely.match)


class TestWithoutThem:
    def test_the_match_begins_with_those_who_came(self, invited):
        publish(invited, "without")
        invited.at(HOUR)
        sweep()
        assert invited.state.core.handles == ("ann", "bob", "cat")
        assert not Player.objects.filter(match_id=invited.match_id, handle="eve").exists()
        assert "The match begins without its open places: eve." in told(invited)
        assert not verify(invited.match)

    def test_too_few_players_do_not_begin(self, lonely):
        publish(lonely, "without")
        lonely.at(HOUR)
        sweep()
        assert lonely.match.start_problem == "Tiny takes 2 to 8 players; this match has 1."


class TestWaiting:
    def test_the_start_is_put_off_by_a_day_and_everyone_is_told(self, lonely):
        publish(lonely, "wait")
        lonely.at(HOUR)
        assert sweep() == 1
        match = lonely.match
        assert (match.status, match.starts_at) == ("scheduled", START + HOUR + DAY)
        assert match.next_deadline_at == match.starts_at
        assert told(lonely) == ["The start is postponed by a day, to Mon 2 Mar, 15:00 UTC: 3 places are still open."]
        assert sweep() == 0

    @pytest.mark.parametrize("settings", [{}, {"bid_timer": "the ace of spades"}])
    def test_who_deletes_their_account_just_before_the_sweep_leaves_the_log_whole(self, invited, settings):
        publish(invited, "wait")
        set_up(invited, config=settings)
        invited.at(HOUR)
        deletion.delete(invited.users["ann"])
        assert (invited.player("ann").user, sweep(), verify(invited.match)) == (None, 0, [])

    def test_it_begins_at_the_next_start_once_all_have_come(self, lonely):
        publish(lonely, "wait")
        lonely.at(HOUR)
        sweep()
        for name in ("zoe", "yan", "xia"):
            join(lonely.match, person(name))
        lonely.at(DAY + HOUR)
        sweep()
        assert lonely.match.opened_at == START + HOUR + DAY

    def test_after_a_week_it_waits_for_its_hosts(self, lonely):
        publish(lonely, "wait")
        lonely.at(30 * DAY)
        sweep()
        match = lonely.match
        assert (match.status, match.starts_at) == ("scheduled", START + HOUR + 7 * DAY)
        assert match.start_problem == "After 7 days of waiting, 3 places are open."
        assert match.next_deadline_at is None
        hosting.publish(match, lonely.host, START + 31 * DAY)
        lonely.at(31 * DAY)
        sweep()
        assert lonely.match.starts_at == START + 32 * DAY, "a new start is postponed again"


class TestFailing:
    @pytest.fixture
    def failed(self, present) -> Table:
        """Somebody left a match that anyone could join, and too few were there at the start."""
        table = Table(present, "ann bob")
        set_up(table, joining="open", places=3)
        publish(table, "without")
        leave(table.match, table.users["bob"])
        table.at(HOUR)
        sweep()
        return table

    def test_it_stays_to_be_seen_and_says_why(self, failed):
        match = failed.match
        assert (match.status, match.is_public) == ("scheduled", True)
        for user in (failed.users["ann"], failed.users["bob"], failed.host, person("zoe")):
            assert access_match(match.public_id, user).match == match
        facts = info_of(match)
        assert facts.start_problem == "Tiny takes 2 to 8 players; this match has 1."
        assert facts.starts_at is None

    def test_what_is_wrong_with_secret_settings_is_told_to_hosts_alone(self, present):
        table = Table(present)
        publish(table, "without")
        set_up(table, config={"bid_timer": "the ace of spades"})
        table.at(HOUR)
        sweep()
        assert told(table) == ["The match could not begin. Nobody can play the match with its current settings."]
        hosts = table.match.announcements.get(audience="hosts")
        assert "do not allow the setting bid_timer" in feed.describe_for_hosts(hosts)

    def test_nothing_half_done_is_left(self, present):
        """Bots that would have played are not stored where the match cannot begin."""
        table = Table(present, "ann")
        add_player(table.match, "eve")
        Player.objects.filter(match_id=table.match_id, handle="ann").update(user=table.host)
        set_up(table, open_places="bots", status="scheduled", starts_at=START + HOUR, next_deadline_at=START + HOUR)
        table.at(HOUR)
        sweep()
        assert "a host never plays in it" in table.match.start_problem
        assert not table.player("eve").is_bot
