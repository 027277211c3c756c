"""Hosts say what becomes of open places, and see why a match has not begun."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Match
from tests.admin.conftest import Console, text_of
from tests.fixtures.any_game import GAME

TOMORROW = "2031-05-18T15:00"


@pytest.fixture
def with_an_open_place(console: Console, draft: Match, players: list[Any]) -> Match:
    """A draft of ann, bob and cat, with an open place for eve."""
    console.save_players([*({"person": user.username} for user in players), {"handle": "eve"}])
    return draft


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("wait", "As long as a place is open at the start, the start is postponed by a day"),
        ("bots", "Bots play in places that are still open at the start."),
        ("without", "It begins without places that are still open at the start. With fewer than 3 players it does not"),
    ],
)
def test_the_preview_says_what_will_become_of_them_and_so_it_is(
    console: Console, with_an_open_place: Match, later: Any, choice: str, said: str
) -> None:
    assert said in console.ask("publish", starts_at=TOMORROW, open_places=choice)
    console.do("publish", starts_at=TOMORROW, open_places=choice)
    later(hours=24)
    console.match.refresh_from_db()
    begun = choice != "wait"
    assert (console.match.status == "open") == begun
    assert console.match.players.filter(handle="eve", is_bot=True).exists() == (choice == "bots")
    assert console.match.players.filter(handle="eve").exists() == (choice != "without")
    page = console.page()
    logged = {
        "wait": "The start was postponed to Mon 19 May, 13:00 UTC (15:00 your time): 1 place was open",
        "bots": "Bots play in open places: eve",
        "without": "Began without eve",
    }
    assert logged[choice] in page


def test_a_failed_start_says_why_and_can_be_repeated(
    console: Console, with_an_open_place: Match, players: list[Any], later: Any
) -> None:
    console.do("publish", starts_at=TOMORROW, open_places="without")
    console.match.players.filter(user__in=players[1:]).delete()
    later(hours=24)
    page = console.page()
    assert "It did not begin" in page
    assert f"{GAME.title} takes 3 to 26 players; this match has 1." in page
    assert "It will not begin. Its players stay in it." in console.ask("unpublish")
    form = text_of(console.client.get(f"{console.address}/do/publish/"))
    assert 'value="2031-05-19T15:00"' in form, "a start that has passed is not offered again"
