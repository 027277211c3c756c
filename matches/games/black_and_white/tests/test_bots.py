"""Bots play to win, and in time also where a turn is short."""

from datetime import timedelta
from random import Random

from matches.engine.draw import Draw
from matches.engine.settings import Entrant
from matches.engine.simulation import bot_match
from matches.games.black_and_white import GAME
from matches.games.black_and_white.tests.table import duel, place

ROSTER = (Entrant("ann"), Entrant("bob"))


def _duel(seed: int) -> str | None:
    """Who wins: ann, who is a bot, or bob, who places anything."""
    chance, table = Random(seed), duel()
    while (player := table.state.on_turn) is not None:
        at = table.state.core.time + timedelta(minutes=5)
        action = place(chance.randint(0, table.private("bob").points))
        if player == "ann":
            action = GAME.bot_play(table.public, table.private("ann"), at, Draw(chance.randbytes(32))) or action
        table.act(at, player, action)
    return table.public.result and table.public.result.winner


def test_a_bot_nearly_always_beats_who_places_anything() -> None:
    assert sum(_duel(seed) == "ann" for seed in range(40)) > 36


def test_bots_are_in_time_at_forty_seconds_a_turn() -> None:
    config = GAME.read_config({"move_time": 40})
    events = list(bot_match(GAME, config, ROSTER, bytes(32)))
    assert [event for event in events if not event.player] == events[:1]
