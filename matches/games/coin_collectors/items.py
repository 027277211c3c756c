"""The kinds of items. Each is declared only here: its name, what its use must specify, where it is in the default
rounds, what it does, and the sentences about it. All other modules use the declarations. (Icons are in `items.svg`.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from matches.engine.sentences import Data, asset_name, joined
from matches.games.coin_collectors.shares import COINS, HIGHER, Coins, one


class ItemWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item's name and description for players; hosts may change both."""

    name: str
    description: str


class BotsRound(NamedTuple):
    """A bot's bids in a round. `left`: its coins in no bid; `first`: the name of the round's first auction; `is_last`:
    whether it is the last round."""

    bids: Mapping[str, Coins]
    left: Coins
    first: str
    is_last: bool


class Item:
    """Base of the kinds of items; by itself it does nothing. Hosts may change its `words`."""

    words = ItemWords("", "")
    targets: tuple[str, ...] = ()
    """The fields that its use must have: `auction`; `coin`, a kind of coin of which one more counts for the shares;
    `from`, a kind of coin of which it changes one (the item is kept if there is none)."""
    usual: Mapping[str, int] = {}
    """Auction of the default rounds -> how many of it are in the prize."""
    lifts = ""
    """The limit that it lifts for its round, `auction_limit` or `bid_limit`."""
    insures = False
    """Whether the coins spent on its auction return if the bid brings nothing."""
    spies = False
    """Whether its user learns everybody's bids on its auction."""

    def lacks(self, used: UsedItem, bid: Coins, name: str) -> tuple[str, str] | None:
        """If the use needs a bid that is missing, the field to blame and a sentence; otherwise None. `bid`: the bid on
        its auction; `name`: the item's name in this match."""
        return None

    def wasted(self, count: int, is_empty: bool) -> str:
        """Why the last of `count` such items on one auction has no effect, whatever others do; empty if it may have
        one. `is_empty`: whether the auction has no prize."""
        return "the second one has no effect." if count > 1 and (self.insures or self.spies) else ""

    def told(self, data: Data, name: str) -> Iterator[str]:
        """Yield sentences on what the item has done, for a player's account of a round."""
        yield from ()

    def tempts(self, bot: BotsRound) -> Iterator[dict[str, str]]:
        """Yield the fields of each use that a bot would make of it, the best first."""
        yield from ()


class WideNet(Item):
    """Lifts the auction limit."""

    words = ItemWords("Wide net", "Lifts the auction limit: in this round you may bid on as many auctions as you like.")
    usual = {"Fishmarket": 1, "Guildhall": 1}
    lifts = "auction_limit"


class DeepPockets(Item):
    """Lifts the bid limit."""

    words = ItemWords(
        "Deep pockets", "Lifts the bid limit: in this round you may put any number of coins on an auction."
    )
    usual = {"Fishmarket": 1, "Guildhall": 1}
    lifts = "bid_limit"


class GhostCoin(Item):
    """Counts as one more coin of a kind in a bid."""

    words = ItemWords(
        "Ghost coin",
        "Choose an auction and a kind of coin of which you bid at least one there. Your bid counts one more such "
        "coin when shares are worked out. The extra coin is never spent and counts for no limit.",
    )
    targets = ("auction", "coin")
    usual = {"Crypt": 2, "Cathedral": 1}

    def lacks(self, used: UsedItem, bid: Coins, name: str) -> tuple[str, str] | None:
        if used.ghost and bid.of(used.ghost):
            return None
        joins = "A ghost coin joins a real one" if name == self.words.name else f"{name} joins a coin"
        return "coin", f"{joins}: bid at least one {used.ghost} coin on {used.on} yourself."

    def wasted(self, count: int, is_empty: bool) -> str:
        return "there is nothing to win." if is_empty else ""

    def tempts(self, bot: BotsRound) -> Iterator[dict[str, str]]:
        for auction, coins in bot.bids.items():
            if coins.highest:
                yield {"auction": auction, "coin": coins.highest}


class Insurance(Item):
    """Brings spent coins back if they brought nothing."""

    words = ItemWords(
        "Insurance",
        "Choose an auction on which you bid. If it brings you nothing at all, the coins you spent there return.",
    )
    targets = ("auction",)
    usual = {"Counting house": 1, "Cathedral": 1}
    insures = True

    def lacks(self, used: UsedItem, bid: Coins, name: str) -> tuple[str, str] | None:
        if bid.total:
            return None
        return "auction", f"{name} covers a bid: bid at least one coin on {used.on} yourself."

    def told(self, data: Data, name: str) -> Iterator[str]:
        if data["insured"]:
            yield f"{name} brought {joined(asset_name(coin, many) for coin, many in data['insured'].items())} back."

    def tempts(self, bot: BotsRound) -> Iterator[dict[str, str]]:
        yield from ({"auction": auction} for auction, coins in bot.bids.items() if coins.gold)


