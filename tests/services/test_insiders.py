"""Who has ever hosted a match, or looked into its console, never plays in it."""

import pytest

from matches.models import Insider, Match
from matches.models.clock import FixedTime
from matches.services import hosting, joining, roster
from matches.services.commands import NotAHost, open_console
from matches.services.errors import CommandRefused
from tests.fixtures.made_once import made_once
from tests.services.conftest import HOUR, Table, person

NEVER = "has hosted this match or seen its settings, and can never play in it"


@pytest.fixture
def draft(db: None, present: FixedTime) -> Table:
    return made_once("draft", lambda: Table(present), present)


@pytest.fixture
def handed_over(draft: Table) -> Table:
    """A draft whose first host has given it to olaf."""
    hosting.set_roles(draft.match, draft.host, [person("olaf")])
    return draft


def test_a_host_who_has_handed_the_match_over_gets_no_place_in_it(handed_over: Table) -> None:
    match, former = handed_over.match, handed_over.host
    olaf = match.hosts.get()
    free = joining.add_player(match, "free")
    with pytest.raises(CommandRefused, match=NEVER):
        joining.add_player(match, user=former)
    with pytest.raises(CommandRefused, match=NEVER):
        joining.claim(joining.invitation_of(free), former)
    with pytest.raises(CommandRefused, match=NEVER):
        roster.change_players(match, olaf, [roster.PlayerChange(free.pk, {"user": former})])
    roster.change_players(match, olaf, [roster.PlayerChange(free.pk, remove=True)])
    Match.objects.filter(pk=match.pk).update(joining=Match.Joining.OPEN)
    hosting.publish(match, olaf, handed_over.present.instant + HOUR)
    with pytest.raises(CommandRefused, match=NEVER):
        joining.join(match, former)
    assert not match.players.filter(user=former).exists()


def test_a_match_does_not_begin_with_a_player_who_has_hosted_it(handed_over: Table) -> None:
    player = handed_over.player("ann")
    player.user = handed_over.host  # as in a match from before this was remembered
    player.save()
    with pytest.raises(CommandRefused, match=NEVER):
        hosting.start_now(handed_over.match, handed_over.match.hosts.get())


def test_a_superuser_plays_until_they_open_the_console(draft: Table) -> None:
    boss = person("boss", is_superuser=True)
    draft.match.players.filter(handle="cat").delete()
    place = joining.add_player(draft.match, user=boss)
    with pytest.raises(NotAHost):
        open_console(draft.match, boss)
    place.delete()
    open_console(draft.match, boss)
    open_console(draft.match, boss)
    with pytest.raises(CommandRefused, match=NEVER):
        joining.add_player(draft.match, user=boss)
    assert Insider.objects.filter(user=boss).count() == 1


def test_a_superuser_who_gives_a_command_is_remembered(draft: Table) -> None:
    boss = person("boss", is_superuser=True)
    roster.change_players(draft.match, boss, [])
    with pytest.raises(CommandRefused, match=NEVER):
        joining.add_player(draft.match, user=boss)
