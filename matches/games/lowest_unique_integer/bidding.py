"""Players' actions: sealed bids, live bids, standing raises and purchases. All raise `Rejected` if a rule is broken."""

from datetime import timedelta

import msgspec

from matches.engine import purchases
from matches.engine.actions import Action, GiveTokens, Moves, NameCandidate, action_types
from matches.engine.core import DECISION, GARNET, PREGAME, RUNNING, Phase, put_sealed, replace, take_sealed
from matches.engine.errors import NOT_POSITIVE, NOTHING_TO_WITHDRAW, WRONG_PHASE, Rejected
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.games.lowest_unique_integer.auction import (
    NOT_ENOUGH_CHIPS,
    RAISES_FORBIDDEN,
    TOO_LOW,
    Auction,
    require_seat,
)
from matches.games.lowest_unique_integer.config import Config
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, SealedBid, StandingRaise

# -- actions -------------------------------------------------------------------------------------------


class PlaceBid(Action, frozen=True, tag="bid"):
    """Bid on a seat: sealed in the pregame, at once in the auction; there with a standing raise up to `up_to`, if
    that is given."""

    phases = (PREGAME, RUNNING)

    seat: str
    amount: int
    up_to: int | msgspec.UnsetType = msgspec.UNSET


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the sealed bid back."""

    phases = (PREGAME,)


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    phases = (PREGAME, RUNNING)

    count: int


class Raise(Action, frozen=True, tag="raise"):
    """Make or change a standing raise on a seat. Where the player does not stand, it begins with the lowest bid that
    the seat takes."""

    phases = (PREGAME, RUNNING)  # in the pregame `make_raise` refuses it, and says whether sealed bids are open
    is_aid = True

    seat: str
    up_to: int


class WithdrawRaise(Action, frozen=True, tag="withdraw_raise"):
    """End a standing raise. The bid that stands stays."""

    phases = (PREGAME, RUNNING)  # as above
    is_aid = True

    seat: str


# -- raises ----------------------------------------------------------------------------------------------
# Standing raises are bids that the rules make for an outbid player, up to a maximum that only this player knows.
#
# Such a bid is judged, paid and announced like any other, in the same step as the bid that it answers. After a step
# each standing raise belongs to a standing bid; one that cannot answer has ended. So two of them meet on a seat
# only when somebody bids there with one. Then the weaker one bids the most that the stronger one can answer, and the
# stronger one the least above it: the same result as raising by turns, but in one bid instead of many. The stronger one
# is that whose chips and maximum allow the higher amount, or if equal, the earlier one.


def require_allowed(config: Config) -> None:
    """Raise `Rejected` (`raises_forbidden`) if hosts have forbidden standing raises."""
    if config.forbid_raises:
        message = "Standing raises are forbidden in this match: make each bid yourself."
        raise Rejected(RAISES_FORBIDDEN, message)


def judge_raise(auction: Auction, turn: Turn, player: str, seat: str, up_to: int, *, least: int) -> None:
    """Raise `Rejected` unless the player can set the maximum `up_to` on a seat, where it must be `least` or more."""
    if up_to < 1:
        message = f"The maximum is a positive whole number of chips: on {seat}, {least} or more."
        raise Rejected(NOT_POSITIVE, message, field="up_to")
    if up_to < least:
        raise Rejected(TOO_LOW, f"The maximum for {seat} must be {least} or more.", field="up_to")
    chips = turn.balance(player, CHIP)
    if up_to > chips:
        message = f"You have {chips} chips, so the maximum can be {chips} at most."
        raise Rejected(NOT_ENOUGH_CHIPS, message, field="up_to")


def keep_raise(auction: Auction, turn: Turn, player: str, seat: str, up_to: int) -> None:
    """Store a standing raise in place of an earlier one on the seat; it counts as made now."""
    before = auction.raise_on(seat, player)
    if before is not None:
        auction.end_raise(before)
    auction.raises = (*auction.raises, StandingRaise(player, seat, up_to, turn.now))
    turn.touch(player)


def make_raise(turn: Turn, state: AuctionState, player: str, action: Raise) -> AuctionState:
    """Make or change a standing raise. If the player has no standing bid on the seat, it bids at once."""
    _require(state.core.phase == RUNNING, turn, state)
    require_allowed(state.config)
    auction, seat, up_to = Auction(state), action.seat, action.up_to
    require_seat(state.config, seat)
    stands = auction.standing.get(seat)
    if stands and stands.player == player:
        judge_raise(auction, turn, player, seat, up_to, least=stands.amount + 1)
        keep_raise(auction, turn, player, seat, up_to)
        return auction.written_to(state)
    auction.judge_seat(player, seat)
    judge_raise(auction, turn, player, seat, up_to, least=auction.least_on(seat))
    keep_raise(auction, turn, player, seat, up_to)
    mine = auction.raises[-1]
    first = _raised_to(auction, turn, mine)
    auction.judge_chips(turn, player, seat, first, field="up_to")
    _raise(auction, turn, mine, first)
    answer_raises(auction, turn, seat)
    return auction.written_to(state)


def withdraw_raise(turn: Turn, state: AuctionState, player: str, action: WithdrawRaise) -> AuctionState:
    """End a standing raise; the standing bid stays."""
    _require(state.core.phase == RUNNING, turn, state)
    auction, seat = Auction(state), action.seat
    require_seat(state.config, seat)
    mine = auction.raise_on(seat, player)
    if mine is None:
        seats = [each.seat for each in auction.raises if each.player == player]
        there = f"You have standing raises on {', '.join(seats)}." if seats else "You have none anywhere."
        raise Rejected(NOTHING_TO_WITHDRAW, f"You have no standing raise on {seat}. {there}", field="seat")
    auction.end_raise(mine)
    turn.touch(player)
    return auction.written_to(state)


def answer_raises(auction: Auction, turn: Turn, seat: str) -> None:
    """Let the standing raises of outbid players on this seat bid, until none can any more."""
    while (outbid := _outbid(auction, seat)) is not None:
        _raise(auction, turn, outbid, _raised_to(auction, turn, outbid))


def _outbid(auction: Auction, seat: str) -> StandingRaise | None:
    """A standing raise on the seat whose player does not have the standing bid there, or None."""
    stands = auction.standing.get(seat)
    return next(
        (each for each in auction.raises if each.seat == seat and (stands is None or stands.player != each.player)),
        None,
    )


def _raise(auction: Auction, turn: Turn, mine: StandingRaise, amount: int) -> None:
    """Bid for a player as if they had done so themselves; only they are told that their raise did."""
    over = auction.standing.get(mine.seat)
    auction.pay_fee(turn, mine.player)
    told = {"over": over.player, "over_amount": over.amount} if over else {"over": None, "over_amount": 0}
    turn.tell(mine.player, "raised", seat=mine.seat, amount=amount, up_to=mine.up_to, **told)
    auction.place(turn, mine.player, mine.seat, amount)


def _raised_to(auction: Auction, turn: Turn, mine: StandingRaise) -> int:
    """The amount that a standing raise bids against the standing bid: the least possible or, if the rival's own
    standing raise is stronger, the most that the rival must then beat."""
    least, stands = auction.least_on(mine.seat), auction.standing.get(mine.seat)
    rival = auction.raise_on(mine.seat, stands.player) if stands else None
    if rival is None:
        return least
    own, other = (_most(auction, turn, each) for each in (mine, rival))
    if own < other or (own == other and auction.raises.index(rival) < auction.raises.index(mine)):
        return auction.highest_on(mine.seat, min(own, other - 1)) or least
    # If both can bid the same last amount, it goes to the earlier raise.
    return own if own == other and not auction.highest_on(mine.seat, own - 1, above=least) else least


def _most(auction: Auction, turn: Turn, mine: StandingRaise) -> int:
    """The highest amount that a standing raise could bid on its seat now; 0 if none."""
    if auction.fee(turn) > max(turn.balance(mine.player, GARNET), 0):
        return 0
    return auction.highest_on(mine.seat, min(mine.up_to, auction.spendable(turn, mine.player, mine.seat)))


# -- bidding -------------------------------------------------------------------------------------------

POSSIBLE: dict[Phase, str] = {
    PREGAME: "The auction is not open yet: you can make or take back a sealed bid, and buy chips.",
    RUNNING: "The auction is open: you can bid on seats and buy chips, and no bid can be taken back.",
    DECISION: "The auction is over. Only the candidate and surplus tokens are still to be decided.",
}
_NO_SEALED_RAISE = "A sealed bid has no standing raise; you can make one once the auction is open."
_ONLY_CHIPS = "Sealed bids are closed. Until the auction opens you can only buy chips."


def sealing_is_over(state: AuctionState, now: timedelta) -> bool:
    """Whether sealed bids have closed and the auction is not open yet."""
    return state.core.phase == PREGAME and now >= state.config.pregame_closes


def _require(is_possible: bool, turn: Turn, state: AuctionState) -> None:
    """Raise `Rejected` unless an action is possible at this point of the match, and say what is."""
    if not is_possible:
        said = _ONLY_CHIPS if sealing_is_over(state, turn.now) else POSSIBLE[state.core.phase]
        raise Rejected(WRONG_PHASE, said)


def seal(turn: Turn, state: AuctionState, player: str, bid: PlaceBid) -> AuctionState:
    """Make a sealed bid, replacing the earlier one; it is not compared with other players' bids."""
    _require(not sealing_is_over(state, turn.now), turn, state)
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
    return replace(state, sealed=put_sealed(state.sealed, player, SealedBid(bid.seat, bid.amount), turn.now))


