"""Settings: defaults, what is refused, what is written back, what hosts are warned of."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import ASCENDING, Table

DAY = timedelta(days=1)


def test_the_defaults_are_the_published_match() -> None:
    config = GAME.read_config({})
    assert (config.rounds, config.numbers_per_round, config.tokens, config.income) == (10, 5, 100, 40)
    assert (config.pregame, config.first_round, config.round, config.decision_time) == (timedelta(), DAY, DAY, DAY)
    assert (config.tokens_per_garnet, config.numbers, config.garnet_credit) == (10, None, False)


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("rounds", {"rounds": 9}),
        ("rounds", {"rounds": 4, "numbers_per_round": 12}),
        ("numbers_per_round", {"rounds": 5}),
        ("numbers_per_round", {"numbers_per_round": 10}),
        ("numbers_per_round", {"numbers_per_round": 4}),
        ("numbers", {"numbers": []}),
        ("numbers", {"numbers": ASCENDING[:49]}),
        ("numbers", {"numbers": [*ASCENDING, 1]}),
        ("numbers", {"numbers": [*ASCENDING[:49], 1]}),
        ("numbers", {"numbers": [*ASCENDING[:49], 51]}),
        ("numbers", {"numbers": [0, *ASCENDING[1:]]}),
        ("numbers", {"numbers": [True, *ASCENDING[1:]]}),
    ],
)
def test_impossible_settings_are_refused_by_key(key: str, raw: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        GAME.read_config(raw)
    assert refused.value.key == key


def test_a_fixed_order_is_played_and_any_other_is_drawn() -> None:
    fixed = Table(config={"numbers": ASCENDING[::-1]}, ann={}, bob={}, cat={}).until("48h")
    assert fixed.public.rounds_known == ((46, 47, 48, 49, 50), (41, 42, 43, 44, 45), (36, 37, 38, 39, 40))
    drawn = Table(ann={}, bob={}, cat={})
    assert sorted(drawn.state.order) == ASCENDING
    assert drawn.state.order != tuple(ASCENDING)
