"""Buying something for garnets during a match, at once: what it comes to, and the same words in every game."""

from __future__ import annotations

from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.ledger import GARNET, MOST, Purses, balance
from matches.engine.sentences import counted
from matches.engine.step import Turn


def spendable(purses: Purses, player: str, *, on_credit: bool) -> int:
    """Whole garnets that this player could spend at once; credit ends far away."""
    return balance(purses, player, GARNET) + (MOST if on_credit else 0)


def affordable(purses: Purses, player: str, asset: str, price: int, *, on_credit: bool) -> int:
    """The most of an asset, at so many garnets each, that this player could buy at once; no purse holds more than
    `MOST` of it."""
    room = MOST - balance(purses, player, asset)
    return min(max(spendable(purses, player, on_credit=on_credit), 0) // price, room) if price else room


def buy_chips(turn: Turn, player: str, asset: str, count: int, price: int, most: int) -> None:
    """Chips (`asset`) for `price` garnets each, privately; `most` is what is `affordable`.

    Raises `Rejected`: `not_positive`, `not_enough_garnets`.
    """
    if count < 1:
        raise Rejected(NOT_POSITIVE, "Buy a positive whole number of chips.", field="count")
    if count > most:
        raise Rejected(
            NOT_ENOUGH_GARNETS,
            f"Chips cost {counted(price, 'garnet')} each and you have {turn.balance(player, GARNET)}: "
            f"you can buy at most {most}.",
            field="count",
        )
    turn.pay(player, GARNET, count * price, "chips_bought")
    turn.earn(player, asset, count, "chips_bought")
    turn.tell(player, "chips_bought", count=count, garnets=count * price)
