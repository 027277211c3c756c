"""Starting and closing rounds."""

from __future__ import annotations

import msgspec

from matches.engine.core import RUNNING
from matches.engine.draw import Draw
from matches.engine.step import Turn
from matches.games.coin_collectors import result, settling
from matches.games.coin_collectors.state import CollectorsState

replace = msgspec.structs.replace


def advance(turn: Turn, state: CollectorsState, draw: Draw) -> CollectorsState:
    """Close the running round, if there is one, and start the next; after the last round, end the play."""
    turn.touch_all()
    if state.round:
        closed = settling.close(turn, state)
        state = replace(state, sealed={}, closed=(*state.closed, closed))
    if state.round == len(state.config.rounds):
        return result.conclude(turn, state, draw)
    turn.phase = RUNNING
    state = replace(state, round=state.round + 1)
    _announce_round(turn, state)
    return state


def _announce_round(turn: Turn, state: CollectorsState) -> None:
    config, number = state.config, state.round
    this = config.rounds[number - 1]
    turn.announce(
        "round_started",
        round=number,
        rounds=len(config.rounds),
        auctions=list(this.names),
        auction_limit=this.auction_limit,
        bid_limit=this.bid_limit,
    )
    before = config.appeared(number - 1)
    for kind in config.appeared(number):
        if kind not in before:
            words = config.words(kind)
            turn.announce("item_explained", item=kind, name=words.name, description=words.description)
