"""The result as viewers see it, and what becomes public with it."""

import msgspec

from matches.engine.core import FINISHED, GARNET, TOL, balances
from matches.engine.views import Score
from matches.games.coin_collectors.account_views import (
    SharingView,
    Thing,
    UsedView,
    beside_bids,
    item_names,
    settled_view,
    things,
)
from matches.games.coin_collectors.items import asset_of, held_items
from matches.games.coin_collectors.shares import Coins, held
from matches.games.coin_collectors.state import CollectorsState, Submission


class Standing(msgspec.Struct, frozen=True):
    """A player at the end: coins by kind, and the Tokens of Life won (before gifts; 0 if they are nullified)."""

    handle: str
    coins: Coins
    most_gold: bool
    most_coins: bool
    tokens_won: int

    @property
    def total(self) -> int:
        """Coins in all."""
        return self.coins.total


class PlayersRound(msgspec.Struct, frozen=True):
    """What a player did in a round besides the bids: items, limits lifted, garnets paid for them, alchemy.

    `submitted` and `dropped` as in a player's own account.
    """

    handle: str
    submitted: bool
    dropped: str | None
    items: tuple[UsedView, ...]
    lift_auction_limit: bool
    lift_bid_limit: bool
    garnets: int
    changed: tuple[str, ...]


class OpenedAuction(msgspec.Struct, frozen=True):
    """An auction with everybody's bids, tier by tier; `insured` lists whose coins came back by insurance."""

    name: str
    prize: tuple[Thing, ...]
    sharing: SharingView
    insured: tuple[str, ...]


class OpenedRound(msgspec.Struct, frozen=True):
    """A whole round, opened when the match is finished."""

    number: int
    auctions: tuple[OpenedAuction, ...]
    players: tuple[PlayersRound, ...]


class AccountView(msgspec.Struct, frozen=True):
    """A player's private facts, opened when the match is finished."""

    handle: str
    garnets: int
    items: tuple[Thing, ...]
    tokens: int


class ResultView(msgspec.Struct, frozen=True):
    """The result, from the end of the last round.

    `nullified`: how many Tokens of Life would have been won, if that was too many. `rounds` and `accounts` are empty
    until the match is finished.
    """

    standings: tuple[Standing, ...]
    most_gold: tuple[str, ...]
    most_coins: tuple[str, ...]
    nullified: bool
    rounds: tuple[OpenedRound, ...] = ()
    accounts: tuple[AccountView, ...] = ()


def result_view(state: CollectorsState) -> ResultView | None:
    """The part of the result that is public in this phase."""
    ending = state.ending
    if ending is None:
        return None
    done = state.core.phase == FINISHED
    return ResultView(
        standings=tuple(_standing(state, handle) for handle in state.core.handles),
        most_gold=ending.most_gold,
        most_coins=ending.most_coins,
        nullified=ending.nullified,
        rounds=tuple(_opened(state, number) for number in range(1, len(state.closed) + 1)) if done else (),
        accounts=tuple(_account(state, handle) for handle in state.core.handles) if done else (),
    )


def _standing(state: CollectorsState, handle: str) -> Standing:
    ending = state.ending
    gold, most = ending is not None and handle in ending.most_gold, ending is not None and handle in ending.most_coins
    won = 0 if ending is None or ending.nullified else gold + most
    return Standing(handle, held(state.core.purses.get(handle, {})), gold, most, won)


def _account(state: CollectorsState, handle: str) -> AccountView:
    purses, names = state.core.purses, item_names(state.config)
    items = {asset_of(kind): count for kind, count in held_items(purses.get(handle, {})).items()}
    return AccountView(
        handle=handle,
        items=things(items, names),
        **balances(purses, handle, garnets=GARNET, tokens=TOL),
    )


def _opened(state: CollectorsState, number: int) -> OpenedRound:
    closed, names = state.closed[number - 1], item_names(state.config)
    auctions = tuple(
        OpenedAuction(
            name=each.name,
            prize=things(auction.prize.goods, names),
            sharing=settled_view(each, names),
            insured=tuple(handle for handle, fate in each.fates.items() if fate.insured.total),
        )
        for auction, each in zip(state.config.rounds[number - 1].auctions, closed.results, strict=True)
    )
    players = []
    for handle in state.core.handles:
        own, changed = closed.submissions.get(handle, Submission()), closed.changed.get(handle, ())
        players.append(
            PlayersRound(
                handle=handle,
                submitted=handle in closed.submissions,
                dropped=closed.dropped.get(handle),
                **beside_bids(state.config, own, names, changed),
                changed=changed,
            )
        )
    return OpenedRound(number, auctions, tuple(players))


def score(state: CollectorsState) -> Score:
    """Everybody's score, and the details of a finished match."""
    coins = {player: held(state.core.purses.get(player, {})) for player in state.core.handles}
    return Score(
        scores={player: own.total for player, own in coins.items()},
        details={
            "coins": {player: msgspec.structs.asdict(own) for player, own in coins.items()},
            "nullified": state.ending is not None and state.ending.nullified,
        },
    )