class Spyglass(Item):
    """Shows everybody's bids on an auction."""

    words = ItemWords("Spyglass", "Choose an auction. When the round closes, you alone learn what everybody bid on it.")
    targets = ("auction",)
    usual = {"Observatory": 2}
    spies = True

    def tempts(self, bot: BotsRound) -> Iterator[dict[str, str]]:
        if not bot.is_last:
            yield {"auction": next(iter(bot.bids), bot.first)}


class Alchemy(Item):
    """Changes a coin into one of the next higher kind."""

    words = ItemWords(
        "Alchemy",
        "Choose bronze or silver. When the round closes, one such coin that you brought into the round and still "
        "have becomes one of the next higher kind. If there is none, you keep the item.",
    )
    targets = ("from",)
    usual = {"Laboratory": 2}

    def told(self, data: Data, name: str) -> Iterator[str]:
        yield from (f"1 {coin} coin became {HIGHER[coin]}." for coin in data["changed"])
        if data["kept"]:
            yield f"{name} found no coin to change, so you keep the item."

    def tempts(self, bot: BotsRound) -> Iterator[dict[str, str]]:
        for coin in HIGHER:
            yield from [{"from": coin}] * bot.left.of(coin)


ITEMS: Mapping[str, Item] = {
    "wide_net": WideNet(),
    "deep_pockets": DeepPockets(),
    "ghost_coin": GhostCoin(),
    "insurance": Insurance(),
    "spyglass": Spyglass(),
    "alchemy": Alchemy(),
}
"""Kind -> item, in the order in which they are listed."""

KINDS = tuple(ITEMS)
USUAL_WORDS = {kind: item.words for kind, item in ITEMS.items()}
_NONE = Item()

BROUGHT_BACK = "insurance"
"""The ledger's reason for spent coins that an item brings back."""


def asset_of(kind: str) -> str:
    """The ledger's name of an item."""
    return f"item:{kind}"


def kind_of(asset: str) -> str | None:
    """The kind of item of an asset; None for coins and garnets."""
    return asset.removeprefix("item:") if asset.startswith("item:") else None


def held_items(purse: Mapping[str, int]) -> dict[str, int]:
    """The items in a purse: kind -> amount, without zeros."""
    return {kind: purse[asset_of(kind)] for kind in KINDS if purse.get(asset_of(kind))}


class UsedItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One item in use. Which other fields are needed depends on the kind of item."""

    item: str
    auction: str | UnsetType = UNSET
    coin: str | UnsetType = UNSET
    source: str | UnsetType = msgspec.field(name="from", default=UNSET)

    def __post_init__(self) -> None:
        """Refuse fields that are missing or do not belong to the kind. The rules refuse unknown kinds."""
        if self.item not in ITEMS:
            return
        wanted = self.kind.targets
        given = {"auction": self.auction, "coin": self.coin, "from": self.source}
        for key, value in given.items():
            if (value is not UNSET) != (key in wanted):
                needs = " and ".join(f'"{target}"' for target in wanted) or "nothing else"
                raise ValueError(f'"{self.item}" comes with {needs}')
        if self.coin is not UNSET and self.coin not in COINS:
            raise ValueError('"coin" is "gold", "silver" or "bronze"')
        if self.source is not UNSET and self.source not in HIGHER:
            raise ValueError('"from" is "silver" or "bronze": gold is the highest kind')

    @staticmethod
    def needs(given: Mapping[str, Any]) -> tuple[str, ...]:
        """The fields that a form must fill in for an item of this kind."""
        return ITEMS.get(given.get("item", ""), _NONE).targets

    @property
    def kind(self) -> Item:
        """The item's declaration; for an unknown kind an item that does nothing."""
        return ITEMS.get(self.item, _NONE)

    @property
    def on(self) -> str | None:
        """The auction on which the item is used, or None."""
        return None if isinstance(self.auction, UnsetType) else self.auction

    @property
    def ghost(self) -> str | None:
        """The kind of coin as which a ghost coin counts, or None."""
        return self.coin or None

    @property
    def changes(self) -> str | None:
        """The kind of coin that it changes, or None."""
        return self.source or None


def changing(items: Iterable[UsedItem], coins: Coins) -> Iterator[tuple[UsedItem, str, bool]]:
    """Yield each item that changes a coin, in order, with the kind of coin and whether one of these `coins` is left for
    it. A coin that such an item has made cannot be changed again."""
    for used in items:
        if coin := used.changes:
            is_there = coins.of(coin) > 0
            coins = coins.minus(one(coin)) if is_there else coins
            yield used, coin, is_there
