"""Checking a submission against the rules of bidding, in the order in which their codes are documented."""

from collections import Counter

from matches.engine import sealed_rounds
from matches.engine.actions import GiveTokens, Moves, Vote, action_types
from matches.engine.core import DECISION, GARNET, PREGAME, RUNNING, Phase
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.games.coin_collectors.config import Config, Round
from matches.games.coin_collectors.items import ITEMS, KINDS, USUAL_WORDS, asset_of
from matches.games.coin_collectors.shares import COINS, NO_COINS
from matches.games.coin_collectors.state import CollectorsState, PlaceBids, Submission

UNKNOWN_AUCTION = "unknown_auction"
NOT_ENOUGH_COINS = "not_enough_coins"
AUCTION_LIMIT = "auction_limit"
BID_LIMIT = "bid_limit"
UNKNOWN_ITEM = "unknown_item"
NOT_ENOUGH_ITEMS = "not_enough_items"
ITEM_NEEDS_BID = "item_needs_bid"

REFUSALS = {
    UNKNOWN_AUCTION: "This round has no auction with that name.",
    NOT_ENOUGH_COINS: "You do not have enough coins for these bids.",
    AUCTION_LIMIT: "You bid on more auctions than this round allows.",
    BID_LIMIT: "One of your bids has more coins than this round allows on one auction.",
    UNKNOWN_ITEM: "There is no such item.",
    NOT_ENOUGH_ITEMS: "You do not hold this item.",
    ITEM_NEEDS_BID: "The item works only on an auction that you bid on.",
}

Asked = PlaceBids | Submission

POSSIBLE: dict[Phase, str] = {
    PREGAME: "Nothing can be done in the pregame: bids are taken from the start of round 1 on.",
    RUNNING: "A round is running: you can seal your bids for it. Nothing is to be decided yet.",
    DECISION: "All rounds are over. Only the candidate and surplus tokens are still to be decided.",
}


def seal(turn: Turn, state: CollectorsState, player: str, action: PlaceBids) -> CollectorsState:
    """Seal a submission for this round; it replaces the earlier one. Nothing is taken before the close."""
    judge(turn, state.config, state.round, player, action)
    return sealed_rounds.seal(turn, state, player, written(action, state.config.rounds[state.round - 1]))


def written(action: PlaceBids, this: Round) -> Submission:
    """An accepted submission as it is stored: in the order of the round's auctions, without empty bids."""
    bids = {name: action.bids[name] for name in this.names if name in action.bids and action.bids[name].total}
    return Submission(bids, action.items, action.lift_auction_limit, action.lift_bid_limit)


def is_lifted(asked: Asked, limit: str) -> bool:
    """Whether a limit is lifted, by a garnet or an item."""
    return getattr(asked, f"lift_{limit}") or any(used.kind.lifts == limit for used in asked.items)


def garnet_price(config: Config, asked: Asked) -> int:
    """The price in garnets of the limits that are lifted."""
    return config.limit_price * (asked.lift_auction_limit + asked.lift_bid_limit)


def judge(turn: Turn, config: Config, number: int, player: str, asked: Asked) -> None:
    """Raise `Rejected` for the first rule that a submission for round `number` breaks."""
    this = config.rounds[number - 1]
    _judge_auctions(this, asked)
    _judge_coins(turn, player, asked)
    _judge_limits(turn, config, this, player, asked)
    _judge_items(turn, config, number, player, asked)
    _judge_targets(config, this, asked)
    _judge_garnets(turn, config, player, asked)


def _judge_auctions(this: Round, asked: Asked) -> None:
    for name in asked.bids:
        if name not in this.names:
            raise Rejected(UNKNOWN_AUCTION, _no_such_auction(this), field=f"bids.{name}")
    for name, coins in asked.bids.items():
        for coin in COINS:
            if coins.of(coin) < 0:
                message = f"Bid 0 or more {coin} coins on {name}; 0 means none."
                raise Rejected(NOT_POSITIVE, message, field=_at(name, coin))


def _no_such_auction(this: Round) -> str:
    if not this.names:
        return "There is no auction in this round."
    return f"There is no such auction in this round. Its auctions are {joined(this.names)}."


def _at(name: str, coin: str) -> str:
    return f"bids.{name}.{coin}"


def _judge_coins(turn: Turn, player: str, asked: Asked) -> None:
    for coin in COINS:
        bid, held = sum(coins.of(coin) for coins in asked.bids.values()), turn.balance(player, coin)
        if bid > held:
            name = next(name for name in asked.bids if asked.bids[name].of(coin))
            many = bid if bid < 10**9 else "that many"
            message = f"You have {counted(held, f'{coin} coin')}, so your bids may hold {held} in all, not {many}."
            raise Rejected(NOT_ENOUGH_COINS, message, field=_at(name, coin))


