"""What players do: sealed and live bids, purchases, and the decisions after the play. All raise `Rejected`."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine import decisions, purchases, sealed
from matches.engine.actions import Action
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING, Phase
from matches.engine.draw import Draw
from matches.engine.errors import NOT_POSITIVE, NOTHING_TO_WITHDRAW, WRONG_PHASE, Rejected
from matches.engine.step import Step, Turn
from matches.games.lowest_unique_integer import result
from matches.games.lowest_unique_integer.actions import PlaceBid
from matches.games.lowest_unique_integer.auction import NOT_ENOUGH_CHIPS, Auction, require_seat
from matches.games.lowest_unique_integer.private_view import chips_affordable
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, SealedBid

replace = msgspec.structs.replace
AuctionStep = Step[AuctionState]


def _wrong_phase(state: AuctionState, now: timedelta) -> Rejected:
    """Says what would be accepted at this point of the match instead."""
    if state.core.phase == PREGAME and now < state.config.pregame_closes:
        message = "The auction is not open yet: you can make or take back a sealed bid, and buy chips."
    else:
        message = _OPEN_TO_YOU[state.core.phase]
    return Rejected(WRONG_PHASE, message)


_OPEN_TO_YOU: dict[Phase, str] = {
    PREGAME: "Sealed bids are closed. Until the auction opens you can only buy chips.",
    RUNNING: "The auction is open: you can bid on seats and buy chips, and no bid can be taken back.",
    DECISION: "The auction is over. Only the candidate and surplus tokens are still to be decided.",
    FINISHED: "The match is finished.",
}


def _require_sealed_bidding(state: AuctionState, now: timedelta) -> None:
    if state.core.phase != PREGAME or now >= state.config.pregame_closes:
        raise _wrong_phase(state, now)


def seal(state: AuctionState, player: str, bid: PlaceBid, now: timedelta) -> AuctionStep:
    """A sealed bid, replacing the earlier one; checked alone, against nobody else's."""
    _require_sealed_bidding(state, now)
    turn = Turn(state.core, now)
    require_seat(state.config, bid.seat)
    chips = turn.balance(player, CHIP)
    if bid.amount < 1:
        message = "Bid a positive whole number of chips: the lowest is 1."
        raise Rejected(NOT_POSITIVE, message, field="amount")
    if bid.amount > chips:
        message = f"You have {chips} chips, so you can bid {chips} at most."
        raise Rejected(NOT_ENOUGH_CHIPS, message, field="amount")
    turn.touch(player)
    box = sealed.put(state.sealed, player, SealedBid(bid.seat, bid.amount), now)
    return turn.step(replace(state, sealed=box))


def withdraw(state: AuctionState, player: str, now: timedelta) -> AuctionStep:
    """Take the sealed bid back."""
    _require_sealed_bidding(state, now)
    if player not in state.sealed:
        message = "You have no sealed bid to take back; you can make one until sealed bids close."
        raise Rejected(NOTHING_TO_WITHDRAW, message)
    turn = Turn(state.core, now)
    turn.touch(player)
    return turn.step(replace(state, sealed=sealed.take(state.sealed, player)))


def bid(state: AuctionState, player: str, bid: PlaceBid, now: timedelta) -> AuctionStep:
    """A live bid: judged by the four rules and the fee, and recorded at once."""
    turn, auction = Turn(state.core, now), Auction(state)
    auction.judge(turn, player, bid.seat, bid.amount)
    auction.pay_fee(turn, player)
    auction.place(turn, player, bid.seat, bid.amount)
    return turn.step(auction.written_to(state))


def buy_chips(state: AuctionState, player: str, count: int, now: timedelta) -> AuctionStep:
    """Chips for garnets, privately, until the auction ends."""
    if state.core.phase not in (PREGAME, RUNNING):
        raise _wrong_phase(state, now)
    turn = Turn(state.core, now)
    purchases.buy_chips(turn, player, CHIP, count, state.config.chip_price, chips_affordable(state, player))
    bought = state.bought | {player: state.bought.get(player, 0) + count}
    return turn.step(replace(state, bought=bought))


def decide(state: AuctionState, player: str, action: Action, now: timedelta, draw: Draw) -> AuctionStep:
    """Naming the candidate, giving tokens away."""
    if state.core.phase != DECISION:
        raise _wrong_phase(state, now)
    turn = Turn(state.core, now)
    decisions.decide(turn, draw, player, action)
    return turn.step(result.settle(turn, state))
