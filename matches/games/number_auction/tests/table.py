"""A match on the rules alone, for tests that look closer than a scenario file can."""

from typing import Any

from matches.games.number_auction import GAME
from matches.games.number_auction.private_view import NumbersPrivate
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.state import NumbersState
from tests.games.rules_table import RulesTable

BUY = {"type": "buy_tokens"}
ASCENDING = list(range(1, 51))
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}


def bid(bids: dict[int, int]) -> dict[str, Any]:
    return {"type": "bid", "bids": {str(number): amount for number, amount in bids.items()}}


def one_each(*numbers: int) -> dict[str, Any]:
    return bid(dict.fromkeys(numbers, 1))


def name(player: str) -> dict[str, Any]:
    return {"type": "name_candidate", "player": player}


LENGTHS = {"pregame": "0h", "first_round": "24h", "round": "24h", "decision_time": "24h"}
"""What tests rely on, whatever is usual."""


class Table(RulesTable[NumbersState, NumbersPublic, NumbersPrivate]):
    """A match of this game."""

    game = GAME
    lengths = LENGTHS


def three(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, bob and cat; the numbers come in ascending order; the first round is open."""
    players = {"ann": {}, "bob": {}, "cat": {}} | openings
    return Table(config={"numbers": ASCENDING} | (config or {}), **players).until(0)


def at_once(**openings: dict[str, int]) -> Table:
    """ann, bob and cat, and one round with all fifty numbers."""
    return Table(config=ONE_ROUND, **({"ann": {}, "bob": {}, "cat": {}} | openings)).until(0)
