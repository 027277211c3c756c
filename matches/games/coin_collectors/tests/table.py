"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from typing import Any

from matches.engine.match_time import parse_duration
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.private_view import CollectorsPrivate
from matches.games.coin_collectors.public_view import CollectorsPublic
from matches.games.coin_collectors.state import CollectorsState
from tests.games.rules_table import RulesTable

Bids = dict[str, dict[str, int]]


def auction(name: str, **prize: Any) -> dict[str, Any]:
    return {"name": name, "prize": prize}


def round_of(*auctions: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {**limits, "auctions": list(auctions)}


def bid(bids: Bids, *items: dict[str, str], **lifts: bool) -> dict[str, Any]:
    return {"type": "bid", "bids": bids, "items": list(items), **lifts}


def use(item: str, auction: str | None = None, coin: str | None = None, source: str | None = None) -> dict[str, str]:
    on = {"auction": auction, "coin": coin, "from": source}
    return {"item": item, **{key: value for key, value in on.items() if value is not None}}


def lift(*limits: str) -> dict[str, bool]:
    return {f"lift_{limit}_limit": True for limit in limits}


LENGTHS = {"pregame": "24h", "round": "24h", "decision_time": "24h"}
"""What tests rely on, whatever is usual."""


class Table(RulesTable[CollectorsState, CollectorsPublic, CollectorsPrivate]):
    """A match of this game."""

    game = GAME
    lengths = LENGTHS

    def amend(self, rounds: list[dict[str, Any]], at: str = "0h") -> Table:
        """A host's other list of rounds."""
        moment = parse_duration(at)
        self.until(moment).steps.append(GAME.amend(self.state, {"rounds": rounds}, moment))
        return self


def three(*rounds: dict[str, Any], openings: dict[str, dict[str, int]] | None = None, **config: Any) -> Table:
    """ann, bob and cat in these rounds; the first of them runs from 0 on."""
    players: dict[str, dict[str, int]] = {"ann": {}, "bob": {}, "cat": {}} | (openings or {})
    return Table(config={"pregame": 0, **config, "rounds": list(rounds)}, **players).until(0)


def with_items(*rounds: dict[str, Any], **items: int) -> Table:
    """Like `three`, where ann has won these items in a round before, for a bronze coin; a round runs from 24h on."""
    shop = round_of(auction("Shop", items=items))
    table = three(shop, *rounds, start={"gold": 2, "silver": 2, "bronze": 3})
    return table.act(0, "ann", bid({"Shop": {"bronze": 1}})).until("24h")
