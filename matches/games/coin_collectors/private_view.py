"""The private view: what one player may know beyond the public board. Only this module and `account_views` fill it."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine.core import GARNET, PREGAME, RUNNING, balance
from matches.engine.errors import Rejected
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import asked_to_seal
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.engine.views import Ask, MatchTime, PrivateView, private_fields
from matches.games.coin_collectors.account_views import RoundAccount, UsedView, accounts, beside_bids, item_names
from matches.games.coin_collectors.bidding import garnet_price, judge
from matches.games.coin_collectors.items import ITEMS, held_items
from matches.games.coin_collectors.shares import COINS, Coins, all_of, held
from matches.games.coin_collectors.state import CollectorsState, Submission


class HeldItem(msgspec.Struct, frozen=True):
    """The player's items of one kind; `targets` as in `ItemView`."""

    item: str
    name: str
    description: str
    targets: tuple[str, ...]
    count: int


class SubmissionView(msgspec.Struct, frozen=True):
    """The submission that will count, made at `at`: coins by auction, items in order, limits lifted.

    `garnets`: its price. `problem`: why it would not count now, which only happens after a host's correction; a new
    submission solves it.
    """

    bids: dict[str, Coins]
    items: tuple[UsedView, ...]
    lift_auction_limit: bool
    lift_bid_limit: bool
    garnets: int
    at: MatchTime
    problem: str | None


class CollectorsPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's inventory, sealed submission, and account of every round that is over.

    `free`: coins in no bid. `may_bid`: a round is running. `may_lift`: how many limits the player's garnets can lift,
    0 to 2.
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
    def first_bid(self) -> str:
        """The first auction that the player bids on; empty if there is none."""
        return next(iter(self.bids), "")

    @property
    def uses_extras(self) -> bool:
        """Whether the sealed submission uses an item or lifts a limit."""
        now = self.submission
        return now is not None and bool(now.items or now.lift_auction_limit or now.lift_bid_limit)

    @property
    def tray(self) -> tuple[TrayRow, ...]:
        """A form row for each item that the player can use, filled in from the sealed submission.

        One row is enough for an item that lifts a limit; of the others there are a few more rows than items in use.
        """
        rows: list[TrayRow] = []
        for each in self.items:
            used = [use for use in self.submission.items if use.item == each.item] if self.submission else []
            most = max(len(used), min(each.count, len(used) + _MOST_ROWS if each.targets else 1))
            for place in range(most):
                rows.append(TrayRow(len(rows), place == 0, each, used[place] if place < len(used) else None))
        return tuple(rows)


class TrayRow(msgspec.Struct, frozen=True):
    """A row for one item: its number in the form, whether it is the first of its kind, and how it is used so far."""

    number: int
    is_first: bool
    item: HeldItem
    used: UsedView | None


_MOST_ROWS = 6


def private_view(state: CollectorsState, player: str, now: timedelta | None = None) -> CollectorsPrivate:
    """What this player may know beyond the public board, and may do now."""
    core, config, turn = state.core, state.config, Turn(state.core, state.core.time)
    purse = core.purses.get(player, {})
    coins, running = held(purse), core.phase == RUNNING
    sealed = state.sealed.get(player)
    return CollectorsPrivate(
        **private_fields(core, player, _asked(state, player), _if_idle(state, player), now),
        coins=coins,
        free=_free(coins, sealed.value) if sealed else coins,
        garnets=balance(core.purses, player, GARNET),
        items=tuple(
            HeldItem(kind, words.name, words.description, ITEMS[kind].targets, count)
            for kind, count in held_items(purse).items()
            for words in (config.words(kind),)
        ),
        submission=_submission(state, player),
        may_bid=running,
        may_lift=sum(turn.can_pay(player, GARNET, count * config.limit_price) for count in (1, 2)) if running else 0,
        accounts=accounts(state, player),
    )


def _free(coins: Coins, submission: Submission) -> Coins:
    """The coins in no bid; never below zero, even if a host has taken coins that are in a bid."""
    coins = coins.minus(all_of(submission.bids.values()))
    return Coins(**{coin: max(coins.of(coin), 0) for coin in COINS})


def _submission(state: CollectorsState, player: str) -> SubmissionView | None:
    sealed = state.sealed.get(player)
    if sealed is None:
        return None
    own = sealed.value
    return SubmissionView(
        bids=own.bids,
        **beside_bids(state.config, own, item_names(state.config)),
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
    """What the player is asked: bids, until they have sealed some."""
    if not state.round or not state.config.rounds[state.round - 1].auctions:
        return ()
    return asked_to_seal(state, player, f"You can seal your bids for round {state.round}.")


def _if_idle(state: CollectorsState, player: str) -> str:
    """A sentence on what happens if the player does nothing, using only what the player may know."""
    phase = state.core.phase
    if phase == PREGAME:
        return "If you do nothing, you miss nothing: bids are taken from the start of round 1 on."
    if phase != RUNNING:
        return ""
    sealed = state.sealed.get(player)
    if sealed is None:
        return "If you do nothing, you bid on nothing in this round, win nothing and keep everything you have."
    if _problem(state, player, sealed.value) is not None:
        return "If you do nothing, what you sealed will not count, because you no longer have everything it needs."
    return f"If you do nothing, what you sealed counts when the round closes: {_spelled(state, sealed.value)}."


def _spelled(state: CollectorsState, own: Submission) -> str:
    """A submission in a few words."""
    parts = [f"{coins.words} on {name}" for name, coins in own.bids.items()] or ["no bid"]
    names = item_names(state.config)
    parts += [names[used.item] for used in own.items]
    if own.lifts:
        price = counted(garnet_price(state.config, own), "garnet")
        parts.append(f"{counted(own.lifts, 'limit')} lifted for {price}")
    return joined(parts)
