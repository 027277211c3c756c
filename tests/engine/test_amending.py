"""What the engine gives every game for settings that change while a match runs."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.engine.errors import ConfigError
from matches.engine.match_type import Amendments
from matches.engine.settings import Entrant
from tests.engine.tiny_game import GAME, TinyGame

HOUR = timedelta(hours=1)


@pytest.fixture
def state() -> Any:
    roster = (Entrant("ann"), Entrant("bob"))
    return GAME.open(GAME.read_config({"chips": 20}), roster, Draw(bytes(32))).state


def test_the_amended_config_keeps_what_is_not_changed(state: Any) -> None:
    config = GAME.amend(state, {"tokens": 1, "closes": "3d"}, HOUR).state.config
    assert (config.chips, config.tokens, config.closes) == (20, 1, timedelta(days=3))


@pytest.mark.parametrize(
    ("changes", "key", "says"),
    [
        ({"chips": 1}, "chips", "cannot be changed once the match has begun"),
        ({"colour": 1}, "colour", "cannot be changed"),
        ({"tokens": 9}, "tokens", "out of range"),
    ],
)
def test_it_is_checked_as_every_config_is(state: Any, changes: dict[str, Any], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as refusal:
        GAME.amend(state, changes, HOUR)
    assert refusal.value.key == key


def test_a_game_that_says_nothing_changes_nothing(state: Any) -> None:
    class Fixed(TinyGame):
        amendments = Amendments()

    with pytest.raises(ConfigError, match="cannot be changed once the match has begun") as refusal:
        Fixed().amend(state, {"tokens": 1}, HOUR)
    assert refusal.value.key == "tokens"


def test_whose_view_changes_is_noted_without_the_game_saying_so(state: Any) -> None:
    hidden = GAME.amend(state, {"tokens": 1}, HOUR)
    assert (hidden.public, hidden.touched) == (False, frozenset())
    shown = GAME.amend(state, {"closes": "3d"}, HOUR)
    assert shown.public
    assert shown.touched == {"ann", "bob"}
