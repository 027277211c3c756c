"""Coins, and how a prize is shared among those who bid them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce

import msgspec

from matches.engine.sentences import joined

# -- coins ---------------------------------------------------------------------------------------------

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

    @property
    def words(self) -> str:
        """The coins in words: `1 gold and 2 silver`."""
        return joined(f"{self.of(coin)} {coin}" for coin in COINS if self.of(coin))

    def plus(self, other: Coins) -> Coins:
        """The sum."""
        return Coins(self.gold + other.gold, self.silver + other.silver, self.bronze + other.bronze)

    def minus(self, other: Coins) -> Coins:
        """What is left after the other coins are taken."""
        return Coins(self.gold - other.gold, self.silver - other.silver, self.bronze - other.bronze)

    def only(self, coin: str | None) -> Coins:
        """Only the coins of one kind; no coins for None."""
        return NO_COINS if coin is None else Coins(**{coin: self.of(coin)})


NO_COINS = Coins()


def all_of(coins: Iterable[Coins]) -> Coins:
    """The sum of these coins."""
    return reduce(Coins.plus, coins, NO_COINS)


def one(coin: str) -> Coins:
    """A single coin."""
    return Coins(**{coin: 1})


def held(purse: Mapping[str, int]) -> Coins:
    """The coins in a purse (asset -> amount)."""
    return Coins(**{coin: purse.get(coin, 0) for coin in COINS})


# -- shares ----------------------------------------------------------------------------------------------
# One auction's prize is shared among gold bidders first, then silver, then bronze. Each bidder of the kind of coin gets
# a share of everything that is left, in proportion to their coins, rounded down. What cannot be split goes on to the
# next kind of coin. The order of the bidders never matters.

Goods = dict[str, int]
"""Asset -> amount, without zeros."""


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bid on an auction: coins, and ghost coins, which count only for the shares."""

    coins: Coins
    ghosts: Coins = NO_COINS

    @property
    def weight(self) -> Coins:
        """The coins that count for the shares."""
        return self.coins.plus(self.ghosts)


class Tier(msgspec.Struct, frozen=True):
    """One kind of coin in an auction: what there was to share (`there`), the bidders' coins with ghosts, each bidder's
    share, and what was left."""

    coin: str
    there: Goods
    coins: dict[str, int]
    shares: dict[str, Goods]
    left: Goods

    @property
    def total(self) -> int:
        """All coins of this kind together."""
        return sum(self.coins.values())


class Sharing(msgspec.Struct, frozen=True):
    """A whole auction: one tier for each kind of coin that was bid, what nobody got, and the kind that is spent."""

    tiers: tuple[Tier, ...]
    discarded: Goods
    spent: str | None

    def received(self, player: str) -> Goods:
        """What a player got in all tiers, in the order of the prize."""
        total: Counter[str] = Counter()
        for tier in self.tiers:
            total.update(tier.shares.get(player, {}))
        return {asset: total[asset] for asset in self.tiers[0].there if total[asset]} if self.tiers else {}


def share(prize: Mapping[str, int], stakes: Mapping[str, Stake]) -> Sharing:
    """Share out a prize (asset -> amount) among the bidders (name -> stake)."""
    left: Goods = {asset: amount for asset, amount in prize.items() if amount}
    tiers = []
    for coin in COINS:
        # A ghost coin alone is not a bid: it only adds to real coins.
        coins = {name: stake.weight.of(coin) for name, stake in stakes.items() if stake.coins.of(coin)}
        if coins:
            tier = _tier(coin, left, coins)
            tiers.append(tier)
            left = tier.left
    return Sharing(tuple(tiers), left, tiers[0].coin if tiers else None)


def _tier(coin: str, there: Goods, coins: dict[str, int]) -> Tier:
    total = sum(coins.values())
    shares: dict[str, Goods] = {}
    given: Counter[str] = Counter()
    for name, own in coins.items():
        shares[name] = {asset: part for asset, amount in there.items() if (part := amount * own // total)}
        given.update(shares[name])
    left = {asset: amount - given[asset] for asset, amount in there.items() if amount > given[asset]}
    return Tier(coin, there, coins, shares, left)
