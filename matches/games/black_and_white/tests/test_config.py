"""Settings that cannot be played are refused at their key; hosts name nobody who does not play."""

from typing import Any

import pytest

from matches.engine.errors import ConfigError
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
