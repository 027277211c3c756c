"""What-ifs: how a prize would be shared among typed bids, and what a player's own submission would cost or waste."""

from collections import Counter
from collections.abc import Collection, Mapping

import msgspec

from matches.engine.actions import Action
from matches.engine.core import GARNET
from matches.engine.errors import MALFORMED, NOT_POSITIVE, Rejected
from matches.engine.sentences import counted
from matches.games.coin_collectors.account_views import SharingView, Thing, sharing_view, things
from matches.games.coin_collectors.bidding import AUCTION_LIMIT, BID_LIMIT
from matches.games.coin_collectors.config import MOST
from matches.games.coin_collectors.items import USUAL_WORDS, changing
from matches.games.coin_collectors.private_view import CollectorsPrivate
from matches.games.coin_collectors.public_view import CollectorsPublic
from matches.games.coin_collectors.shares import COINS, HIGHER, NO_COINS, Coins, Stake, all_of, one, share
from matches.games.coin_collectors.state import AskShares, PlaceBids

# -- waste -----------------------------------------------------------------------------------------------
# What a submission would use up for nothing, whatever others do.


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
    enough = f"you bid on {counted(len(bids), 'auction')}, and you may bid on {auction_limit} anyway."
    few = f"your highest bid is {counted(most, 'coin')}, and you may bid {bid_limit} anyway."
    return (
        *_of_lifting(asked, AUCTION_LIMIT, asked.lift_auction_limit, len(bids) > auction_limit, enough, names),
        *_of_lifting(asked, BID_LIMIT, asked.lift_bid_limit, most > bid_limit, few, names),
        *_of_items(asked, empty, names),
    )


def _of_lifting(
    asked: PlaceBids, limit: str, for_garnets: bool, needed: bool, why: str, names: Mapping[str, str]
) -> tuple[Waste, ...]:
    """The waste among everything that lifts one limit: all of it if no bid needs it, otherwise all but the first."""
    called = limit.replace("_", " ")
    lifters = [used.item for used in asked.items if used.kind.lifts == limit] + [GARNET] * for_garnets
    if needed:
        lifters, why = lifters[1:], f"the {called} is already lifted."
    names = {**names, GARNET: f"the garnet for the {called}"}
    return tuple(Waste(thing, f"You would use up {names[thing]} for nothing: {why}") for thing in lifters)


def _of_items(asked: PlaceBids, empty: Collection[str], names: Mapping[str, str]) -> tuple[Waste, ...]:
    found = []
    seen: Counter[tuple[str, str | None]] = Counter()
    for used in asked.items:
        seen[used.item, used.on] += 1
        if why := used.kind.wasted(seen[used.item, used.on], used.on in empty):
            found.append(Waste(used.item, f"{names[used.item]} on {used.on}: {why}"))
    return tuple(found)


# -- what if -------------------------------------------------------------------------------------------

MOST_BIDDERS = 30
_LONGEST_NAME = 40

# -- how a prize would be shared -----------------------------------------------------------------


class BidderLine(msgspec.Struct, frozen=True):
    """What a bidder would get, which coins they would spend, and which would come back."""

    name: str
    received: tuple[Thing, ...]
    spent: Coins
    returned: Coins


class SharesAnswer(msgspec.Struct, frozen=True):
    """The shares tier by tier, and each bidder's total."""

    sharing: SharingView
    bidders: tuple[BidderLine, ...]


def answer(question: Action, public: CollectorsPublic | None, private: CollectorsPrivate | None) -> SharesAnswer:
    """How a prize would be shared if these were all the bids. Raises `Rejected`.

    Items have their names in this match if they have been explained there.
    """
    if not isinstance(question, AskShares):
        raise TypeError(f"{type(question).__name__} is not asked in this game")
    _check(question)
    names = {kind: words.name for kind, words in USUAL_WORDS.items()}
    if public is not None:
        names |= {item.item: item.name for item in public.items}
    stakes = {name: Stake(coins) for name, coins in question.bids.items() if coins.total}
    sharing = share(question.prize.goods, stakes)
    return SharesAnswer(
        sharing_view(sharing, stakes, names),
        tuple(
            BidderLine(
                name=name,
                received=things(sharing.received(name), names),
                spent=stake.coins.only(sharing.spent),
                returned=stake.coins.minus(stake.coins.only(sharing.spent)),
            )
            for name, stake in stakes.items()
        ),
    )


