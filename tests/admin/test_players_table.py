"""Who plays: added and changed in one table, until the match begins."""

import re
from decimal import Decimal
from typing import Any

import pytest

from matches.models import Match, Player
from tests.admin.conftest import Console, browser_of

pytestmark = pytest.mark.django_db


def place(match: Match, handle: str) -> Player:
    return Player.objects.get(match=match, handle=handle)


def test_people_bots_and_open_places_are_added_at_once(console: Console, draft: Match, players: list[Any]) -> None:
    console.save_players(
        [
            {"person": "Ann", "garnets": "4", "priority": "7", "blood_garnets": "1.2500"},
            {"is_bot": "on"},
            {"is_bot": "on", "handle": "robby"},
            {"handle": "open_one", "name": "Somebody"},
            {},
        ]
    )
    found = [(p.handle, p.user_id, p.is_bot, p.position) for p in draft.players.all()]
    assert found == [
        ("ann", players[0].pk, False, 0),
        ("bot", None, True, 1),
        ("robby", None, True, 2),
        ("open_one", None, False, 3),
    ]
    ann = place(draft, "ann")
    assert (ann.garnets, ann.priority, ann.blood_garnets) == (4, 7, Decimal("1.25"))
    assert draft.log.latest("number").actor == "host:hanna"
    assert "Players: added ann; added bot; added robby; added open_one" in console.page()


def test_places_are_changed_and_removed(console: Console, draft: Match, players: list[Any]) -> None:
    console.save_players([{"person": "ann"}, {"person": "bob"}, {"handle": "free"}])
    ann, bob, free = draft.players.all()
    console.save_players(
        [
            {"player": ann.pk, "handle": "bob", "person": "ann", "position": "1"},
            {"player": bob.pk, "handle": "ann", "person": "bob", "position": "0", "garnets": "2"},
            {"player": free.pk, "handle": "free", "remove": "on"},
        ]
    )
    assert [(p.pk, p.handle, p.garnets) for p in draft.players.all()] == [(bob.pk, "ann", 2), (ann.pk, "bob", 0)]
    assert "removed free" in console.page()


WRONG_PLACES = [
    ([{"person": "nobody"}], "There is nobody called nobody."),
    ([{"person": "hanna"}], "hanna hosts this match, and a host never plays in it."),
    ([{"person": "ann"}, {"person": "ann", "handle": "other"}], "ann cannot play twice in one match."),
    ([{"handle": "Same"}, {"handle": "same"}], "“Same” is, or looks like, the name of somebody else here."),
    ([{"handle": "ian"}, {"handle": "lan"}, {"handle": "Ian"}], "looks like, the name of somebody else"),
    ([{"person": "ann"}, {"handle": "x", "name": "Аnn"}], "is, or looks like, the name of somebody else here."),
    ([{"handle": "x", "name": "Нanna"}], "“Нanna” is, or looks like, the name of somebody else"),
    ([{"handle": "x", "name": "B\u0430nk"}], "“Bаnk” is reserved, or looks like a name that is."),
    ([{"handle": "cl0ck"}], "“cl0ck” is reserved"),
    ([{"handle": "two words"}], "A handle is up to 30 letters"),
    ([{"handle": "~1"}], "A handle is up to 30 letters"),
    ([{"person": "ann", "is_bot": "on"}], "Either a person or a bot plays in a place"),
    ([{"handle": "x", "garnets": "-1"}], "greater than or equal to 0"),
    ([{"handle": "x", "garnets": "1.5"}], "Enter a whole number."),
    ([{"handle": "x", "priority": "9999999999"}], "less than or equal to 1000000"),
    ([{"handle": "x", "blood_garnets": "1.23456"}], "no more than 4 decimal places"),
    ([{"handle": "x", "blood_garnets": "NaN"}], "Enter a number."),
    ([{"handle": "x", "player": "999999"}], "One of these players is no longer in the list."),
    ([{"handle": "x", "player": "nonsense"}], "Not saved yet"),
    ([{"handle": "x", "player": "9" * 5000}], "Not saved yet"),
    ([{"handle": "x", "player": "9" * 40}], "One of these players is no longer in the list."),
    ([{"handle": "x", "name": "n" * 51}], "shorten it to 50 at most"),
    ([{"handle": "x", "name": "\u202eliam"}], "Please use visible characters only"),
    ([{"handle": "x\x00"}], "That contains an invisible character."),
]


def test_a_wrong_place_is_told_and_nothing_is_stored(console: Console, draft: Match, players: list[Any]) -> None:
    for rows, said in WRONG_PLACES:
        page = console.save_players(rows)
        assert said in page
        assert not draft.players.exists()


def test_a_table_that_was_tampered_with_is_refused(console: Console, draft: Match) -> None:
    for data in ({}, {"players-TOTAL_FORMS": "many"}, {"players-TOTAL_FORMS": "100000", "players-INITIAL_FORMS": "0"}):
        answer = console.client.post(f"{console.address}/change/", data)
        assert answer.status_code in (200, 302)
    assert not draft.players.exists()


def test_a_player_of_another_match_cannot_be_reached(console: Console, draft: Match, players: list[Any]) -> None:
    console.save_players([{"person": "ann"}])
    foreign = place(draft, "ann")
    console.create("Second table")
    assert "no longer in the list" in console.save_players([{"player": foreign.pk, "handle": "stolen"}])
    foreign.refresh_from_db()
    assert foreign.handle == "ann"


class TestInvitations:
    def link(self, page: str) -> str:
        found = re.search(r'value="(http://testserver/join/[^"]+)" readonly', page)
        assert found is not None
        return found[1]

    def test_a_place_that_changes_hands_forgets_its_link(
        self, console: Console, draft: Match, players: list[Any]
    ) -> None:
        old = self.link(console.save_players([{"handle": "free"}]))
        free = place(draft, "free")
        console.save_players([{"player": free.pk, "handle": "free", "person": "ann"}])
        console.save_players([{"player": free.pk, "handle": "free"}])
        browser_of(players[1]).post(old)
        assert place(draft, "free").user_id is None
