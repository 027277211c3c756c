"""Accepted bids a second through the rules alone, from decoded JSON to the new state: `python -m benchmarks.rules`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from benchmarks.games import auction_game
from matches.engine.core import RUNNING
from matches.engine.draw import Draw
from matches.engine.playing import to_json
from matches.engine.roster import Entrant


def bids(seats: list[str], players: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Bids that are all accepted: the next amount, seat by seat; each lap another player comes first."""
    number = 0
    while True:
        seat, lap = number % len(seats), number // len(seats)
        number += 1
        yield players[(seat + lap) % len(players)], {"type": "bid", "seat": seats[seat], "amount": number}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--bids", type=int, default=100_000)
    options = parser.parse_args()
    game, draw = auction_game(), Draw(bytes(32))
    roster = tuple(Entrant(f"p{number}") for number in range(options.players))
    # Enough chips for every bid: only accepted bids are to be measured.
    chips = dict.fromkeys(game.endurance, 1000000)
    state = game.open(game.read_config({**game.endurance, **chips}), roster, draw).state
    while state.core.phase != RUNNING:
        state = game.pass_deadline(state, draw).state
    board = to_json(game.public_view(state))["board"]
    good, now = bids([seat["seat"] for row in board for seat in row], list(state.core.handles)), state.core.time
    start = perf_counter()
    for _ in range(options.bids):
        player, action = next(good)
        state = game.submit(state, player, action, now, draw).state
    took = perf_counter() - start
    views = 2000
    start = perf_counter()
    for _ in range(views):
        game.public_view(state)
    per_view = (perf_counter() - start) / views
    print(json.dumps({"bids_per_second": round(options.bids / took), "public_view_us": round(per_view * 1e6, 1)}))


if __name__ == "__main__":
    main()
