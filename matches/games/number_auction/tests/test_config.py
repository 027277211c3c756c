"""Settings: defaults, what is refused, what is written back, what hosts are warned of."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.engine.roster import Entrant
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import ASCENDING, Table

DAY = timedelta(days=1)


def roster(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{number}") for number in range(count))


def test_the_defaults_are_the_published_match() -> None:
    config = GAME.read_config({})
    assert (config.rounds, config.numbers_per_round, config.tokens, config.income) == (10, 5, 100, 40)
    assert (config.pregame, config.first_round, config.round, config.decision_time) == (timedelta(), DAY, DAY, DAY)
    assert (config.tokens_per_garnet, config.numbers, config.garnet_credit) == (10, None, False)


def test_rounds_begin_where_the_one_before_closes() -> None:
    config = GAME.read_config({"pregame": "12h", "first_round": "1h", "round": "2h"})
    hours = [config.closes_at(number) / timedelta(hours=1) for number in (1, 2, 3, 10)]
    assert hours == [13, 15, 17, 31]
    assert config.opens_at(1) == timedelta(hours=12)
    assert all(config.opens_at(number + 1) == config.closes_at(number) for number in range(1, 10))


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("rounds", {"rounds": 0}),
        ("rounds", {"rounds": 9}),
        ("rounds", {"rounds": 51}),
        ("rounds", {"rounds": "10"}),
        ("rounds", {"rounds": 4, "numbers_per_round": 12}),
        ("numbers_per_round", {"rounds": 5}),
        ("numbers_per_round", {"numbers_per_round": 10}),
        ("numbers_per_round", {"numbers_per_round": 4}),
        ("tokens", {"tokens": -1}),
        ("income", {"income": 2.5}),
        ("pregame", {"pregame": "-1h"}),
        ("first_round", {"first_round": 0}),
        ("round", {"round": "0h"}),
        ("round", {"round": None}),
        ("tokens_per_garnet", {"tokens_per_garnet": 0}),
        ("numbers", {"numbers": []}),
        ("numbers", {"numbers": ASCENDING[:49]}),
        ("numbers", {"numbers": [*ASCENDING, 1]}),
        ("numbers", {"numbers": [*ASCENDING[:49], 1]}),
        ("numbers", {"numbers": [*ASCENDING[:49], 51]}),
        ("numbers", {"numbers": [0, *ASCENDING[1:]]}),
        ("numbers", {"numbers": [True, *ASCENDING[1:]]}),
        ("numbers", {"numbers": [1.0, *ASCENDING[1:]]}),
        ("numbers", {"numbers": ["1", *ASCENDING[1:]]}),
        ("numbers", {"numbers": "1, 2, 3"}),
        ("numbers", {"numbers": {"1": 2}}),
        ("garnet_credit", {"garnet_credit": 1}),
        ("decision_time", {"decision_time": "soon"}),
        ("bid_timer", {"bid_timer": "24h"}),
    ],
)
def test_impossible_settings_are_refused_by_key(key: str, raw: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        GAME.read_config(raw)
    assert refused.value.key == key


def test_refusals_say_what_would_be_accepted() -> None:
    for raw, said in (
        ({"rounds": 5}, "with 5 rounds it must be 10"),
        ({"rounds": 9}, "possible are 1, 2, 5, 10, 25, 50"),
        ({"numbers": [*ASCENDING[:49], 7]}, "7 is there twice"),
        ({"numbers": ASCENDING[1:]}, "1 is missing"),
        ({"numbers": [*ASCENDING[:49], 10**30]}, "0 is not a number of this game; 50 is missing; expected 1 to 50"),
        (
            {"numbers": [0, 51, 7, *ASCENDING[2:]]},
            "0 and 51 are not numbers of this game; 7 is there twice; 1 and 2 are",
        ),
        ({"numbers": [7]}, "10, 11, 12, 13 and 37 more are missing"),
    ):
        with pytest.raises(ConfigError, match=said):
            GAME.read_config(raw)


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"rounds": 5, "numbers_per_round": 10, "garnet_credit": True},
        {"numbers": ASCENDING[::-1], "pregame": "90m", "first_round": 1800.5, "round": "10m", "decision_time": 0},
        {"numbers": None},
    ],
)
def test_settings_are_read_back_as_written(raw: dict[str, Any]) -> None:
    config = GAME.read_config(raw)
    assert GAME.read_config(config.write()) == config


def test_a_fixed_order_is_played_and_any_other_is_drawn() -> None:
    fixed = Table(config={"numbers": ASCENDING[::-1]}, ann={}, bob={}, cat={}).until("48h")
    assert fixed.public.rounds_known == ((46, 47, 48, 49, 50), (41, 42, 43, 44, 45), (36, 37, 38, 39, 40))
    drawn = Table(ann={}, bob={}, cat={})
    assert sorted(drawn.state.order) == ASCENDING
    assert drawn.state.order != tuple(ASCENDING)


def test_hosts_are_warned_unless_four_play() -> None:
    config = GAME.read_config({})
    assert [len(GAME.warnings(config, roster(count))) for count in (3, 4, 5, 8)] == [1, 0, 1, 1]
    # What cannot be played at all is refused, and not called unusual as well.
    assert [GAME.warnings(config, roster(count)) for count in (0, 2, 9)] == [(), (), ()]


def test_hosts_are_warned_of_rounds_that_nobody_can_take_four_of() -> None:
    config = GAME.read_config({"rounds": 25, "numbers_per_round": 2})
    assert "B1" in GAME.warnings(config, roster(4))[0]


@pytest.mark.parametrize("count", [2, 9])
def test_too_few_or_many_players_are_refused(count: int) -> None:
    with pytest.raises(ConfigError, match="players"):
        GAME.check_roster(roster(count))


def test_load_tests_have_a_long_first_round() -> None:
    config = GAME.read_config(GAME.endurance)
    assert config.first_round >= timedelta(days=100)
    assert config.tokens == 1_000_000
