"""What can be bid and won: coins, items and garnets, the prizes of auctions, and how a prize is shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Annotated

import msgspec

from matches.engine.core import GARNET

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


def all_of(coins: Iterable[Coins]) -> Coins:
    """All of these together."""
    return reduce(Coins.plus, coins, NO_COINS)


def one(coin: str) -> Coins:
    """A single coin."""
    return Coins(**{coin: 1})


def held(purse: Mapping[str, int]) -> Coins:
    """The coins in a purse (asset -> amount)."""
    return Coins(**{coin: purse.get(coin, 0) for coin in COINS})


# -- items ---------------------------------------------------------------------------------------------

WIDE_NET = "wide_net"
DEEP_POCKETS = "deep_pockets"
GHOST_COIN = "ghost_coin"
INSURANCE = "insurance"
SPYGLASS = "spyglass"
ALCHEMY = "alchemy"


class ItemWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item's name and description for players; hosts may change both."""

    name: str
    description: str


_ITEMS: Mapping[str, tuple[tuple[str, ...], ItemWords]] = {
    WIDE_NET: (
        (),
        ItemWords("Wide net", "Lifts the auction limit: in this round you may bid on as many auctions as you like."),
    ),
    DEEP_POCKETS: (
        (),
        ItemWords("Deep pockets", "Lifts the bid limit: in this round you may put any number of coins on an auction."),
    ),
    GHOST_COIN: (
        ("auction", "coin"),
        ItemWords(
            "Ghost coin",
            "Choose an auction and a kind of coin of which you bid at least one there. Your bid counts one more such "
            "coin when shares are worked out. The extra coin is never spent and counts for no limit.",
        ),
    ),
    INSURANCE: (
        ("auction",),
        ItemWords(
            "Insurance",
            "Choose an auction on which you bid. If it brings you nothing at all, the coins you spent there return.",
        ),
    ),
    SPYGLASS: (
        ("auction",),
        ItemWords("Spyglass", "Choose an auction. When the round closes, you alone learn what everybody bid on it."),
    ),
    ALCHEMY: (
        ("from",),
        ItemWords(
            "Alchemy",
            "Choose bronze or silver. When the round closes, one such coin that you brought into the round and still "
            "have becomes one of the next higher kind. If there is none, you keep the item.",
        ),
    ),
}
"""A kind of item -> the fields that its use must name, and what it is usually called and said to do."""

KINDS = tuple(_ITEMS)
TARGETS = {kind: targets for kind, (targets, _) in _ITEMS.items()}
USUAL_WORDS = {kind: words for kind, (_, words) in _ITEMS.items()}


def asset_of(kind: str) -> str:
    """The ledger's name of an item."""
    return f"item:{kind}"


def kind_of(asset: str) -> str | None:
    """The kind of item of an asset; None for coins and garnets."""
    return asset.removeprefix("item:") if asset.startswith("item:") else None


def held_items(purse: Mapping[str, int]) -> dict[str, int]:
    """The items in a purse: kind -> amount, without zeros."""
    return {kind: purse[asset_of(kind)] for kind in KINDS if purse.get(asset_of(kind))}


def each_there(coins: Coins, wanted: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The wanted kinds of coins, in order, each with whether there is still one of it. So alchemy works: a coin that it
    has made cannot be changed again."""
    for coin in wanted:
        is_there = coins.of(coin) > 0
        coins = coins.minus(one(coin)) if is_there else coins
        yield coin, is_there


# -- auctions ------------------------------------------------------------------------------------------

MOST = 1_000_000

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class PrizeItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many items of each kind are in a prize."""

    wide_net: Amount = 0
    deep_pockets: Amount = 0
    ghost_coin: Amount = 0
    insurance: Amount = 0
    spyglass: Amount = 0
    alchemy: Amount = 0


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an auction has to share out; kinds left out are 0."""

    gold: Amount = 0
    silver: Amount = 0
    bronze: Amount = 0
    garnet: Amount = 0
    items: PrizeItems = PrizeItems()

    @property
    def goods(self) -> dict[str, int]:
        """Asset -> amount, coins first, nothing with 0."""
        amounts = {coin: getattr(self, coin) for coin in COINS} | {GARNET: self.garnet}
        amounts |= {asset_of(kind): getattr(self.items, kind) for kind in KINDS}
        return {asset: amount for asset, amount in amounts.items() if amount}


class Auction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One auction of a round. No other auction in the match has its name."""

    name: str
    prize: Prize = Prize()


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round: on how many auctions a player may bid, how many coins on each, and what is auctioned."""

    auction_limit: Amount = 2
    bid_limit: Amount = 3
    auctions: tuple[Auction, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The auctions' names, in order."""
        return tuple(auction.name for auction in self.auctions)


def auctions_of(rounds: tuple[Round, ...]) -> Iterator[tuple[str, Auction]]:
    """Every auction with its path in the list of rounds, such as `[0].auctions[2]`."""
    for number, each in enumerate(rounds):
        for place, auction in enumerate(each.auctions):
            yield f"[{number}].auctions[{place}]", auction


# -- shares ----------------------------------------------------------------------------------------------
# How one auction's prize is shared: gold first, then silver, then bronze.
#
# Each bidder of the coin gets a share of everything that is left, in proportion to their coins, rounded down. What
# cannot be split goes on to the next kind of coin. The order of the bidders never matters.

Goods = dict[str, int]
"""Asset -> amount, without zeros."""


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bid on an auction: coins, and ghost coins, which only count for the shares."""

    coins: Coins
    ghosts: Coins = NO_COINS

    @property
    def weight(self) -> Coins:
        """The coins that count for the shares."""
        return self.coins.plus(self.ghosts)


class Tier(msgspec.Struct, frozen=True):
    """The bidders of one kind of coin: what there was to share, their coins with ghosts, each share, what was left."""

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
