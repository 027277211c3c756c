"""Help for players before a bid or after being outbid, made only from the board and the player's own view."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from matches.engine.actions import Action
from matches.engine.core import RUNNING
from matches.engine.errors import Rejected
from matches.engine.purchases import chips_missing
from matches.engine.sentences import counted
from matches.engine.step import Announcement
from matches.engine.views import Remedy
from matches.games.lowest_unique_integer.auction import NOT_ENOUGH_CHIPS
from matches.games.lowest_unique_integer.bidding import PlaceBid
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic
from matches.games.lowest_unique_integer.result_views import POSSIBLE, SURE, danger

# -- prospects -----------------------------------------------------------------------------------------

OTHERS = "others"


class Usable(msgspec.Struct, frozen=True):
    """A seat on which this player may bid: `lot`, as template tags call it. `ranges`: the amounts that they can bid
    there with their free chips, as (first, last) of each range; `short`: how many chips they lack for its `lowest`."""

    lot: str
    lowest: int
    ranges: tuple[tuple[int, int], ...]
    short: int

    @property
    def amounts(self) -> str:
        """The amounts in words: `3, 5–7`; empty if there are none."""
        return _in_words(self.ranges)

    @property
    def words(self) -> str:
        """Why the player can bid nothing there: too few chips."""
        return f"at least {self.lowest}: you are {counted(self.short, 'chip')} short"


class Prospects(msgspec.Struct, frozen=True):
    """What a player may want to weigh. `usable`: the seats on which they may bid, in reading order. The rest is about
    the end if nobody bids any more: the player's own `chips` and `tokens`, whether they win (`wins`), and whether
    everybody has a token, so that none protects (`unprotected`).

    `danger`: as in `QuietLine`, or `others`: other players without a token own so many chips that the candidate will be
    one of them, unless hosts took chips from them.
    """

    usable: tuple[Usable, ...]
    chips: int
    tokens: int
    wins: bool
    unprotected: bool
    danger: str


def prospects(public: AuctionPublic, private: AuctionPrivate) -> Prospects | None:
    """What the player may want to weigh in the auction; None before and after it."""
    if public.phase != RUNNING:
        return None
    end = public.quiet
    tokens = end.line(private.handle).tokens
    chips = private.chips - sum(bid.amount for bid in private.standing if bid.ends_at <= public.stop_at)
    near = danger(bool(tokens) and not end.unprotected, chips, public.loser_chips)
    if near == POSSIBLE and any(line.danger == SURE and line.handle != private.handle for line in end.lines):
        near = OTHERS
    return Prospects(usable(public, private), chips, tokens, end.winner == private.handle, end.unprotected, near)


# -- possible bids -------------------------------------------------------------------------------


def usable(public: AuctionPublic, private: AuctionPrivate) -> tuple[Usable, ...]:
    """The seats on which the player may bid, with the amounts that they can bid."""
    free, taken, own = private.free, sorted(public.amounts_taken), {bid.seat for bid in private.standing}
    ranges, found = dict[int, tuple[tuple[int, int], ...]](), []  # many seats begin at the same amount
    for seat in public.seats:
        lowest = seat.lowest_bid
        if lowest is not None and seat.seat not in own:
            if lowest not in ranges:
                ranges[lowest] = _ranges(lowest, free, taken)
            found.append(Usable(seat.seat, lowest, ranges[lowest], max(lowest - free, 0)))
    return tuple(found)


def _ranges(lowest: int, most: int, taken: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The amounts from `lowest` to `most` that are not `taken` (ascending), as ranges."""
    found, first = [], lowest
    for gap in taken:
        if gap > most:
            break
        if gap < first:
            continue
        if first < gap:
            found.append((first, gap - 1))
        first = gap + 1
    if first <= most:
        found.append((first, most))
    return tuple(found)


@lru_cache(maxsize=1000)
def _in_words(ranges: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)


def remedy(public: AuctionPublic, private: AuctionPrivate, action: Action, refused: Rejected) -> Remedy | None:
    """The purchase of the chips that a bid lacks; None if that is not the problem, or the player cannot buy them."""
    if refused.code != NOT_ENOUGH_CHIPS or not isinstance(action, PlaceBid):
        return None
    return chips_missing(action.amount - private.free, public.chip_price, private.chips_affordable)


# -- advice --------------------------------------------------------------------------------------------


def advice(public: AuctionPublic, private: AuctionPrivate, item: Announcement) -> str:
    """Sentences for a player who was outbid: the lowest amount that they could bid on the seat now, and whether they
    can; empty for other announcements.

    Views have no clock, so the time of the latest bid decides whether the fee applies and a bid can still win.
    """
    if item.kind != "outbid" or public.last_bid_at is None:
        return ""
    if public.last_bid_at > public.last_chance_at:
        return "A new bid would win nothing: everything stops before its timer ends."
    costs = public.fee > 0 and public.last_bid_at >= public.fee_from
    price = f"each new bid costs {counted(public.fee, 'garnet')}"
    if costs and not private.can_pay_fee:
        return f"You cannot bid now: {price}, and you have {private.garnets}."
    seat = next(seat for seat in public.seats if seat.seat == item.data["seat"])
    if seat.lowest_bid is None:
        return ""
    lowest = f"The lowest amount that you can bid on {seat.seat} now is {seat.lowest_bid}."
    free = f"You have {counted(private.free, 'free chip')}"
    fee = f" {price.capitalize()}." if costs else ""
    if private.free >= seat.lowest_bid:
        return f"{lowest} {free}.{fee}"
    return f"{lowest} {free}, which is not enough.{fee}"