def _judge_limits(turn: Turn, config: Config, this: Round, player: str, asked: Asked) -> None:
    taken = [name for name, coins in asked.bids.items() if coins.total]
    if len(taken) > this.auction_limit and not is_lifted(asked, AUCTION_LIMIT):
        message = (
            f"You bid on {counted(len(taken), 'auction')}; this round allows {this.auction_limit}. "
            f"Bid on fewer{_or_lift(turn, config, player, asked, AUCTION_LIMIT)}."
        )
        raise Rejected(AUCTION_LIMIT, message, field="bids")
    if is_lifted(asked, BID_LIMIT):
        return
    for name in taken:
        if (total := asked.bids[name].total) > this.bid_limit:
            message = (
                f"You bid {counted(total, 'coin')} on {name}; this round allows {this.bid_limit} on one auction. "
                f"Bid fewer{_or_lift(turn, config, player, asked, BID_LIMIT)}."
            )
            raise Rejected(BID_LIMIT, message, field=_at(name, asked.bids[name].highest or ""))


def _or_lift(turn: Turn, config: Config, player: str, asked: Asked, limit: str) -> str:
    """How this player could lift the limit: for garnets, if they can pay them besides other lifted limits, or with an
    item that they hold. Empty if they cannot."""
    ways = []
    if turn.can_pay(player, GARNET, garnet_price(config, asked) + config.limit_price):
        ways.append(f"for {counted(config.limit_price, 'garnet')}")
    for kind, item in ITEMS.items():
        if item.lifts == limit and turn.balance(player, asset_of(kind)):
            ways.append(f"with {config.words(kind).name}")
    return f", or lift the limit {joined(ways, 'or')}" if ways else ""


def _judge_items(turn: Turn, config: Config, number: int, player: str, asked: Asked) -> None:
    """Refuse items that the player does not have. Kinds that the match leaves out get the same refusal as kinds that
    have not appeared yet, because the kinds of later rounds are secret."""
    for place, used in enumerate(asked.items):
        if used.item not in KINDS:
            raise Rejected(UNKNOWN_ITEM, _no_such_item(turn, player), field=f"items[{place}].item")
    wanted: Counter[str] = Counter()
    for place, used in enumerate(asked.items):
        wanted[used.item] += 1
        held = turn.balance(player, asset_of(used.item))
        if wanted[used.item] > held:
            name = _renamed(config, used.item) if used.item in config.appeared(number) else ""
            message = f'You have {held or "no"} "{name or used.item}", so you can use {held or "none"} in this round.'
            raise Rejected(NOT_ENOUGH_ITEMS, message, field=f"items[{place}].item")


def _no_such_item(turn: Turn, player: str) -> str:
    """The refusal names only what the player holds, because other items may still be secret."""
    own = [kind for kind in KINDS if turn.balance(player, asset_of(kind))]
    return f"There is no such item. You have {joined(own)}." if own else "There is no such item, and you have none."


def _renamed(config: Config, kind: str) -> str:
    """The hosts' own name for a kind of item; empty if it has the usual one."""
    name = config.words(kind).name
    return "" if name == USUAL_WORDS[kind].name else name


def _judge_targets(config: Config, this: Round, asked: Asked) -> None:
    for place, used in enumerate(asked.items):
        if used.on is not None and used.on not in this.names:
            raise Rejected(UNKNOWN_AUCTION, _no_such_auction(this), field=f"items[{place}].auction")
    for place, used in enumerate(asked.items):
        bid, name = asked.bids.get(used.on or "", NO_COINS), config.words(used.item).name
        if lacks := used.kind.lacks(used, bid, name):
            field, message = lacks
            raise Rejected(ITEM_NEEDS_BID, message, field=f"items[{place}].{field}")


def _judge_garnets(turn: Turn, config: Config, player: str, asked: Asked) -> None:
    price = garnet_price(config, asked)
    if turn.can_pay(player, GARNET, price):
        return
    held = turn.balance(player, GARNET)
    each = counted(config.limit_price, "garnet")
    one = "you can lift one limit, not two" if turn.can_pay(player, GARNET, config.limit_price) else "you can lift none"
    field = "lift_auction_limit" if asked.lift_auction_limit else "lift_bid_limit"
    raise Rejected(NOT_ENOUGH_GARNETS, f"Lifting a limit costs {each} and you have {held}: {one}.", field=field)


MOVES: Moves = {PlaceBids: seal}

ACTIONS = action_types(*MOVES, Vote, GiveTokens)
