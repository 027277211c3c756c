"""Settings and teams: what is refused, by which key, and how teams are dealt."""

from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.engine.errors import ConfigError
from matches.engine.settings import Entrant
from matches.games.the_mvp import GAME
from matches.games.the_mvp.cards import CARDS, PLACES
from matches.games.the_mvp.tests.table import DECK, NAMES, Table


def roster(*teams: str | None, names: tuple[str, ...] = NAMES) -> tuple[Entrant, ...]:
    return tuple(Entrant(name, team) for name, team in zip(names, teams, strict=True))


@pytest.mark.parametrize(
    "teams",
    [
        (None,) * 5,
        (None,) * 7,
        ("red", None, None, None, None, None),
        ("red", "red", "red", "green", "green", None),
        ("red", "red", "red", "red", "green", "green"),
        ("red", "red", "red", "blue", "blue", "blue"),
        ("red", "red", "red", "green", "green", "Green"),
        ("red",) * 6,
    ],
)
def test_rosters_that_cannot_play(teams: tuple[str | None, ...]) -> None:
    names = tuple(f"p{seat}" for seat in range(len(teams)))
    with pytest.raises(ConfigError) as caught:
        GAME.check_roster(roster(*teams, names=names))
    assert caught.value.key == "players"


@pytest.mark.parametrize("teams", [(None,) * 6, ("green", "green", "red", "red", "green", "red")])
def test_all_or_none_have_a_team(teams: tuple[str | None, ...]) -> None:
    GAME.check_roster(roster(*teams))


@pytest.mark.parametrize(
    ("deck", "key"),
    [
        ([], "deck"),
        ("pear-3", "deck"),
        ({}, "deck.A"),
        (DECK | {"Z": "pear-3"}, "deck.Z"),
        (DECK | {"X": "apple-1"}, "deck.X"),
        (DECK | {"C": "pear-7"}, "deck.C"),
        (DECK | {"C": 5}, "deck.C"),
        (DECK | {"C": None}, "deck.C"),
        ({place: DECK[place] for place in PLACES[:-1]}, "deck.X"),
    ],
)
def test_decks_that_are_no_decks(deck: Any, key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        GAME.read_config({"deck": deck})
    assert caught.value.key == key


def test_the_deck_is_drawn_from_the_seed_alone() -> None:
    draw = Draw(b"s" * 32)
    table = Table(draw=draw, **{name: {} for name in NAMES})
    assert tuple(table.state.deck.values()) == draw.shuffle("deck", CARDS)
    assert tuple(table.state.deck) == PLACES
