"""Amending the settings of a running match: only rounds that have not started can change."""

from __future__ import annotations

from matches.engine.amending import Amendments
from matches.engine.core import PREGAME, RUNNING
from matches.engine.errors import ConfigError
from matches.engine.step import Turn
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.state import CollectorsState


def judge(turn: Turn, state: CollectorsState, config: Config) -> None:
    """Refuse to change rounds that have started. Later rounds stay secret: only their new number is announced."""
    if config.rounds == state.config.rounds:
        return
    if state.core.phase not in (PREGAME, RUNNING):
        raise ConfigError("rounds", "all rounds are over, so none can be changed or added")
    for place, started in enumerate(state.config.rounds[: state.round]):
        path, name = f"rounds[{place}]", f"round {place + 1}"
        if place >= len(config.rounds):
            raise ConfigError(path, f"{name} has started, so it cannot be removed")
        if config.rounds[place] != started:
            raise ConfigError(path, f"{name} has started, so it must stay as it is")
    if len(config.rounds) != len(state.config.rounds):
        turn.announce("rounds_changed", rounds=len(config.rounds))


def note(state: CollectorsState) -> str:
    """A sentence for hosts on which rounds can no longer be changed."""
    if state.core.phase not in (PREGAME, RUNNING):
        return "All rounds are over: none can be changed or added."
    if not state.round:
        return ""
    started = "Round 1 has" if state.round == 1 else f"Rounds 1 to {state.round} have"
    return f"{started} started and must stay; later rounds can be changed, added and taken away."


AMENDMENTS = Amendments(("rounds",), judge, note)
