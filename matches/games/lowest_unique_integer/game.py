"""The match type's answers to the engine's contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

import msgspec

from matches.engine import decisions
from matches.engine.actions import Action, GiveTokens, NameCandidate
from matches.engine.core import DECISION, PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import Game, Roster, Sizes, opening_core
from matches.engine.ledger import PRIORITY
from matches.engine.step import Announcement, Step, Turn
from matches.engine.views import Outcome
from matches.games.lowest_unique_integer import (
    bots,
    playing,
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
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Ending

replace = msgspec.structs.replace
AuctionStep = Step[AuctionState]


class LowestUniqueInteger(Game[Config, AuctionState, AuctionPublic, AuctionPrivate]):
    """Ascending auctions for the seats of a wrap-around grid; the lowest winning bid wins."""

    slug = "lowest_unique_integer"
    title = "Lowest Unique Integer"
    summary = (
        "Every seat of a wrap-around grid is up for auction at once, no amount may stand twice, "
        "and the lowest winning bid wins together with its neighbours."
    )
    sizes = Sizes(least=3, most=26, usual=(8, 11))
    assets = (CHIP,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "F11, twelve seats": {"variant": "F11"},
        "F8, nine seats": {"variant": "F8"},
    }
    endurance: ClassVar[Mapping[str, Any]] = {"chips": 1_000_000, "loser_chips": 1_000_000}
    actions = ACTIONS
    sentences = sentences.SENTENCES
    tones: ClassVar[Mapping[str, str]] = {"outbid": "garnet", "bid_dropped": "garnet", "won": "jade"}

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> AuctionStep:
        core, turn = opening_core(
            roster,
            garnet_credit=config.garnet_credit,
            phase=PREGAME,
            stock={CHIP: config.chips},
        )
        return turn.step(AuctionState(core=core, config=config))

    def judge(self, state: AuctionState, player: str, action: Action, now: timedelta, draw: Draw) -> AuctionStep:
        match action:
            case PlaceBid() if state.core.phase == RUNNING:
                return playing.bid(state, player, action, now)
            case PlaceBid():
                return playing.seal(state, player, action, now)
            case Withdraw():
                return playing.withdraw(state, player, now)
            case BuyChips():
                return playing.buy_chips(state, player, action.count, now)
            case NameCandidate() | GiveTokens():
                return playing.decide(state, player, action, now, draw)
            case _:
                raise TypeError(f"{type(action).__name__} is not asked in this game")

    def next_deadline(self, state: AuctionState) -> timedelta | None:
        """The pregame's end; then the next timer, silence or the stop; then the decisions' end."""
        phase = state.core.phase
        if phase == PREGAME:
            return state.config.pregame
        if phase == RUNNING:
            return min(Auction(state).deadlines())
        return decisions.window_closes(state.core)

    def pass_deadline(self, state: AuctionState, draw: Draw) -> AuctionStep:
        turn = Turn(state.core, self.due(state))
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
            return turn.step(result.settle(turn, state))
        return turn.step(_advance(turn, state, draw))

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: AuctionState) -> AuctionPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def private_view(self, state: AuctionState, player: str) -> AuctionPrivate:
        return private_view.private_view(state, player)

    def private_view_at(self, state: AuctionState, player: str, now: timedelta) -> AuctionPrivate:
        view = super().private_view_at(state, player, now)
        is_closed = state.core.phase == PREGAME and now >= state.config.pregame_closes
        return private_view.without_sealing(view) if is_closed else view

    def outcome(self, state: AuctionState) -> Outcome | None:
        return result_views.outcome(state)

    def lot_of(self, item: Announcement) -> str | None:
        seat = item.data.get("seat")
        return seat if isinstance(seat, str) else None

    def has_submitted(self, state: AuctionState, player: str) -> bool | None:
        return player in state.sealed if state.core.phase == PREGAME else None

    def sealed_submission(self, state: AuctionState, player: str) -> Any:
        bid = state.sealed.get(player)
        if bid is None or state.core.phase != PREGAME:
            return None
        return {"seat": bid.value.seat, "amount": bid.value.amount}

    def holds(self, state: AuctionState, player: str) -> Mapping[str, int]:
        return {CHIP: committed(state.standing, player)}

    def bot_action(
        self, public: AuctionPublic, private: AuctionPrivate, now: timedelta, draw: Draw
    ) -> dict[str, Any] | None:
        return bots.action(public, private, now, draw)


# -- deadlines ---------------------------------------------------------------------------------


def _advance(turn: Turn, state: AuctionState, draw: Draw) -> AuctionState:
    """Everything of one moment: the opening, then timers in reading order, then the end."""
    auction = Auction(state)
    if state.core.phase == PREGAME:
        state = replace(state, dropped=_open_auction(turn, state, auction))
    auction.win_due(turn)
    ending = _ending(auction, turn.now)
    if ending:
        turn.touch_all()
        turn.announce("auction_ended", how=ending)
        auction.cancel_standing(turn)
    state = auction.written_to(state)
    if not ending:
        return state
    return result.conclude(turn, replace(state, ending=ending, ended_at=turn.now), draw)


def _open_auction(turn: Turn, state: AuctionState, auction: Auction) -> dict[str, str]:
    """Open the auction and judge the sealed bids; returns whose was dropped, with the code.

    Highest priority first; equal priority in the order of the box: who made (last replaced) the
    bid earlier. Sealed bids never pay the fee.
    """
    turn.phase = RUNNING
    turn.touch_all()
    turn.announce("auction_opened")
    dropped = {}
    order = sorted(state.sealed, key=lambda player: -turn.balance(player, PRIORITY))
    for player in order:
        bid = state.sealed[player].value
        try:
            auction.judge(turn, player, bid.seat, bid.amount)
        except Rejected as broken:
            dropped[player] = broken.code
            turn.bid("dropped", bid.seat, player, CHIP, bid.amount, public=False)
            turn.tell(
                player,
                "bid_dropped",
                seat=bid.seat,
                amount=bid.amount,
                code=broken.code,
                message=broken.message,
            )
        else:
            auction.place(turn, player, bid.seat, bid.amount, sealed=True)
    return dropped


def _ending(auction: Auction, now: timedelta) -> Ending:
    """Why the auction ends now, if it does; all timers of this moment have won already."""
    if auction.all_won():
        return "all_won"
    if now >= auction.silent_at():
        return "silence"
    if now >= auction.config.stop_at:
        return "stop"
    return ""
