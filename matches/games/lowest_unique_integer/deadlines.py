"""What happens at deadlines: the auction opens and sealed bids are judged, bids win seats, and the auction ends."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.ledger import PRIORITY
from matches.engine.step import Turn
from matches.games.lowest_unique_integer import result
from matches.games.lowest_unique_integer.auction import Auction
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Ending

replace = msgspec.structs.replace


def advance(turn: Turn, state: AuctionState, draw: Draw) -> AuctionState:
    """Everything that happens at one moment: the opening, then timers in reading order, then the end."""
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
    if ending:
        state = replace(state, ending=ending, ended_at=turn.now)
        result.conclude(turn, state, draw)
    return state


def _open_auction(turn: Turn, state: AuctionState, auction: Auction) -> dict[str, str]:
    """Open the auction and judge the sealed bids. Returns the players whose bid was dropped, each with the code.

    The highest priority comes first; among equal ones, the bid that was made (or last replaced) earlier.
    Sealed bids never pay the fee.
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
    """Why the auction ends now, or empty; all timers of this moment have won already."""
    if auction.all_won():
        return "all_won"
    if now >= auction.silent_at():
        return "silence"
    if now >= auction.config.stop_at:
        return "stop"
    return ""
