"""Settings: defaults by variant, what is refused, what is written back, what hosts are warned of."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.games.lowest_unique_integer import GAME

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("variant", {"variant": "F9"}),
        ("rows", {"columns": 9, "rows": 3}),
        ("rows", {"columns": 5, "rows": 6}),
        ("first_seat", {"first_seat": "P"}),
        ("first_seat", {"first_seat": "AB"}),
        ("prizes", {"prizes": {"A": {"garnets": 1}}}),
        ("prizes.Z.garnets", {"prizes": {"Z": {"garnets": -1}}}),
        ("prizes.Z", {"prizes": {"Z": 3}}),
        ("pregame_closes", {"pregame_closes": "25h"}),
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
