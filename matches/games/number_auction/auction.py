"""The arithmetic of a round: which bids go through, who takes which number, and at which price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matches.games.number_auction.state import Lot


class Placed(NamedTuple):
    """A bid in the order in which bids are checked. `running`: the sum of all bids up to this one."""

    number: int
    amount: int
    running: int
    goes_through: bool


def in_order(bids: Mapping[int, int], tokens: int) -> tuple[Placed, ...]:
    """A player's positive bids, lowest amount first (equal amounts: lower number first), compared with `tokens`.

    Bids go through while the running sum fits; the first one that does not fit and all after it are dropped.
    """
    placed, running = [], 0
    for number, amount in sorted(bids.items(), key=lambda bid: (bid[1], bid[0])):
        # Amounts never fall from here on: after the first sum that is too large, all sums are.
        running += amount
        placed.append(Placed(number, amount, running, running <= tokens))
    return tuple(placed)


def spent(placed: Sequence[Placed]) -> int:
    """The cost if every bid that goes through wins for its own amount."""
    return max((bid.running for bid in placed if bid.goes_through), default=0)


def purchase_price(bought: int) -> int:
    """The price in garnets of the next purchase of tokens, after `bought` purchases: 1, 2, 4 …"""
    return 1 << bought


def clear(numbers: Sequence[int], through: Mapping[str, Mapping[int, int]]) -> tuple[Lot, ...]:
    """Each number goes to its highest bid for the second highest price; in a tie for the highest nobody gets it.

    `through`: each player's bids that go through.
    """
    return tuple(
        _lot(number, {who: bids[number] for who, bids in through.items() if number in bids}) for number in numbers
    )


def _lot(number: int, bids: Mapping[str, int]) -> Lot:
    ranked = sorted(bids, key=lambda who: -bids[who])
    if not ranked:
        return Lot(number)
    highest, second = bids[ranked[0]], bids[ranked[1]] if len(ranked) > 1 else 0
    return Lot(number) if highest == second else Lot(number, ranked[0], highest, second)
