"""Who is in a season: its cast from lists, invitations, substitutes, hosts; and what its matches refuse."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.models import Match, Player, clock
from matches.pages.desk import entries_for
from matches.services import amending, hosting, joining
from matches.services.errors import CommandRefused
from matches.services.roster import PlayerChange, change_players
from seasons.models import Season, SeasonRole
from seasons.services import drafts, invitations, people, running
from seasons.services.running import Entry
from seasons.services.verification import verify
from tests.admin.conftest import Console, browser_of, text_of
from tests.admin.test_two_consoles import typed_in
from tests.fixtures.any_game import PRESET, SLUG
from tests.seasons.admin.conftest import SeasonDesk, person

pytestmark = pytest.mark.django_db


def begun(desk: SeasonDesk) -> Season:
    season = desk.create()
    bots = "\n".join(f"bot{number},bot,,{number}" for number in range(1, 7))
    desk.paste(f"ann,,red,3,2,10\nzed,,,1\n{bots}")
    desk.do("begin")
    return season


def test_people_come_and_go_in_the_season_and_in_its_matches(
    desk: SeasonDesk, players: list[Any], host: Any, other_host: Any, later: Any
) -> None:
    season = begun(desk)
    _, bob, cat = players
    first = desk.next_match(SLUG, PRESET)
    zed = season.cast.get(handle="zed")
    address = f"/seasons/join/{invitations.invitation_of(zed)}/"
    assert address in desk.page()
    taker = browser_of(bob)
    assert "You are invited to “Autumn”" in text_of(Client().get(address))
    assert "You are in the cast" in text_of(taker.post(address, follow=True))
    assert taker.post(address).status_code == 302
    assert Client().get(address).status_code == 410
    assert first.players.get(handle="zed").user == bob

    hosting.start_now(first, host)
    ann_is = f"{season.cast.get(handle='ann').pk}:{players[0].pk}:0"
    assert "is already in the cast" in desk.ask("replace", place=ann_is, who="person", person="bob", reason="Ill.")
    assert "hosts or has hosted" in desk.ask("replace", place=ann_is, who="person", person="hanna", reason="Ill.")
    asked = desk.ask("replace", place=ann_is, who="person", person="cat", reason="Ill.")
    assert "From then on ann can only watch, like everybody else." in asked
    fields = {"place": ann_is, "who": "person", "person": "cat", "reason": "Ill."}
    said = desk.confirm("replace", asked, **fields)
    assert "From now on cat plays as ann." in said
    assert (season.cast.get(handle="ann").user, first.players.get(handle="ann").user) == (cat, cat)
    assert "Somebody else plays there now" in desk.ask("replace", **{**fields, "who": "bot"})
    desk.do("replace", place=f"{zed.pk}:{bob.pk}:0", who="bot", person="", reason="Gone.")
    player = first.players.get(handle="zed")
    assert (player.user, player.is_bot) == (None, True)
    season.refresh_from_db()
    assert verify(season) == []

    hosting.set_roles(first, host, [host, other_host], owner=other_host)
    asked = desk.do("hosts", hosts="hanna, otto", owner="otto", observers="")
    first.refresh_from_db()
    assert set(first.hosts.all()) == {host, other_host}
    other = SeasonDesk(other_host, season)
    assert "Hosts…" in other.page()
    assert "Hosts…" not in desk.page()
    other.do("hosts", hosts="otto", owner="otto", observers="")
    assert list(first.hosts.all()) == [other_host]
    assert desk.client.get(f"{desk.address}/change/").status_code == 404
    assert SeasonRole.objects.get(season=season, user=host).role == "former"
    with pytest.raises(CommandRefused, match="can never be a member"):
        people.replace_person(season, other_host, season.cast.get(handle="zed"), host, "No.")
    assert [entry.title for entry in entries_for(other_host) if entry.what == "Season"] == ["Autumn"]
    assert verify(Season.objects.get(pk=season.pk)) == []


def test_matches_of_a_season_take_neither_garnets_nor_growth_nor_credit(
    desk: SeasonDesk, players: list[Any], host: Any, later: Any
) -> None:
    season = begun(desk)
    match = desk.next_match(SLUG, PRESET)
    with pytest.raises(CommandRefused, match="you do not enter any"):
        change_players(match, host, [PlayerChange(match.players.get(handle="ann").pk, {"garnets": 9})])
    with pytest.raises(CommandRefused, match="Blood garnets never enter a match"):
        hosting.switch_blood_garnets(match, host, True)
    console = Console(host)
    console.match = match
    page = console.page()
    assert "garnets" in page
    assert "players-0-garnets" not in page
    assert "Brings 3 garnets, 2 priority" in page
    assert "Blood garnets…" not in page

    stranger = players[2]
    with pytest.raises(CommandRefused, match="not in the cast"):
        change_players(match, host, [PlayerChange(None, {"user": stranger, "handle": "cat"})])
    change_players(match, host, [PlayerChange(match.players.get(handle="bot1").pk, {"handle": "zed2"})])
    with pytest.raises(CommandRefused, match="zed2 is not in the cast"):
        hosting.start_now(match, host, "bots")
    taken = [PlayerChange(match.players.get(handle="zed2").pk, {"handle": "bot1"})]
    change_players(match, host, taken)
    ann = match.players.get(handle="ann")
    change_players(match, host, [PlayerChange(ann.pk, {"user": None, "is_bot": True})])
    with pytest.raises(CommandRefused, match="nobody else can play under that handle"):
        hosting.start_now(match, host, "bots")
    change_players(match, host, [PlayerChange(ann.pk, {"user": players[0], "is_bot": False})])
    hosting.start_now(match, host, "bots")
    match.refresh_from_db()
    game = match.rules
    if "garnet_credit" in game.amendable:
        with pytest.raises(CommandRefused, match="Garnets on credit"):
            amending.amend_match(match, host, {"garnet_credit": True}, "x")
    assert "goes back to the season" in console.ask("cancel", reason="storm")
    hosting.cancel(match, host, "storm")
    later(seconds=1)
    season.refresh_from_db()
    assert json.loads(season.state)["purses"]["ann"]["garnet"] == 3
    assert Player.objects.get(match=match, handle="ann").garnets == 3
    owed = {"player": match.players.get(handle="ann").pk, "asset": "garnet", "amount": "1", "reason": "x"}
    assert "Correct the balance in its season" in console.ask("correct", **owed)
    with pytest.raises(CommandRefused, match="Correct the balance in its season"):
        hosting.correct_balance(match, host, match.players.get(handle="ann"), "garnet", 1, "x")
    assert Match.objects.get(pk=match.pk).status == Match.Status.CANCELLED
    with pytest.raises(CommandRefused, match="no match to be settled"):
        running.command(season, host, {"settle": True})


def test_members_who_are_in_play_under_their_own_handle(desk: SeasonDesk, host: Any, players: list[Any]) -> None:
    season = begun(desk)
    listed = [Entry(handle) for handle in ("bot1", "bot2", "zed")]
    match = running.add_match(season, host, SLUG, joining="people", places=4, players=listed)
    ann, bob, cat = players
    people.replace_person(season, host, season.cast.get(handle="bot4"), bob, "Bob wants to play.")
    people.replace_person(season, host, season.cast.get(handle="bot5"), cat, "Cat wants to play.")
    running.command(season, host, {"out": "ann", "reason": "Lost."})
    hosting.publish(match, host, clock.now() + timedelta(hours=1))
    with pytest.raises(CommandRefused, match="no longer in this season"):
        joining.join(match, ann)
    joining.join(match, bob)
    hosting.start_now(match, host, "bots")
    assert match.players.get(user=bob).handle == "bot4"
    with pytest.raises(CommandRefused, match="plays as bot5 in this season"):
        hosting.substitute(match, host, match.players.get(handle="bot1"), cat, "x")
    for is_bot in (True, False):  # a bot stands in all the time
        people.replace_person(season, host, season.cast.get(handle="zed"), None, "Nobody came.", is_bot=is_bot)
    invitations.claim(invitations.invitation_of(season.cast.get(handle="zed")), zoe := person("zoe"))
    assert match.players.get(handle="zed").user == zoe


def test_a_draft_page_undoes_nothing_that_others_have_changed_since_it_was_opened(
    desk: SeasonDesk, players: list[Any], host: Any, other_host: Any
) -> None:
    season = desk.create()
    desk.paste("ann\nzed")
    form = typed_in(desk.page(), 'action="#cast"')
    browser_of(players[1]).post(f"/seasons/join/{invitations.invitation_of(season.cast.get(handle='zed'))}/")
    page = text_of(desk.client.post(f"{desk.address}/change/", {**form, "then": "begin"}, follow=True))
    assert "others have changed something. What you typed is not saved yet. Check it first: " in page
    assert "saving it now replaces what is stored for zed." in page
    assert season.cast.get(handle="zed").user == players[1]
    again = {**typed_in(page, 'action="#cast"'), "cast-1-person": "bob", "cast-1-garnets": "3"}
    desk.client.post(f"{desk.address}/change/", again)
    zed = season.cast.get(handle="zed")
    assert (zed.user, zed.garnets) == (players[1], 3)

    address = f"{desk.address}/settings/"
    typed = typed_in(text_of(desk.client.get(address)), "data-once")
    drafts.change_draft(season, host, settings={"gifts": True})
    page = text_of(desk.client.post(address, {**typed, "title": "Winter"}))
    assert "others have changed something" in page
    season.refresh_from_db()
    assert (season.title, season.settings) == ("Autumn", {"gifts": True})
    again = typed_in(page, "data-once")
    assert desk.client.post(address, {**again, "title": "Winter"}).status_code == 302
