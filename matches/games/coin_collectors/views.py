"""What viewers are shown: whitelists, filled here, in `account_views` and in `result_views`, and nowhere else."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING
from matches.engine.durations import optional_seconds, seconds
from matches.engine.errors import Rejected
from matches.engine.ledger import GARNET, balance
from matches.engine.step import Turn
from matches.engine.views import (
    DECISION_IF_IDLE,
    Ask,
    Moment,
    PrivateView,
    PublicView,
    decisions_asked,
    decisions_view,
    own_balances,
    own_decisions,
    player_lines,
    tokens_of_life,
)
from matches.engine.words import counted, joined
from matches.games.coin_collectors.account_views import (
    RoundAccount,
    Thing,
    UsedView,
    accounts,
    item_names,
    things,
    used_views,
)
from matches.games.coin_collectors.bidding import garnet_price, judge
from matches.games.coin_collectors.coins import COINS, NO_COINS, Coins, held
from matches.games.coin_collectors.config import Auction, Config
from matches.games.coin_collectors.items import TARGETS, held_items
from matches.games.coin_collectors.result_views import ResultView, result_view
from matches.games.coin_collectors.state import CollectorsState, Submission

# -- what everyone may know --------------------------------------------------------------------


class AuctionView(msgspec.Struct, frozen=True):
    """An auction of a round that has started, and what it has to share out."""

    name: str
    prize: tuple[Thing, ...]


class RoundView(msgspec.Struct, frozen=True):
    """A round that has started: its auctions and limits, and when it closes or has closed."""

    number: int
    auction_limit: int
    bid_limit: int
    starts_at: Moment
    closes_at: Moment
    auctions: tuple[AuctionView, ...]


class ItemView(msgspec.Struct, frozen=True):
    """An item that has been explained.

    `targets` are the fields that have to be named when it is used: `auction`, `coin` (one that one bids there),
    `from` (`silver` or `bronze`). `round` is the one in which it appeared first.
    """

    item: str
    name: str
    description: str
    targets: tuple[str, ...]
    round: int


class CollectorsPublic(PublicView, frozen=True, kw_only=True):
    """The public board: rounds that have started, and the result once the play is over; nothing that is sealed.

    `round` counts from 1 and is 0 in the pregame; there are `rounds` of them. `current` is the round that runs, None
    before and after; `past` are those that are over, first to last. `items`: those explained so far. `limit_price`:
    garnets to lift one limit for one round. `tokens`: who holds Tokens of Life now.
    """

    round: int
    rounds: int
    starts_at: Moment
    round_length: Moment
    start: Coins
    limit_price: int
    current: RoundView | None
    past: tuple[RoundView, ...]
    items: tuple[ItemView, ...]
    tokens: dict[str, int]
    result: ResultView | None

    # What follows from the fields, for templates; JSON has the fields alone.

    @property
    def is_last(self) -> bool:
        """Whether the round that runs is the last one."""
        return self.current is not None and self.round == self.rounds

    @property
    def over(self) -> bool:
        """Whether all rounds are over."""
        return self.phase in (DECISION, FINISHED)

    @property
    def numbers(self) -> range:
        """The numbers of all rounds."""
        return range(1, self.rounds + 1)

    @property
    def names(self) -> dict[str, str]:
        """What the items that were explained are called, by kind."""
        return {item.item: item.name for item in self.items}


def public_view(state: CollectorsState, next_deadline: timedelta | None) -> CollectorsPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    running = core.phase == RUNNING
    return CollectorsPublic(
        phase=core.phase,
        players=player_lines(core),
        next_deadline=optional_seconds(next_deadline),
        winners=core.winners,
        candidates=core.candidates,
        decisions=decisions_view(core),
        round=state.round,
        rounds=len(config.rounds),
        starts_at=seconds(config.pregame),
        round_length=seconds(config.round),
        start=config.start,
        limit_price=config.limit_price,
        current=_round(config, state.round) if running else None,
        past=tuple(_round(config, number) for number in range(1, len(state.closed) + 1)),
        items=_items(config, state.round),
        tokens=tokens_of_life(core),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
    )


def _round(config: Config, number: int) -> RoundView:
    this, names = config.rounds[number - 1], item_names(config)
    return RoundView(
        number=number,
        auction_limit=this.auction_limit,
        bid_limit=this.bid_limit,
        starts_at=seconds(config.closes_at(number - 1)),
        closes_at=seconds(config.closes_at(number)),
        auctions=tuple(_auction(auction, names) for auction in this.auctions),
    )


def _auction(auction: Auction, names: dict[str, str]) -> AuctionView:
    return AuctionView(auction.name, things(auction.prize.goods, names))


def _items(config: Config, number: int) -> tuple[ItemView, ...]:
    """The items of all rounds that have started, in the order in which they appeared."""
    shown: dict[str, ItemView] = {}
    for each in range(1, number + 1):
        for kind in config.appeared(each):
            words = config.words(kind)
            shown.setdefault(kind, ItemView(kind, words.name, words.description, TARGETS[kind], each))
    return tuple(shown.values())


# -- what one player may know beyond that ------------------------------------------------------


class HeldItem(msgspec.Struct, frozen=True):
    """Items of one kind that one has; `targets` as in `ItemView`."""

    item: str
    name: str
    description: str
    targets: tuple[str, ...]
    count: int


class SubmissionView(msgspec.Struct, frozen=True):
    """What counts at the close of the round, made at `at`: coins by auction, items in order, limits lifted.

    `garnets` is what it will cost. `problem`: why it would not count as things are now; only a host's correction can
    bring that about, and a new submission mends it.
    """

    bids: dict[str, Coins]
    items: tuple[UsedView, ...]
    lift_auction_limit: bool
    lift_bid_limit: bool
    garnets: int
    at: Moment
    problem: str | None


class CollectorsPrivate(PrivateView, frozen=True, kw_only=True):
    """One's inventory, what one has sealed, and an account of every round that is over.

    `free`: the coins that are in none of the bids that count now. `may_bid`: a round runs. `may_lift`: how many
    limits one's garnets can lift, 0 to 2.
    """

    coins: Coins
    free: Coins
    garnets: int
    items: tuple[HeldItem, ...]
    submission: SubmissionView | None
    may_bid: bool
    may_lift: int
    accounts: tuple[RoundAccount, ...]

    @property
    def bids(self) -> dict[str, Coins]:
        """The bids that count now, by auction."""
        return self.submission.bids if self.submission else {}

    @property
    def tray(self) -> tuple[TrayRow, ...]:
        """A row of the form for each item that one can use, as it is used in what one has sealed.

        Of what lifts a limit one is enough; of the others there are rows for a few more than are used.
        """
        rows: list[TrayRow] = []
        for each in self.items:
            used = [use for use in self.submission.items if use.item == each.item] if self.submission else []
            most = max(len(used), min(each.count, len(used) + _MOST_ROWS if each.targets else 1))
            for place in range(most):
                rows.append(TrayRow(len(rows), place == 0, each, used[place] if place < len(used) else None))
        return tuple(rows)


class TrayRow(msgspec.Struct, frozen=True):
    """A row for one item: its number in the form, whether it is the first of its kind, and how it is used by now."""

    number: int
    is_first: bool
    item: HeldItem
    used: UsedView | None


_MOST_ROWS = 6


def private_view(state: CollectorsState, player: str) -> CollectorsPrivate:
    """What this player may know beyond the public board, and may do now."""
    core = state.core
    purse = core.purses.get(player, {})
    coins, running = held(purse), core.phase == RUNNING
    asked = _asked(state, player)
    sealed = state.sealed.get(player)
    return CollectorsPrivate(
        handle=player,
        balances=own_balances(core, player),
        asked=asked,
        decided=own_decisions(core, player),
        if_idle=_if_idle(state, player, asked),
        coins=coins,
        free=coins.minus(_bid_in_all(sealed.value)) if sealed else coins,
        garnets=balance(core.purses, player, GARNET),
        items=_held_items(state.config, purse),
        submission=_submission(state, player),
        may_bid=running,
        may_lift=_may_lift(state, player) if running else 0,
        accounts=accounts(state, player),
    )


def _bid_in_all(submission: Submission) -> Coins:
    total = NO_COINS
    for coins in submission.bids.values():
        total = total.plus(coins)
    return total


def _held_items(config: Config, purse: dict[str, int]) -> tuple[HeldItem, ...]:
    return tuple(
        HeldItem(kind, config.words(kind).name, config.words(kind).description, TARGETS[kind], count)
        for kind, count in held_items(purse).items()
    )


def _may_lift(state: CollectorsState, player: str) -> int:
    turn = Turn(state.core, state.core.time)
    return sum(turn.can_pay(player, GARNET, count * state.config.limit_price) for count in (1, 2))


def _submission(state: CollectorsState, player: str) -> SubmissionView | None:
    sealed = state.sealed.get(player)
    if sealed is None:
        return None
    own = sealed.value
    return SubmissionView(
        bids=own.bids,
        items=used_views(own, item_names(state.config)),
        lift_auction_limit=own.lift_auction_limit,
        lift_bid_limit=own.lift_bid_limit,
        garnets=garnet_price(state.config, own),
        at=seconds(sealed.at),
        problem=_problem(state, player, own),
    )


def _problem(state: CollectorsState, player: str, own: Submission) -> str | None:
    try:
        judge(Turn(state.core, state.core.time), state.config, state.round, player, own)
    except Rejected as broken:
        return broken.message
    return None


def _asked(state: CollectorsState, player: str) -> tuple[Ask, ...]:
    """Bids while there are none; later the decisions."""
    if state.core.phase != RUNNING:
        return decisions_asked(state.core, player)
    if player in state.sealed or not state.config.rounds[state.round - 1].auctions:
        return ()
    text = f"You can seal your bids for round {state.round}."
    return (Ask("bid", text, seconds(state.config.closes_at(state.round))),)


def _if_idle(state: CollectorsState, player: str, asked: tuple[Ask, ...]) -> str:
    """What happens if this player does nothing, from what this player may know."""
    phase = state.core.phase
    if phase == PREGAME:
        return "If you do nothing, you miss nothing: bids are taken from the start of round 1 on."
    if phase != RUNNING:
        return DECISION_IF_IDLE if asked else ""
    sealed = state.sealed.get(player)
    if sealed is None:
        return "If you do nothing, you bid on nothing in this round, win nothing and keep everything you have."
    if _problem(state, player, sealed.value) is not None:
        return "If you do nothing, what you sealed will not count: you no longer have all that it needs."
    return f"If you do nothing, what you sealed counts when the round closes: {_spelled(state, sealed.value)}."


def _spelled(state: CollectorsState, own: Submission) -> str:
    """A submission in a few words."""
    parts = [f"{spelled_coins(coins)} on {name}" for name, coins in own.bids.items()] or ["no bid"]
    names = item_names(state.config)
    parts += [names[used.item] for used in own.items]
    if own.lifts:
        price = counted(garnet_price(state.config, own), "garnet")
        parts.append(f"{counted(own.lifts, 'limit')} lifted for {price}")
    return joined(parts)


def spelled_coins(coins: Coins) -> str:
    """`1 gold and 2 silver`; `no coin`."""
    return joined(f"{coins.of(coin)} {coin}" for coin in COINS if coins.of(coin)) if coins.total else "no coin"
