"""The match that is played, as its rules read, in a few lines that share nothing with the code of the site.

An amount stands at most once on the board; a bid is higher than the one that stands on its seat, and nobody outbids
themselves. Chips are bought for garnets. Nothing is won while the faults last, so that the money is easy to count.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Start(NamedTuple):
    """What every player begins with, and the price of a chip."""

    garnets: int
    chips: int
    price: int


class Auction:
    """The state of one match; `judge`, then `apply` what is accepted."""

    def __init__(self, start: Start, players: list[str]) -> None:
        self.board: dict[str, tuple[str, int]] = {}
        self._start, self._bought = start, dict.fromkeys(players, 0)

    def judge(self, player: str, body: dict[str, Any]) -> str:
        """The code with which the rules refuse an action now; empty for one that they accept."""
        if body["type"] == "buy_chips":
            if body["count"] < 1:
                return "not_positive"
            return "not_enough_garnets" if body["count"] * self._start.price > self.garnets(player) else ""
        return self._judge_bid(player, body["seat"], body["amount"])

    def _judge_bid(self, player: str, seat: str, amount: int) -> str:
        holder, standing = self.board.get(seat, ("", 0))
        if holder == player:
            return "own_bid"
        if amount < 1:
            return "not_positive"
        if amount <= standing:
            return "too_low"
        if amount in {taken for _, taken in self.board.values()}:
            return "amount_taken"
        return "not_enough_chips" if amount > self.chips(player) - self.committed(player) else ""

    def apply(self, player: str, body: dict[str, Any]) -> None:
        """Do an action that is accepted."""
        if body["type"] == "buy_chips":
            self._bought[player] += body["count"]
        else:
            self.board[body["seat"]] = (player, body["amount"])

    def garnets(self, player: str) -> int:
        return self._start.garnets - self._bought[player] * self._start.price

    def chips(self, player: str) -> int:
        return self._start.chips + self._bought[player]

    def committed(self, player: str) -> int:
        """The chips in standing bids."""
        return sum(amount for holder, amount in self.board.values() if holder == player)
