"""Settings that cannot be played are refused at their key; hosts name nobody who does not play."""

from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.engine.scenario import ScenarioError, read
from matches.engine.settings import Entrant
from matches.games.black_and_white import GAME

ANN_AND_BOB = (Entrant("ann"), Entrant("bob"))


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({"wins": 10}, "wins"),
        ({"rounds": 3, "wins": 4}, "wins"),
        ({"first": 3}, "first"),
        ({"first": "cat"}, "first"),
    ],
)
def test_what_cannot_be_played_is_refused_at_its_key(config: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as refused:
        GAME.check_start(GAME.read_config(config), ANN_AND_BOB)
    assert refused.value.key == key


def test_more_than_half_of_the_rounds_win_unless_hosts_say_otherwise() -> None:
    assert [GAME.read_config({"rounds": rounds}).wins for rounds in (1, 2, 3, 8, 9)] == [1, 2, 2, 5, 5]
    assert GAME.read_config({"rounds": 9, "wins": 9}).wins == 9


def test_a_scenario_names_the_key() -> None:
    players = [{"handle": "ann"}, {"handle": "bob"}]
    with pytest.raises(ScenarioError, match=r"config: first: .* ann or bob"):
        read({"game": GAME.slug, "config": {"first": "cat"}, "players": players}, lambda slug: GAME)
    with pytest.raises(ScenarioError, match="takes 2 players"):
        read({"game": GAME.slug, "players": [*players, {"handle": "cat"}]}, lambda slug: GAME)
