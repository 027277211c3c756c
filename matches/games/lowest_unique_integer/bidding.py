"""Players' actions: sealed bids, live bids and purchases. All functions raise `Rejected` if a rule is broken."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine import purchases, sealed
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING, Phase
from matches.engine.errors import NOT_POSITIVE, NOTHING_TO_WITHDRAW, WRONG_PHASE, Rejected
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.games.lowest_unique_integer import raises
from matches.games.lowest_unique_integer.actions import PlaceBid
from matches.games.lowest_unique_integer.auction import NOT_ENOUGH_CHIPS, Auction, require_seat
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, SealedBid

replace = msgspec.structs.replace

POSSIBLE: dict[Phase, str] = {
    PREGAME: "The auction is not open yet: you can make or take back a sealed bid, and buy chips.",
    RUNNING: "The auction is open: you can bid on seats and buy chips, and no bid can be taken back.",
    DECISION: "The auction is over. Only the candidate and surplus tokens are still to be decided.",
    FINISHED: "The match is finished.",
}
_NO_SEALED_RAISE = "A sealed bid has no standing raise; you can make one once the auction is open."
_ONLY_CHIPS = "Sealed bids are closed. Until the auction opens you can only buy chips."


def sealing_is_over(state: AuctionState, now: timedelta) -> bool:
    """Whether sealed bids have closed and the auction is not open yet."""
    return state.core.phase == PREGAME and now >= state.config.pregame_closes


def wrong_phase(state: AuctionState, now: timedelta) -> Rejected:
    """A refusal that says what can be done at this point of the match."""
    return Rejected(WRONG_PHASE, _ONLY_CHIPS if sealing_is_over(state, now) else POSSIBLE[state.core.phase])


def _require_sealing(turn: Turn, state: AuctionState) -> None:
    if sealing_is_over(state, turn.now):
        raise wrong_phase(state, turn.now)


def seal(turn: Turn, state: AuctionState, player: str, bid: PlaceBid) -> AuctionState:
    """Make a sealed bid, replacing the earlier one; it is not compared with other players' bids."""
    _require_sealing(turn, state)
    if bid.up_to is not msgspec.UNSET:
        raise Rejected(WRONG_PHASE, _NO_SEALED_RAISE, field="up_to")
    require_seat(state.config, bid.seat)
    chips = turn.balance(player, CHIP)
    if bid.amount < 1:
        message = "Bid a positive whole number of chips: the lowest is 1."
        raise Rejected(NOT_POSITIVE, message, field="amount")
    if bid.amount > chips:
        message = f"You have {counted(chips, 'chip')}, so you can bid {chips} at most."
        if not chips:
            message = "You have no chips, so you can only bid once you have bought some."
        raise Rejected(NOT_ENOUGH_CHIPS, message, field="amount")
    turn.touch(player)
    return replace(state, sealed=sealed.put(state.sealed, player, SealedBid(bid.seat, bid.amount), turn.now))


def withdraw(turn: Turn, state: AuctionState, player: str) -> AuctionState:
    """Take the sealed bid back."""
    _require_sealing(turn, state)
    if player not in state.sealed:
        message = "You have no sealed bid to take back; you can make one until sealed bids close."
        raise Rejected(NOTHING_TO_WITHDRAW, message)
    turn.touch(player)
    return replace(state, sealed=sealed.take(state.sealed, player))


def bid(turn: Turn, state: AuctionState, player: str, bid: PlaceBid) -> AuctionState:
    """Make a live bid: judged by the four rules and the fee, and recorded at once; then standing raises answer it."""
    auction = Auction(state)
    if bid.up_to is not msgspec.UNSET:
        raises.require_allowed(state.config)
    auction.judge(turn, player, bid.seat, bid.amount)
    if bid.up_to is not msgspec.UNSET:
        raises.judge(auction, turn, player, bid.seat, bid.up_to, least=bid.amount + 1)
        raises.keep(auction, turn, player, bid.seat, bid.up_to)
    auction.pay_fee(turn, player)
    auction.place(turn, player, bid.seat, bid.amount)
    raises.answer(auction, turn, bid.seat)
    return auction.written_to(state)


def buy_chips(turn: Turn, state: AuctionState, player: str, count: int) -> AuctionState:
    """Buy chips for garnets, privately, until the auction ends."""
    purchases.buy_chips(turn, player, CHIP, count, state.config.chip_price)
    return replace(state, bought=state.bought | {player: state.bought.get(player, 0) + count})