def withdraw(turn: Turn, state: AuctionState, player: str, action: Withdraw) -> AuctionState:
    """Take the sealed bid back."""
    _require(not sealing_is_over(state, turn.now), turn, state)
    if player not in state.sealed:
        message = "You have no sealed bid to take back; you can make one until sealed bids close."
        raise Rejected(NOTHING_TO_WITHDRAW, message)
    turn.touch(player)
    return replace(state, sealed=take_sealed(state.sealed, player))


def bid_live(turn: Turn, state: AuctionState, player: str, bid: PlaceBid) -> AuctionState:
    """Make a live bid: judge it by the four rules and the fee, record it at once, then let standing raises answer
    it."""
    auction = Auction(state)
    if bid.up_to is not msgspec.UNSET:
        require_allowed(state.config)
    auction.judge(turn, player, bid.seat, bid.amount)
    if bid.up_to is not msgspec.UNSET:
        judge_raise(auction, turn, player, bid.seat, bid.up_to, least=bid.amount + 1)
        keep_raise(auction, turn, player, bid.seat, bid.up_to)
    auction.pay_fee(turn, player)
    auction.place(turn, player, bid.seat, bid.amount)
    answer_raises(auction, turn, bid.seat)
    return auction.written_to(state)


def buy_chips(turn: Turn, state: AuctionState, player: str, action: BuyChips) -> AuctionState:
    """Buy chips for garnets, privately, until the auction ends."""
    purchases.buy_chips(turn, player, CHIP, action.count, state.config.chip_price)
    return replace(state, bought=state.bought | {player: state.bought.get(player, 0) + action.count})


def bid(turn: Turn, state: AuctionState, player: str, action: PlaceBid) -> AuctionState:
    """Make a sealed bid in the pregame, or a live one in the auction."""
    return (bid_live if state.core.phase == RUNNING else seal)(turn, state, player, action)


MOVES: Moves = {
    PlaceBid: bid,
    Withdraw: withdraw,
    BuyChips: buy_chips,
    Raise: make_raise,
    WithdrawRaise: withdraw_raise,
}

ACTIONS = action_types(*MOVES, NameCandidate, GiveTokens)
