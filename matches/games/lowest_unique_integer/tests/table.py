"""A match on the rules alone, for tests that look closer than a scenario file can."""

from typing import Any

from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic
from matches.games.lowest_unique_integer.state import AuctionState
from tests.games.rules_table import RulesTable


def bid(seat: str, amount: int) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "amount": amount}


def buy(count: int = 1) -> dict[str, Any]:
    return {"type": "buy_chips", "count": count}


WITHDRAW = {"type": "withdraw"}


LENGTHS = {"pregame": "24h", "bid_timer": "24h", "fee_after": "10d", "stop_after": "15d", "decision_time": "24h"}
"""What tests rely on, whatever is usual."""


class Table(RulesTable[AuctionState, AuctionPublic, AuctionPrivate]):
    """A match of this game."""

    game = GAME
    lengths = LENGTHS

    def seat(self, letter: str) -> Any:
        return next(seat for row in self.public.board for seat in row if seat.seat == letter)


def three(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, bob and cat on the board of F8."""
    players = {"ann": {}, "bob": {}, "cat": {}} | openings
    return Table(config={"variant": "F8"} | (config or {}), **players)


def live(**openings: dict[str, int]) -> Table:
    """ann, bob and cat on the board of F8 with the auction open at 0."""
    return three({"pregame": 0}, **openings).until(0)
