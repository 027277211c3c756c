"""Settled auctions as viewers see them: a player's own account, and the full arithmetic.

The full arithmetic would reveal other players' bids. So while a match runs, a player's account has only their own coins
and what they received. The full arithmetic is shown to players who used a spyglass on that auction, and to everyone
when the match is finished.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from matches.engine.core import GARNET
from matches.games.coin_collectors.bidding import garnet_price
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.items import KINDS, asset_of, changing, kind_of
from matches.games.coin_collectors.shares import COINS, Coins, Goods, Sharing, Stake, all_of
from matches.games.coin_collectors.state import ClosedRound, CollectorsState, Fate, Settled, Submission


class Thing(msgspec.Struct, frozen=True):
    """An amount of something that can be won. `asset` is its name in the ledger (`gold`, `garnet`, `item:alchemy`).

    For items, `item` is the kind and `name` what this match calls it; both are empty for coins and garnets.
    """

    asset: str
    amount: int
    item: str = ""
    name: str = ""


class UsedView(msgspec.Struct, frozen=True):
    """An item in use or used up. `auction`, `coin` and `source` (alchemy's `from`) are None if the item needs none.

    `kept`: there was no coin to change, so the item was not used up.
    """

    item: str
    name: str
    auction: str | None
    coin: str | None
    source: str | None
    kept: bool = False


# -- the whole arithmetic of an auction ----------------------------------------------------------


class BidLine(msgspec.Struct, frozen=True):
    """One bidder's coins on an auction, and the ghost coins that joined them."""

    handle: str
    coins: Coins
    ghosts: Coins


class ShareLine(msgspec.Struct, frozen=True):
    """What a bidder got in one tier for their coins, ghosts included."""

    handle: str
    coins: int
    received: tuple[Thing, ...]


class TierView(msgspec.Struct, frozen=True):
    """One tier: what there was to share, how many coins of its kind were bid, who got what, and what was left."""

    coin: str
    there: tuple[Thing, ...]
    total: int
    shares: tuple[ShareLine, ...]
    left: tuple[Thing, ...]


class SharingView(msgspec.Struct, frozen=True):
    """A whole auction. `spent`: the kind of coin that was spent, None if nobody bid. `discarded`: what nobody got."""

    bids: tuple[BidLine, ...]
    tiers: tuple[TierView, ...]
    spent: str | None
    discarded: tuple[Thing, ...]


_ORDER = (*COINS, GARNET, *map(asset_of, KINDS))

Names = Mapping[str, str]
"""Kind of item -> its name."""


def item_names(config: Config) -> dict[str, str]:
    """The items' names in this match, even of kinds that it leaves out, because a host can still give one to a
    player."""
    return {kind: config.words(kind).name for kind in KINDS}


def things(goods: Goods, names: Names) -> tuple[Thing, ...]:
    """Goods as views show them, in the order coins, garnets, items."""
    shown = []
    for asset in sorted(goods, key=_ORDER.index):
        kind = kind_of(asset)
        shown.append(Thing(asset, goods[asset], kind or "", names[kind] if kind else ""))
    return tuple(shown)


def sharing_view(sharing: Sharing, stakes: Mapping[str, Stake], names: Names) -> SharingView:
    """An auction tier by tier, with everybody's bids."""
    return SharingView(
        bids=tuple(BidLine(handle, stake.coins, stake.ghosts) for handle, stake in stakes.items()),
        tiers=tuple(
            TierView(
                coin=tier.coin,
                there=things(tier.there, names),
                total=tier.total,
                shares=tuple(
                    ShareLine(handle, coins, things(tier.shares[handle], names)) for handle, coins in tier.coins.items()
                ),
                left=things(tier.left, names),
            )
            for tier in sharing.tiers
        ),
        spent=sharing.spent,
        discarded=things(sharing.discarded, names),
    )


def settled_view(each: Settled, names: Names) -> SharingView:
    """A settled auction in full."""
    return sharing_view(each.sharing, {handle: fate.stake for handle, fate in each.fates.items()}, names)


# -- one player's account of a round -------------------------------------------------------------


class OwnTier(msgspec.Struct, frozen=True):
    """The player's own part of a tier: their coins, ghosts included, and what these brought."""

    coin: str
    coins: int
    received: tuple[Thing, ...]


class AuctionAccount(msgspec.Struct, frozen=True):
    """What became of the player's bid on an auction. `bid` is the sum of `spent` and `returned`.

    `tiers`: only of the kinds of coins that the player bid. `insured`: coins that insurance brought back, part of
    `returned`. `spied`: what the player's spyglass shows, None without one.
    """

    auction: str
    bid: Coins
    ghosts: Coins
    tiers: tuple[OwnTier, ...]
    received: tuple[Thing, ...]
    spent: Coins
    returned: Coins
    insured: Coins
    spied: SharingView | None


class RoundAccount(msgspec.Struct, frozen=True):
    """A player's own account of a round, auction by auction.

    `submitted`: there was a submission that counted. `dropped`: the code of the rule that it broke at the close, which
    only happens after a host's correction. `garnets`: spent on lifting limits. `changed`: the kinds of coins
    that alchemy changed. `spent` and `received` are sums over all auctions.
    """

    round: int
    submitted: bool
    dropped: str | None
    auctions: tuple[AuctionAccount, ...]
    items: tuple[UsedView, ...]
    lift_auction_limit: bool
    lift_bid_limit: bool
    garnets: int
    changed: tuple[str, ...]
    spent: Coins
    received: tuple[Thing, ...]


def accounts(state: CollectorsState, player: str) -> tuple[RoundAccount, ...]:
    """A player's account of every closed round; no other player may see it until the match is finished."""
    names = item_names(state.config)
    return tuple(_account(state, number, closed, player, names) for number, closed in enumerate(state.closed, 1))


def _account(
    state: CollectorsState,
    number: int,
    closed: ClosedRound,
    player: str,
    names: Names,
) -> RoundAccount:
    submission = closed.submissions.get(player, Submission())
    fates = [each.fates[player] for each in closed.results if player in each.fates]
    total: Counter[str] = Counter()
    for fate in fates:
        total.update(fate.received)
    return RoundAccount(
        round=number,
        auctions=tuple(_auction_account(each, submission, player, names) for each in closed.results),
        **round_fields(state.config, closed, player, names),
        spent=all_of(fate.spent for fate in fates),
        received=things(total, names),
    )


def _auction_account(each: Settled, submission: Submission, player: str, names: Names) -> AuctionAccount:
    stake = submission.stake(each.name)
    fate = each.fates.get(player, Fate(stake))
    return AuctionAccount(
        auction=each.name,
        bid=stake.coins,
        ghosts=stake.ghosts,
        tiers=tuple(
            OwnTier(tier.coin, tier.coins[player], things(tier.shares[player], names))
            for tier in each.sharing.tiers
            if player in tier.coins
        ),
        received=things(fate.received, names),
        spent=fate.spent,
        returned=fate.returned,
        insured=fate.insured,
        spied=settled_view(each, names) if any(used.kind.spies for used in submission.used_on(each.name)) else None,
    )


def round_fields(config: Config, closed: ClosedRound, player: str, names: Names) -> dict[str, Any]:
    """The fields that views have on what a player did in a closed round besides bidding."""
    changed = closed.changed.get(player, ())
    return {
        "submitted": player in closed.submissions,
        "dropped": closed.dropped.get(player),
        "changed": changed,
        **beside_bids(config, closed.submissions.get(player, Submission()), names, changed),
    }


def beside_bids(
    config: Config, submission: Submission, names: Names, changed: tuple[str, ...] | None = None
) -> dict[str, Any]:
    """The fields that views have on a submission besides bids: items, lifted limits, and their price in garnets."""
    return {
        "items": used_views(submission, names, changed),
        "lift_auction_limit": submission.lift_auction_limit,
        "lift_bid_limit": submission.lift_bid_limit,
        "garnets": garnet_price(config, submission),
    }


def used_views(submission: Submission, names: Names, changed: tuple[str, ...] | None = None) -> tuple[UsedView, ...]:
    """The items of a submission, in order. `changed`: the coins that alchemy changed, once the round is over."""
    wanted = [used.changes for used in submission.items if used.changes] if changed is None else changed
    is_done = iter([is_there for _, _, is_there in changing(submission.items, Coins(**Counter(wanted)))])
    shown = []
    for used in submission.items:
        kept = used.changes is not None and not next(is_done)
        shown.append(UsedView(used.item, names[used.item], used.on, used.ghost, used.changes, kept))
    return tuple(shown)
