"""A bot that uses only what its player may see: it bids low amounts on good seats, from time to time.

It keeps nothing between calls. Time is divided into slots, and a draw from the bot's own seed decides for each slot
whether the bot acts. So it bids equally often, no matter how often it is called.
"""

from datetime import timedelta

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.match_time import seconds
from matches.engine.views import MatchTime
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic, SeatView

SLOTS_PER_TIMER = 24
AWAKE_ONE_IN = 3
BUYS_ONE_IN = 6
RAISES_ONE_IN = 5
MOST_RAISED = 2
"""The most by which a bot's standing raise exceeds its bid."""

LOWEST_WINS = 8
"""The worth of the lowest amount on the board: it wins the match."""
NEXT_TO_LOWEST = 4
"""The worth of a seat beside the lowest amount: it brings a token."""


def action(public: AuctionPublic, private: AuctionPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does at match time `now`: an action as JSON, or None to wait."""
    moment = seconds(now)
    chance = Chance(draw, private.handle, _slot(public, moment))
    if public.phase == PREGAME:
        return _seal(public, private, moment, chance)
    if public.phase == RUNNING and chance.one_in(AWAKE_ONE_IN, "awake"):
        return _bid(public, private, moment, chance) or _buy(public, private, chance)
    return None


def _slot(public: AuctionPublic, moment: MatchTime) -> int:
    """The number of the time slot at a match time (in seconds)."""
    return int(moment * SLOTS_PER_TIMER // public.bid_timer)


def _seal(public: AuctionPublic, private: AuctionPrivate, moment: MatchTime, chance: Chance) -> RawAction | None:
    """One low sealed bid on a seat with a good prize."""
    if private.sealed or not private.may_bid or moment >= public.bids_close_at:
        return None
    best = max(public.seats, key=lambda seat: _prize(seat) + chance.below(4, seat.seat))
    amount = 1 + chance.below(min(private.free, 4), "amount")
    return {"type": "bid", "seat": best.seat, "amount": amount}


def _bid(public: AuctionPublic, private: AuctionPrivate, moment: MatchTime, chance: Chance) -> RawAction | None:
    """The lowest amount on the most valuable seat, if any seat is worth it."""
    slot_begins = _slot(public, moment) * public.bid_timer / SLOTS_PER_TIMER
    if any(own.placed_at >= slot_begins for own in private.standing):
        return None
    fee = public.fee if moment >= public.fee_from else 0
    if fee and not private.can_pay_fee:
        return None
    mine = {own.seat for own in private.standing}
    worth = {
        (seat.seat, seat.lowest_bid): _worth(public, seat, seat.lowest_bid) + chance.below(3, seat.seat) - 2 * fee
        for seat in public.seats
        if seat.lowest_bid is not None and seat.lowest_bid <= private.free and seat.seat not in mine
    }
    if not worth:
        return None
    seat, amount = max(worth, key=lambda option: worth[option])
    # A player with this many chips left can become Elimination Candidate: better to spend some.
    must_spend = private.chips - private.committed >= public.loser_chips
    if worth[seat, amount] <= 0 and not must_spend:
        return None
    action: RawAction = {"type": "bid", "seat": seat, "amount": amount}
    up_to = min(amount + MOST_RAISED, private.free)
    if public.may_raise and up_to > amount and chance.one_in(RAISES_ONE_IN, "raise"):
        action["up_to"] = up_to
    return action


def _buy(public: AuctionPublic, private: AuctionPrivate, chance: Chance) -> RawAction | None:
    """Now and then buy a chip when few are left, never on credit."""
    few = private.chips < public.loser_chips and private.free < 2
    can = private.may_buy and private.garnets >= public.chip_price > 0
    if few and can and chance.one_in(BUYS_ONE_IN, "buy"):
        return {"type": "buy_chips", "count": 1}
    return None


def _prize(seat: SeatView) -> int:
    return 2 * seat.garnets + seat.priority


def _worth(public: AuctionPublic, seat: SeatView, amount: int) -> int:
    """The value of winning the seat for that amount, minus its cost, by rule of thumb."""
    worth = _prize(seat) - amount
    taken = [other for other in public.seats if other.amount is not None and other.seat != seat.seat]
    lowest = min(taken, key=lambda other: other.amount or 0, default=None)
    if lowest is None or amount < (lowest.amount or 0):
        return worth + LOWEST_WINS
    return worth + NEXT_TO_LOWEST if seat.seat in lowest.neighbours else worth
