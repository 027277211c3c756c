"""Settings: defaults by variant, what is refused, what is written back, what hosts are warned of."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.games.lowest_unique_integer import GAME

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_f11_is_the_default() -> None:
    config = GAME.read_config({})
    assert (config.variant, config.columns, config.rows, config.first_seat) == ("F11", 4, 3, "O")
    assert (config.chips, config.chip_price, config.winner_tokens, config.loser_chips) == (20, 1, 2, 20)
    assert (config.pregame, config.pregame_closes, config.bid_timer) == (DAY, DAY, DAY)
    assert (config.fee_after, config.fee, config.stop_after) == (10 * DAY, 1, 15 * DAY)
    assert (config.garnet_credit, config.decision_time) == (False, DAY)
    assert [(p.garnets, p.priority) for p in (config.prize(seat) for seat in "OPQRSTUVWXYZ")] == [
        *[(3, 0), (1, 1), (0, 3), (2, 1)],
        *[(1, 2), (0, 3), (2, 0), (1, 1)],
        *[(0, 3), (2, 1), (1, 2), (3, 0)],
    ]


def test_f8_differs_where_its_column_says() -> None:
    config = GAME.read_config({"variant": "F8"})
    assert (config.columns, config.rows, config.first_seat) == (3, 3, "R")
    assert (config.chips, config.chip_price, config.winner_tokens, config.loser_chips) == (16, 2, 1, 16)
    assert (config.pregame, config.pregame_closes) == (DAY, 23 * HOUR)
    assert [(p.garnets, p.priority) for p in (config.prize(seat) for seat in "RSTUVWXYZ")] == [
        *[(2, 0), (1, 1), (0, 3)],
        *[(1, 1), (3, 0), (1, 1)],
        *[(0, 3), (1, 1), (2, 0)],
    ]


def test_sealed_bids_of_f8_close_an_hour_early_if_there_is_an_hour() -> None:
    assert GAME.read_config({"variant": "F8", "pregame": "30m"}).pregame_closes == timedelta()
    assert GAME.read_config({"variant": "F8", "pregame": "3h"}).pregame_closes == 2 * HOUR
    assert GAME.read_config({"pregame": "30m"}).pregame_closes == HOUR / 2


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("variant", {"variant": "F9"}),
        ("rows", {"columns": 9, "rows": 3}),
        ("rows", {"columns": 5, "rows": 6}),
        ("rows", {"columns": 5, "rows": 6, "first_seat": "A"}),
        ("first_seat", {"first_seat": "P"}),
        ("first_seat", {"first_seat": "z"}),
        ("first_seat", {"first_seat": ""}),
        ("first_seat", {"first_seat": "AB"}),
        ("prizes", {"prizes": {"A": {"garnets": 1}}}),
        ("prizes.Z.garnets", {"prizes": {"Z": {"garnets": -1}}}),
        ("prizes.Z.silver", {"prizes": {"Z": {"silver": 1}}}),
        ("prizes.Z", {"prizes": {"Z": None}}),
        ("prizes.\N{REPLACEMENT CHARACTER}", {"prizes": {"\ud800": {"\ud800": 1}}}),
        ("pregame_closes", {"pregame_closes": "25h"}),
        ("pregame_closes", {"pregame": "1h", "pregame_closes": "2h"}),
    ],
)
def test_impossible_settings_are_refused_by_key(key: str, raw: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        GAME.read_config(raw)
    if raw.get("columns") == 9:  # one side alone can be too long already
        key = "columns"
    assert refused.value.key == key


def test_every_neighbour_is_another_seat_and_mutual() -> None:
    for columns, rows in ((3, 3), (4, 3), (3, 4), (8, 3), (5, 5)):
        neighbours = GAME.read_config({"columns": columns, "rows": rows}).grid.neighbours
        for seat, around in neighbours.items():
            assert len({seat, *around}) == 5
            assert all(seat in neighbours[other] for other in around)
