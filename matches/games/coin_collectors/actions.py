"""What players can do, and what-if questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from matches.engine.actions import Action, GiveTokens, Vote, action_types
from matches.games.coin_collectors.auctions import Prize
from matches.games.coin_collectors.coins import COINS, HIGHER, Coins
from matches.games.coin_collectors.items import TARGETS


class UsedItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One item in use. Which other fields are needed depends on the kind of item."""

    item: str
    auction: str | UnsetType = UNSET
    coin: str | UnsetType = UNSET
    source: str | UnsetType = msgspec.field(name="from", default=UNSET)

    def __post_init__(self) -> None:
        """Refuse fields that are missing or do not belong to the kind. The rules refuse unknown kinds."""
        wanted = TARGETS.get(self.item)
        if wanted is None:
            return
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
        """The fields that a form must fill in for an item of that kind."""
        return TARGETS.get(given.get("item", ""), ())

    @property
    def on(self) -> str | None:
        """The auction that the item is used on, or None."""
        return None if isinstance(self.auction, UnsetType) else self.auction

    @property
    def ghost(self) -> str | None:
        """The kind of coin that a ghost coin counts as, or None."""
        return None if isinstance(self.coin, UnsetType) else self.coin

    @property
    def changes(self) -> str | None:
        """The kind of coin that alchemy changes."""
        return None if isinstance(self.source, UnsetType) else self.source


class PlaceBids(Action, frozen=True, tag="bid"):
    """Everything that a player does in a round, sealed; replaces the player's earlier submission.

    `bids`: auction -> coins. Each `lift_` flag costs garnets when the round closes.
    """

    bids: dict[str, Coins]
    items: tuple[UsedItem, ...] = ()
    lift_auction_limit: bool = False
    lift_bid_limit: bool = False


ACTIONS = action_types(PlaceBids, Vote, GiveTokens)


class AskShares(Action, frozen=True, tag="shares"):
    """Ask how a prize would be shared if these were all the bids on it: bidder -> coins."""

    bids: dict[str, Coins]
    prize: Prize = Prize()


QUESTIONS = action_types(AskShares)
