"""What a submission would use up for nothing, whatever others do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import msgspec

from matches.engine.ledger import GARNET
from matches.engine.sentences import counted
from matches.games.coin_collectors.actions import PlaceBids
from matches.games.coin_collectors.items import DEEP_POCKETS, GHOST_COIN, INSURANCE, SPYGLASS, WIDE_NET


class Waste(msgspec.Struct, frozen=True):
    """Something that would be used up for nothing: `thing` is `garnet` or a kind of item, `why` a sentence."""

    thing: str
    why: str


def wasted(
    asked: PlaceBids, auction_limit: int, bid_limit: int, empty: Collection[str], names: Mapping[str, str]
) -> tuple[Waste, ...]:
    """What would be used up for nothing in a round with these limits.

    `empty`: the auctions that have nothing to win; `names`: kind -> what the player's items are called.
    """
    bids = [coins.total for coins in asked.bids.values() if coins.total]
    most = max(bids, default=0)
    enough = f"you bid on {counted(len(bids), 'auction')}, and {auction_limit} are allowed anyway."
    few = f"your highest bid is {counted(most, 'coin')}, and {bid_limit} are allowed anyway."
    return (
        *_of_lifting(asked, asked.lift_auction_limit, WIDE_NET, len(bids) > auction_limit, enough, names),
        *_of_lifting(asked, asked.lift_bid_limit, DEEP_POCKETS, most > bid_limit, few, names),
        *_of_items(asked, empty, names),
    )


def _of_lifting(
    asked: PlaceBids, for_garnets: bool, kind: str, needed: bool, why: str, names: Mapping[str, str]
) -> tuple[Waste, ...]:
    """Of everything that lifts one limit, all is wasted if nothing exceeds it, and else all but the first."""
    limit = "auction limit" if kind == WIDE_NET else "bid limit"
    lifters = [kind] * sum(used.item == kind for used in asked.items) + [GARNET] * for_garnets
    if needed:
        lifters, why = lifters[1:], f"the {limit} is lifted already."
    return tuple(
        Waste(thing, f"{_called(thing, limit, names)} would be used up for nothing: {why}") for thing in lifters
    )


def _called(thing: str, limit: str, names: Mapping[str, str]) -> str:
    return f"The garnet for the {limit}" if thing == GARNET else names[thing]


def _of_items(asked: PlaceBids, empty: Collection[str], names: Mapping[str, str]) -> tuple[Waste, ...]:
    found = []
    seen: Counter[tuple[str, str | None]] = Counter()
    for used in asked.items:
        seen[used.item, used.on] += 1
        if used.item in (INSURANCE, SPYGLASS) and seen[used.item, used.on] > 1:
            found.append(Waste(used.item, f"{names[used.item]} on {used.on}: the second one does nothing more."))
        if used.item == GHOST_COIN and used.on in empty:
            found.append(Waste(used.item, f"{names[used.item]} on {used.on}: there is nothing to win."))
    return tuple(found)
