"""Amounts of gold, silver and bronze coins."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

COINS: tuple[str, ...] = ("gold", "silver", "bronze")
"""The kinds of coins, highest first: the order in which their bidders get their shares."""

HIGHER: Mapping[str, str] = {"silver": "gold", "bronze": "silver"}
"""A kind of coin -> the next higher one."""


class Coins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of coins of each kind; kinds left out are 0."""

    gold: int = 0
    silver: int = 0
    bronze: int = 0

    def of(self, coin: str) -> int:
        """How many there are of one kind."""
        amount: int = getattr(self, coin)
        return amount

    @property
    def total(self) -> int:
        """The number of coins of all kinds."""
        return self.gold + self.silver + self.bronze

    @property
    def highest(self) -> str | None:
        """The highest kind with at least one coin; None if there are no coins."""
        return next((coin for coin in COINS if self.of(coin) > 0), None)

    def plus(self, other: Coins) -> Coins:
        """The sum."""
        return Coins(self.gold + other.gold, self.silver + other.silver, self.bronze + other.bronze)

    def minus(self, other: Coins) -> Coins:
        """What is left after the other coins are taken."""
        return Coins(self.gold - other.gold, self.silver - other.silver, self.bronze - other.bronze)

    def only(self, coin: str | None) -> Coins:
        """The coins of one kind alone; no coins for None."""
        return NO_COINS if coin is None else Coins(**{coin: self.of(coin)})


NO_COINS = Coins()


def one(coin: str) -> Coins:
    """A single coin."""
    return Coins(**{coin: 1})


def held(purse: Mapping[str, int]) -> Coins:
    """The coins in a purse (asset -> amount)."""
    return Coins(**{coin: purse.get(coin, 0) for coin in COINS})
