"""The arithmetic of a round: which bids go through, who takes which number, and at which price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matches.games.number_auction.state import Lot


class Placed(NamedTuple):
    """A bid in the order in which bids are looked at. `running` is the sum of all up to this one."""

    number: int
    amount: int
    running: int
    goes_through: bool


def in_order(bids: Mapping[int, int], tokens: int) -> tuple[Placed, ...]:
    """A player's positive bids, lowest amount first (equal amounts: lower number first), measured against `tokens`.

    They go through while their running sum fits; the first that does not fit and all behind it are dropped.
    """
    placed, running = [], 0
    for number, amount in sorted(bids.items(), key=lambda bid: (bid[1], bid[0])):
        # Amounts only grow from here on, so behind the first sum that is too large all others are.
        running += amount
        placed.append(Placed(number, amount, running, running <= tokens))
    return tuple(placed)


def spent(placed: Sequence[Placed]) -> int:
    """What the bids that go through cost if each wins for its own amount."""
    return max((bid.running for bid in placed if bid.goes_through), default=0)


def purchase_price(bought: int) -> int:
    """What the next purchase of tokens costs, in garnets, after `bought` of them: 1, 2, 4 …"""
    return 1 << bought


def clear(numbers: Sequence[int], through: Mapping[str, Mapping[int, int]]) -> tuple[Lot, ...]:
    """Each number goes to its highest bid for the second highest price; a tie for the highest takes nothing.

    `through`: for each player the bids that go through.
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
