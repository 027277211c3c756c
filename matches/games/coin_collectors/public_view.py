"""What everyone may know. Only this module and `result_views` fill it."""

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED, RUNNING
from matches.engine.match_time import seconds
from matches.engine.sentences import counted
from matches.engine.views import MatchTime, PublicView, WhoLeads, public_fields, settings_shown, tokens_of_life
from matches.games.coin_collectors.account_views import Thing, item_names, things
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.items import ITEMS
from matches.games.coin_collectors.result_views import ResultView, result_view
from matches.games.coin_collectors.shares import Coins
from matches.games.coin_collectors.state import CollectorsState


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

    # Derived from the fields, for templates; JSON has the fields alone.

    @property
    def is_last(self) -> bool:
        """Whether the running round is the last one."""
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
    def who_leads(self) -> WhoLeads:
        """Nobody can see it while coins are secret; afterwards everybody's coins."""
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