def _check(question: AskShares) -> None:
    if len(question.bids) > MOST_BIDDERS:
        raise Rejected(MALFORMED, f"Enter the bids of at most {MOST_BIDDERS} players.", field="bids")
    for name, coins in question.bids.items():
        if len(name) > _LONGEST_NAME:
            message = f"Give each player a name of at most {_LONGEST_NAME} characters."
            raise Rejected(MALFORMED, message, field="bids")
        for coin in COINS:
            field = f"bids.{name}.{coin}"
            if coins.of(coin) < 0:
                raise Rejected(NOT_POSITIVE, "Enter 0 or more coins. 0 means none.", field=field)
            if coins.of(coin) > MOST:
                raise Rejected(MALFORMED, f"Enter at most {MOST} coins.", field=field)


# -- what a submission would cost ----------------------------------------------------------------


class BidForecast(msgspec.Struct, frozen=True):
    """The player's bid on an auction. `at_risk`: its highest coins, which may be spent; lower ones come back.
    `insured`: whether coins at risk come back if the bid brings nothing."""

    auction: str
    at_risk: Coins
    insured: bool


class ChangeForecast(msgspec.Struct, frozen=True):
    """What an item will do to a coin of the kind `coin`: surely change one into the kind `becomes` (`is_sure`), change
    one only if one at risk comes back (`is_possible`), or change none, so that the player keeps the item."""

    name: str
    coin: str
    becomes: str
    is_sure: bool
    is_possible: bool


class Forecast(msgspec.Struct, frozen=True):
    """What a submission would cost and leave, whatever others do.

    `back`: coins that certainly come back. `at_worst`: coins left if everything at risk is spent, without winnings,
    after what alchemy certainly does. `garnets`: taken at the close; `garnets_left`: left after that. `wasted`: what
    would be used up for nothing. `changes`: what each alchemy does, in order.
    """

    bids: tuple[BidForecast, ...]
    back: Coins
    at_worst: Coins
    garnets: int
    garnets_left: int
    wasted: tuple[Waste, ...] = ()
    changes: tuple[ChangeForecast, ...] = ()


def forecast(public: CollectorsPublic, private: CollectorsPrivate, action: Action) -> Forecast | None:
    """The effects of a submission that the rules would accept; None for decisions and between rounds."""
    if not isinstance(action, PlaceBids) or public.current is None:
        return None
    # In the board's order: decoded bids come sorted by name.
    coins = [(each.name, action.bids.get(each.name, NO_COINS)) for each in public.current.auctions]
    insured = {used.on for used in action.items if used.kind.insures}
    bids = tuple(BidForecast(name, there.only(there.highest), name in insured) for name, there in coins if there.total)
    bid, risk = all_of(there for _, there in coins), all_of(each.at_risk for each in bids)
    names = {item.item: item.name for item in private.items}
    changes, at_worst = _changed(action, private.coins, private.coins.minus(risk), names)
    garnets = public.limit_price * (action.lift_auction_limit + action.lift_bid_limit)
    return Forecast(
        bids=bids,
        back=bid.minus(risk),
        at_worst=at_worst,
        garnets=garnets,
        garnets_left=private.garnets - garnets,
        wasted=wasted(
            action,
            public.current.auction_limit,
            public.current.bid_limit,
            {each.name for each in public.current.auctions if not each.prize},
            names,
        ),
        changes=changes,
    )


def _changed(
    action: PlaceBids, held: Coins, left: Coins, names: Mapping[str, str]
) -> tuple[tuple[ChangeForecast, ...], Coins]:
    """What each item that changes a coin will do at the close, and the coins that are then left at worst. `left`: the
    coins at worst before that, of those `held`."""
    surely, possibly = changing(action.items, left), changing(action.items, held)
    found = tuple(
        ChangeForecast(names.get(used.item, ""), coin, HIGHER[coin], is_sure, is_possible)
        for (used, coin, is_sure), (_, _, is_possible) in zip(surely, possibly, strict=True)
    )
    for coin in (each.coin for each in found if each.is_sure):
        left = left.minus(one(coin)).plus(one(HIGHER[coin]))
    return found, left
