"""Buying something for garnets during a match: the checks, the payment, and the same messages in every game."""

from __future__ import annotations

from matches.engine.core import Core
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.ledger import GARNET, MOST, balance
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.engine.views import Remedy


def can_pay(core: Core, player: str, price: int) -> bool:
    """Whether this player could pay this many garnets now. Where credit is given, it has a limit too."""
    return not price or _spendable(core, player) >= price


def affordable(core: Core, player: str, asset: str, price: int) -> int:
    """How many of an asset this player could buy at once at this price in garnets each; nobody can hold more than
    `MOST` of it."""
    room = MOST - balance(core.purses, player, asset)
    return min(max(_spendable(core, player), 0) // price, room) if price else room


def _spendable(core: Core, player: str) -> int:
    return balance(core.purses, player, GARNET) + (MOST if core.garnet_credit else 0)


def buy_chips(turn: Turn, player: str, asset: str, count: int, price: int) -> None:
    """Buy chips (`asset`) for `price` garnets each, privately. Raises `Rejected`: `not_positive`,
    `not_enough_garnets`.
    """
    if count < 1:
        raise Rejected(NOT_POSITIVE, "Buy a positive whole number of chips.", field="count")
    most = affordable(turn.core(), player, asset, price)
    if count > most:
        raise Rejected(
            NOT_ENOUGH_GARNETS,
            f"Chips cost {counted(price, 'garnet')} each and you have {turn.balance(player, GARNET)}: "
            f"you can buy {f'at most {most}' if most else 'none'}.",
            field="count",
        )
    turn.pay(player, GARNET, count * price, "chips_bought")
    turn.earn(player, asset, count, "chips_bought")
    turn.tell(player, "chips_bought", count=count, garnets=count * price)


def chips_missing(short: int, price: int, most: int) -> Remedy | None:
    """The purchase of the chips that an action is short of, at this price in garnets each; None if the player cannot
    buy so many."""
    if not 0 < short <= most:
        return None
    return Remedy("buy_chips", "count", short, f"Buy {counted(short, 'chip')} for {counted(short * price, 'garnet')}")
