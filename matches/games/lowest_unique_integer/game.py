"""The match type: it fulfils the contract of `matches.engine.game`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from matches.engine.actions import Action
from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import Game, opening_core
from matches.engine.roster import Roster, Sizes
from matches.engine.step import Step, Turn
from matches.games.lowest_unique_integer import (
    bidding,
    bots,
    deadlines,
    private_view,
    public_view,
    result,
    result_views,
    sentences,
)
from matches.games.lowest_unique_integer.actions import ACTIONS, BuyChips, PlaceBid, Withdraw
from matches.games.lowest_unique_integer.auction import Auction, committed
from matches.games.lowest_unique_integer.config import Config
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic
from matches.games.lowest_unique_integer.state import CHIP, AuctionState

AuctionStep = Step[AuctionState]


class LowestUniqueInteger(Game[Config, AuctionState, AuctionPublic, AuctionPrivate]):
    """Ascending auctions for the seats of a wrap-around grid; the lowest winning bid wins."""

    slug = "lowest_unique_integer"
    title = "Lowest Unique Integer"
    summary = (
        "Every seat of a wrap-around grid is up for auction at once, no amount may stand twice, "
        "and the lowest winning bid wins together with its neighbours."
    )
    designers = ("RedsToad",)
    sizes = Sizes(least=3, most=26, usual=(8, 11))
    assets = (CHIP,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "F11, twelve seats": {"variant": "F11"},
        "F8, nine seats": {"variant": "F8"},
    }
    endurance: ClassVar[Mapping[str, Any]] = {"chips": 1_000_000, "loser_chips": 1_000_000}
    actions = ACTIONS
    possible = bidding.POSSIBLE
    sentences = sentences.SENTENCES
    tones: ClassVar[Mapping[str, str]] = {"outbid": "garnet", "bid_dropped": "garnet", "won": "jade"}
    lot_key = "seat"

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> AuctionStep:
        core, turn = opening_core(
            roster,
            garnet_credit=config.garnet_credit,
            phase=PREGAME,
            stock={CHIP: config.chips},
        )
        return turn.step(AuctionState(core=core, config=config))

    def act(self, turn: Turn, state: AuctionState, player: str, action: Action) -> AuctionState:
        match action:
            case PlaceBid() if state.core.phase == RUNNING:
                return bidding.bid(turn, state, player, action)
            case PlaceBid():
                return bidding.seal(turn, state, player, action)
            case Withdraw():
                return bidding.withdraw(turn, state, player)
            case BuyChips():
                return bidding.buy_chips(turn, state, player, action.count)
            case _:
                raise TypeError(f"{type(action).__name__} is not asked in this game")

    def wrong_phase(self, state: AuctionState, now: timedelta) -> Rejected:
        return bidding.wrong_phase(state, now)

    def play_deadline(self, state: AuctionState) -> timedelta:
        """The end of the pregame; then the next timer, silence or the latest end."""
        return state.config.pregame if state.core.phase == PREGAME else min(Auction(state).deadlines())

    advance = staticmethod(deadlines.advance)

    def finish(self, turn: Turn, state: AuctionState) -> AuctionState:
        return result.settle_priorities(turn, state)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: AuctionState) -> AuctionPublic:
        return public_view.public_view(state, self.next_deadline(state))

    private_view = staticmethod(private_view.private_view)

    def private_view_at(self, state: AuctionState, player: str, now: timedelta) -> AuctionPrivate:
        view = super().private_view_at(state, player, now)
        return private_view.without_sealing(view) if bidding.sealing_is_over(state, now) else view

    score = staticmethod(result_views.score)

    def sealed(self, state: AuctionState) -> Mapping[str, Any] | None:
        if state.core.phase != PREGAME:
            return None
        return {player: {"seat": box.value.seat, "amount": box.value.amount} for player, box in state.sealed.items()}

    def holds(self, state: AuctionState, player: str) -> Mapping[str, int]:
        return {CHIP: committed(state.standing, player)}

    bot_play = staticmethod(bots.action)
