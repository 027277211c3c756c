"""Places: adding, joining, claiming an invitation, leaving."""

import json

import pytest

from matches.models import Match, Player
from matches.services import absences, hosting, joining, refusal_quota
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def draft(present) -> Table:
    return made_once("draft", lambda: Table(present), present)


@pytest.fixture
def coming(draft) -> Table:
    """A match that anybody can join, published for in an hour."""
    Match.objects.filter(pk=draft.match_id).update(joining="open", places=5, open_places="without")
    hosting.publish(draft.match, draft.host, START + HOUR)
    return draft


class TestJoining:
    def test_an_invited_match_cannot_be_joined(self, draft):
        hosting.publish(draft.match, draft.host, START + HOUR)
        with pytest.raises(CommandRefused, match="takes no more players"):
            joining.join(draft.match, person("zoe"))

    def test_nobody_plays_under_a_reserved_name_that_they_had_before(self, coming):
        user = person("bank")
        user.display_name = "Moderator"
        joined = joining.join(coming.match, user)
        assert (joined.handle, joined.shown_name) == ("player", "player")


class TestLeaving:
    def test_a_joined_place_is_gone_and_an_invited_one_is_free_again_with_a_new_link(self, coming, present):
        zoe = person("zoe")
        joining.join(coming.match, zoe)
        joining.leave(coming.match, zoe)
        assert not coming.match.players.filter(handle="zoe").exists()
        invited = Table(present)
        link = joining.invitation_of(invited.player("ann"))
        joining.leave(invited.match, invited.users["ann"])
        assert invited.player("ann").is_open
        assert joining.invited_player(link) is None

    def test_who_takes_a_place_that_was_left_is_not_shown_as_who_left_it(self, draft):
        """A handle that a host gave is what everybody knows the place by, unless it is somebody's username."""
        place = draft.player("ann")
        Player.objects.filter(pk=place.pk).update(name="Ann of the Lighthouse")
        for name, shown in (("zoe", "ann"), ("finn", "finn")):
            joining.leave(draft.match, draft.player("ann").user)
            joining.claim(joining.invitation_of(draft.player("ann")), person(name))
            assert draft.player("ann").shown_name == shown
            if name == "zoe":
                person("ann")

    def test_nobody_leaves_a_match_that_has_begun_and_leaving_twice_is_leaving_once(self, draft, coming):
        zoe = person("zoe")
        joining.leave(coming.match, zoe)
        joining.join(coming.match, zoe)
        coming.at(HOUR).advance()
        with pytest.raises(CommandRefused, match="has begun"):
            joining.leave(coming.match, zoe)


class TestInvitations:
    @pytest.fixture
    def free(self, draft) -> Player:
        return joining.add_player(draft.match, "eve", garnets=3)

    def test_a_link_is_good_once(self, draft, free):
        link = joining.invitation_of(free)
        zoe = person("zoe")
        assert joining.claim(link, zoe).user == zoe
        with pytest.raises(CommandRefused, match="no longer works"):
            joining.claim(link, person("yan"))
        assert draft.player("eve").garnets == 3

    @pytest.mark.parametrize("code", ["", "x", "a:b:c", "\x00", "ö" * 50, "x" * 10_000])
    def test_a_code_that_is_no_link_is_refused(self, free, code):
        with pytest.raises(CommandRefused, match="no longer works"):
            joining.claim(code, person("zoe"))

    def test_a_renewed_invitation_makes_the_old_link_useless(self, draft, free):
        link = joining.invitation_of(free)
        joining.renew_invitation(draft.match, draft.host, free)
        assert joining.invited_player(link) is None

    def test_hosts_and_those_who_play_already_cannot_take_it(self, draft, free):
        link = joining.invitation_of(free)
        with pytest.raises(CommandRefused, match="hosts this match"):
            joining.claim(link, draft.host)
        with pytest.raises(CommandRefused, match="You already play in this match"):
            joining.claim(link, draft.users["ann"])
        assert joining.invited_player(link) == free


def test_a_person_has_one_place_in_a_match(draft):
    with pytest.raises(CommandRefused, match="already plays in this match"):
        joining.add_player(draft.match, "again", user=draft.users["ann"])
    assert draft.match.players.count() == 3


class TestTheLog:
    """Who plays stands in the log, by handle alone, and the chain of hashes holds."""

    def rows(self, table: Table) -> list[tuple[str, dict]]:
        commands = table.match.log.order_by("number").values_list("actor", "payload")
        found = [(actor, json.loads(payload)) for actor, payload in commands]
        return [(actor, payload) for actor, payload in found if payload["command"] not in ("publish", "open")]

    def test_a_place_taken_in_a_running_match_is_a_row_at_its_time_and_the_log_can_be_played_again(self, table):
        Player.objects.filter(match_id=table.match_id, handle="cat").update(user=None)
        table.act("ann", "bid", amount=3)
        table.at(HOUR)
        joining.claim(joining.invitation_of(table.player("cat")), person("zoe"))
        row = table.match.log.latest("number")
        assert (row.match_time, row.actor) == (HOUR, "player:cat")
        table.at(9 * DAY).advance()
        assert not verify(table.match)


class TestFloods:
    def test_joining_and_being_away_ever_again_is_refused_and_hosts_are_told_once(self, coming, present):
        """Leaving and coming back are always possible, and another hour another try."""
        zoe, match = person("zoe"), coming.match
        hosting.publish(match, coming.host, START + DAY)
        ann = coming.users["ann"].pk

        def join_and_leave():
            joining.join(match, zoe)
            joining.leave(match, zoe)

        def away_and_back():
            absences.say_away(match.pk, ann, present.instant, present.instant + DAY)
            absences.come_back(match.pk, ann)

        for again in (join_and_leave, away_and_back):
            with pytest.raises(refusal_quota.TooOften):
                list(map(lambda _: again(), range(200)))  # noqa: C417
        assert match.log.count() < 50
        told = match.announcements.filter(audience="hosts").values_list("kind", flat=True)
        assert sorted(told) == ["absence_noted", "player_left"]
        present.instant += HOUR / 2
        with pytest.raises(refusal_quota.TooOften):
            joining.join(match, zoe)
        present.instant += HOUR
        assert joining.join(match, zoe)
