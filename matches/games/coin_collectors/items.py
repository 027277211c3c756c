"""The kinds of items: their usual names and descriptions, and what a player must name when using one."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

WIDE_NET = "wide_net"
DEEP_POCKETS = "deep_pockets"
GHOST_COIN = "ghost_coin"
INSURANCE = "insurance"
SPYGLASS = "spyglass"
ALCHEMY = "alchemy"

KINDS = (WIDE_NET, DEEP_POCKETS, GHOST_COIN, INSURANCE, SPYGLASS, ALCHEMY)

TARGETS: Mapping[str, tuple[str, ...]] = {
    WIDE_NET: (),
    DEEP_POCKETS: (),
    GHOST_COIN: ("auction", "coin"),
    INSURANCE: ("auction",),
    SPYGLASS: ("auction",),
    ALCHEMY: ("from",),
}
"""A kind of item -> the fields that its use must name."""


class ItemWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item's name and description for players; hosts may change both."""

    name: str
    description: str


USUAL_WORDS: Mapping[str, ItemWords] = {
    WIDE_NET: ItemWords(
        "Wide net", "Lifts the auction limit: in this round you may bid on as many auctions as you like."
    ),
    DEEP_POCKETS: ItemWords(
        "Deep pockets", "Lifts the bid limit: in this round you may put any number of coins on an auction."
    ),
    GHOST_COIN: ItemWords(
        "Ghost coin",
        "Choose an auction and a kind of coin of which you bid at least one there. Your bid counts one more such "
        "coin when shares are worked out. The extra coin is never spent and counts for no limit.",
    ),
    INSURANCE: ItemWords(
        "Insurance",
        "Choose an auction on which you bid. If it brings you nothing at all, the coins you spent there return.",
    ),
    SPYGLASS: ItemWords(
        "Spyglass", "Choose an auction. When the round closes, you alone learn what everybody bid on it."
    ),
    ALCHEMY: ItemWords(
        "Alchemy",
        "Choose bronze or silver. When the round closes, one such coin that you brought into the round and still have "
        "becomes one of the next higher kind. If there is none, you keep the item.",
    ),
}


def asset_of(kind: str) -> str:
    """The ledger's name of an item."""
    return f"item:{kind}"


def kind_of(asset: str) -> str | None:
    """The kind of item of an asset; None for coins and garnets."""
    return asset.removeprefix("item:") if asset.startswith("item:") else None


def held_items(purse: Mapping[str, int]) -> dict[str, int]:
    """The items in a purse: kind -> amount, without zeros."""
    return {kind: purse[asset_of(kind)] for kind in KINDS if purse.get(asset_of(kind))}
