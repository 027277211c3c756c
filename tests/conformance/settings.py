"""Random settings that a host could choose: small numbers, no time at all, any choice, on and off."""

import random
from typing import Any

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.settings import Choice, Flag, Setting, Span, Whole

SPANS = (0, 0.5, "1m", "1h", "23h59m", "24h", "3d", "10d")
_TRIES = 30


def random_config(game: AnyGame, number: int) -> dict[str, Any]:
    """Return a config with a few settings changed to values that the game accepts; `Data` settings stay as they are."""
    chance = random.Random(f"settings {number}")
    presets = [{}, *game.presets.values()]
    config: dict[str, Any] = dict(chance.choice(presets))
    for _ in range(chance.randrange(1, 6)):
        for _ in range(_TRIES):
            option = chance.choice(game.settings)
            changed = {**config, option.key: _value(option, chance)}
            if changed[option.key] is not None and _is_playable(game, changed):
                config = changed
                break
    return config


def _value(option: Setting, chance: random.Random) -> Any:
    if isinstance(option, Whole):
        near = (option.minimum, option.minimum + 1, option.minimum + 2, 5, 9, 20)
        return chance.choice([number for number in near if option.minimum <= number <= option.maximum])
    if isinstance(option, Span):
        return chance.choice(SPANS)
    if isinstance(option, Flag):
        return chance.random() < 0.5
    if isinstance(option, Choice):
        return chance.choice(option.choices)
    return None


def _is_playable(game: AnyGame, config: dict[str, Any]) -> bool:
    try:
        typed = game.read_config(config)
    except ConfigError:
        return False
    assert game.read_config(typed.write()) == typed, f"{config} does not read back to the same"
    return True
