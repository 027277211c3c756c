"""Chooses the match type for the benchmarks: any with bids of a seat and an amount. No game is named."""

from __future__ import annotations

import msgspec

from matches.engine.game import AnyGame
from matches.games.registry import all_games


def auction_game() -> AnyGame:
    """The first match type with such bids. Exits if there is none."""
    for game in all_games().values():
        bid = game.actions.get("bid")
        if bid and {"seat", "amount"} <= {field.name for field in msgspec.structs.fields(bid)}:
            return game
    raise SystemExit("no match type here has bids of a seat and an amount")
