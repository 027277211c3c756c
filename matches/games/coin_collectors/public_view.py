"""The public view, and the result with what becomes public at the end."""

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED, GARNET, RUNNING, TOL, balances
from matches.engine.match_time import seconds
from matches.engine.sentences import counted
from matches.engine.views import MatchTime, PublicView, Score, WhoLeads, public_fields, settings_shown, tokens_of_life
from matches.games.coin_collectors.account_views import (
    SharingView,
    Thing,
    UsedView,
    item_names,
    round_fields,
    settled_view,
    things,
)
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.items import ITEMS, asset_of, held_items
from matches.games.coin_collectors.shares import Coins, held
from matches.games.coin_collectors.state import CollectorsState, Ending

# -- the result ----------------------------------------------------------------------------------------


class Standing(msgspec.Struct, frozen=True):
    """A player at the end: coins by kind, and the Tokens of Life won (before gifts; 0 if they are nullified)."""

    handle: str
    coins: Coins
    most_gold: bool
    most_coins: bool
    tokens_won: int

    @property
    def total(self) -> int:
        """The number of coins of all kinds."""
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

    `nullified`: whether so many Tokens of Life would have been won that nobody gets any. `rounds` and `accounts` are
    empty until the match is finished.
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
        standings=tuple(_standing(state, ending, handle) for handle in state.core.handles),
        most_gold=ending.most_gold,
        most_coins=ending.most_coins,
        nullified=ending.nullified,
        rounds=tuple(_opened(state, number) for number in range(1, len(state.closed) + 1)) if done else (),
        accounts=tuple(_account(state, handle) for handle in state.core.handles) if done else (),
    )


def _standing(state: CollectorsState, ending: Ending, handle: str) -> Standing:
    gold, most = handle in ending.most_gold, handle in ending.most_coins
    won = 0 if ending.nullified else gold + most
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
    players = tuple(
        PlayersRound(handle=handle, **round_fields(state.config, closed, handle, names))
        for handle in state.core.handles
    )
    return OpenedRound(number, auctions, players)


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


# -- the public view -----------------------------------------------------------------------------------


class AuctionView(msgspec.Struct, frozen=True):
    """An auction of a round that has started, and its prize."""

    name: str
    prize: tuple[Thing, ...]

    @property
    def amounts(self) -> dict[str, int]:
        """Asset, or kind of item -> how much of it is in the prize."""
        return {thing.item or thing.asset: thing.amount for thing in self.prize}


class RoundView(msgspec.Struct, frozen=True):
    """A round that has started: its auctions and limits, and when it closes or has closed."""

    number: int
    auction_limit: int
    bid_limit: int
    starts_at: MatchTime
    closes_at: MatchTime
    auctions: tuple[AuctionView, ...]


class ItemView(msgspec.Struct, frozen=True):
    """An item that has been explained to the players.

    `targets`: the fields to name when using it: `auction`, `coin` (a kind that the player bids there), `from` (`silver`
    or `bronze`). `round`: the round in which the item first appeared.
    """

    item: str
    name: str
    description: str
    targets: tuple[str, ...]
    round: int


class CollectorsPublic(PublicView, frozen=True, kw_only=True):
    """The public board: rounds that have started, and the result after the last one; nothing that is sealed.

    `round` counts from 1 and is 0 in the pregame; the match has `rounds` of them. `current`: the running round, None
    before and after the play; `past`: the rounds that are over, first to last. `items`: those explained so far.
    `limit_price`: garnets to lift one limit for one round. `tokens`: who holds Tokens of Life now.
    """

    round: int
    rounds: int
    starts_at: MatchTime
    round_length: MatchTime
    start: Coins
    limit_price: int
    current: RoundView | None
    past: tuple[RoundView, ...]
    items: tuple[ItemView, ...]
    tokens: dict[str, int]
    result: ResultView | None

    @property
    def is_last(self) -> bool:
        """Whether the running round is the last one."""
        return self.current is not None and self.round == self.rounds

    @property
    def numbers(self) -> range:
        """The numbers of all rounds."""
        return range(1, self.rounds + 1)

    @property
    def who_leads(self) -> WhoLeads:
        """Nobody, because coins are secret; after the play, everybody's coins as lines."""
        standings = self.result.standings if self.result else ()
        return WhoLeads(
            why="Coins are secret, so nobody can see who leads",
            lines={each.handle: f"{counted(each.total, 'coin')}, {each.coins.gold} gold" for each in standings},
        )

    @property
    def up(self) -> dict[str, AuctionView]:
        """Name -> auction of the running round."""
        return {each.name: each for each in self.current.auctions} if self.current else {}

    @property
    def names(self) -> dict[str, str]:
        """Kind -> name of the items explained so far."""
        return {item.item: item.name for item in self.items}


def public_view(state: CollectorsState, next_deadline: timedelta | None) -> CollectorsPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    running = core.phase == RUNNING
    return CollectorsPublic(
        **public_fields(core, next_deadline),
        **settings_shown(config, "start", "limit_price"),
        round=state.round,
        rounds=len(config.rounds),
        starts_at=seconds(config.pregame),
        round_length=seconds(config.round),
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
        auctions=tuple(AuctionView(auction.name, things(auction.prize.goods, names)) for auction in this.auctions),
    )


def _items(config: Config, number: int) -> tuple[ItemView, ...]:
    """The items of all rounds that have started, in the order in which they appeared."""
    shown: dict[str, ItemView] = {}
    for each in range(1, number + 1):
        for kind in config.appeared(each):
            words = config.words(kind)
            shown.setdefault(kind, ItemView(kind, words.name, words.description, ITEMS[kind].targets, each))
    return tuple(shown.values())
