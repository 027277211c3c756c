"""The types of what is auctioned: rounds, their auctions, and the prize of each auction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from matches.engine.ledger import GARNET
from matches.games.coin_collectors.coins import COINS
from matches.games.coin_collectors.items import KINDS, asset_of

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
