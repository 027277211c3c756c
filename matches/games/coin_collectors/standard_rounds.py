"""The default rounds: five rounds, made for seven players, each with richer prizes than the one before."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from matches.games.coin_collectors.auctions import Auction, Prize, PrizeItems, Round
from matches.games.coin_collectors.items import ItemWords

replace = msgspec.structs.replace


def _auction(name: str, gold: int, silver: int, bronze: int, garnet: int = 0, **items: int) -> Auction:
    return Auction(name, Prize(gold, silver, bronze, garnet, PrizeItems(**items)))


STANDARD_ROUNDS: tuple[Round, ...] = (
    Round(
        auction_limit=2,
        bid_limit=2,
        auctions=(
            _auction("Bakery", 0, 2, 4),
            _auction("Smithy", 1, 3, 1),
            _auction("Fishmarket", 0, 1, 3, 0, wide_net=1, deep_pockets=1),
        ),
    ),
    Round(
        auction_limit=2,
        bid_limit=3,
        auctions=(
            _auction("Mill", 0, 3, 6),
            _auction("Tavern", 1, 3, 2, 1),
            _auction("Observatory", 0, 2, 2, 0, spyglass=2),
            _auction("Counting house", 2, 1, 0, 0, insurance=1),
        ),
    ),
    Round(
        auction_limit=2,
        bid_limit=3,
        auctions=(
            _auction("Harbour", 1, 6, 4),
            _auction("Crypt", 1, 2, 2, 0, ghost_coin=2),
            _auction("Laboratory", 0, 4, 4, 0, alchemy=2),
            _auction("Mint", 3, 2, 0, 1),
        ),
    ),
    Round(
        auction_limit=3,
        bid_limit=4,
        auctions=(
            _auction("Fairground", 0, 6, 10),
            _auction("Theatre", 2, 5, 3, 1),
            _auction("Guildhall", 1, 4, 4, 0, wide_net=1, deep_pockets=1),
            _auction("Cathedral", 3, 3, 1, 0, insurance=1, ghost_coin=1),
            _auction("Jewel room", 2, 0, 0, 3),
        ),
    ),
    Round(
        auction_limit=3,
        bid_limit=5,
        auctions=(
            _auction("Old quarter", 1, 8, 12),
            _auction("Lighthouse", 2, 7, 4),
            _auction("Exchange", 3, 5, 2, 1),
            _auction("Palace", 4, 3, 0, 2),
            _auction("Royal vault", 5, 1, 0),
        ),
    ),
)


def standard_rounds(items: Mapping[str, ItemWords | None]) -> tuple[Round, ...]:
    """The default rounds for a match with these items; a kind that is left out (None) is in no prize."""
    missing = {kind: 0 for kind, words in items.items() if words is None}
    return tuple(_without(each, missing) for each in STANDARD_ROUNDS)


def _without(each: Round, missing: Mapping[str, int]) -> Round:
    """The round with none of the missing kinds in its prizes."""
    return replace(
        each,
        auctions=tuple(
            replace(a, prize=replace(a.prize, items=replace(a.prize.items, **missing))) for a in each.auctions
        ),
    )
