"""How fast the clocks of demo matches run: fast enough to see something happen, slow enough for people to play."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from matches.engine.game import AnyGame
from matches.engine.settings import Span
from matches.pages.texts import in_round_words

BRISK = 100  # 24 h in a quarter of an hour
LEISURELY = 8  # 24 h in three hours: time to look around
PLAYABLE = 250  # 24 h in six minutes: time to read the rules' page, think, and act

SHORTEST_ROUND = timedelta(minutes=3)
"""In real time, no round, timer or window of a demo match is shorter than this."""

# Divisors of a million, so that whole seconds of match time are whole microseconds of real time.
_SPEEDS = tuple(speed for speed in range(1000, 0, -1) if 1_000_000 % speed == 0)


def shortest_length(game: AnyGame, config: Mapping[str, Any]) -> timedelta:
    """The shortest length of time in a match's settings: of a round, a timer or a window."""
    typed = game.read_config(dict(config))
    lengths: list[timedelta] = [getattr(typed, setting.key) for setting in game.settings if isinstance(setting, Span)]
    return min(length for length in lengths if length)


def speed_of(game: AnyGame, config: Mapping[str, Any], wanted: int) -> int:
    """The highest speed up to the wanted one at which nothing in the match is too short for people; at least 1."""
    most = min(wanted, shortest_length(game, config) / SHORTEST_ROUND)
    return next((speed for speed in _SPEEDS if speed <= most), 1)


def in_words(game: AnyGame, config: Mapping[str, Any], speed: int) -> str:
    """How fast the clock runs, as a sentence for the match's page."""
    least = in_round_words(shortest_length(game, config) // speed)
    if speed == 1:
        return f"Its clock is a real one; no round or timer is shorter than {least}."
    return f"Its clock runs {speed} times as fast as a real one; no round or timer is shorter than {least}."
