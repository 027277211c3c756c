"""The rules of the auction: which bids are accepted, how they change the board, and who wins seats.

`Auction` collects the changes of the board during one event, as `Turn` does for the ledger.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Literal

import msgspec

from matches.engine.core import GARNET, PRIORITY
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.games.lowest_unique_integer.config import Config
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Bid, StandingRaise

UNKNOWN_SEAT = "unknown_seat"
SEAT_WON = "seat_won"
OWN_BID = "own_bid"
TOO_LOW = "too_low"
AMOUNT_TAKEN = "amount_taken"
NOT_ENOUGH_CHIPS = "not_enough_chips"
RAISES_FORBIDDEN = "raises_forbidden"

REFUSALS = {
    UNKNOWN_SEAT: "The grid has no such seat.",
    SEAT_WON: "Somebody has won this seat already.",
    OWN_BID: "Your own bid stands on this seat already.",
    TOO_LOW: "The amount is too low for this seat.",
    AMOUNT_TAKEN: "Another bid has this amount.",
    NOT_ENOUGH_CHIPS: "You do not have enough free chips for this.",
    RAISES_FORBIDDEN: "This match has no standing raises.",
}

Hindrance = Literal["maximum", "chips", "fee"]
"""Why a standing raise ends: the next amount is above its maximum, or the player's chips or garnets do not suffice."""


def amounts_taken(standing: Mapping[str, Bid], won: Mapping[str, Bid]) -> set[int]:
    """All amounts that are taken: those of standing and winning bids."""
    return {bid.amount for bids in (standing, won) for bid in bids.values()}


def lowest_free(taken: Iterable[int], above: int = 0) -> int:
    """The lowest amount larger than `above` that is not taken."""
    amount = above + 1
    while amount in taken:
        amount += 1
    return amount


def committed(standing: Mapping[str, Bid], player: str) -> int:
    """The sum of a player's standing bids: chips that are reserved but not yet paid."""
    return sum(bid.amount for bid in standing.values() if bid.player == player)


def require_seat(config: Config, seat: str) -> None:
    """Raise `Rejected` (`unknown_seat`) unless the board has this seat."""
    if seat not in config.grid.neighbours:
        raise Rejected(UNKNOWN_SEAT, f"There is no such seat. The seats are {config.grid.span()}.", field="seat")


class Auction:
    """The board during one event; `written_to` puts it into a state afterwards."""

    def __init__(self, state: AuctionState) -> None:
        self.config = state.config
        self.standing = dict(state.standing)
        self.won = dict(state.won)
        self.last_bid_at = state.last_bid_at
        self.raises = state.raises

    def written_to(self, state: AuctionState) -> AuctionState:
        """The state with the board as it is now."""
        return msgspec.structs.replace(
            state,
            standing=self.standing,
            won=self.won,
            last_bid_at=self.last_bid_at,
            raises=self.raises,
        )

    # -- judging ---------------------------------------------------------------------------------

    def judge(self, turn: Turn, player: str, seat: str, amount: int) -> None:
        """Raise `Rejected` for the first of the four rules that a live bid breaks."""
        require_seat(self.config, seat)
        self.judge_seat(player, seat)
        stands, least = self.standing.get(seat), self.least_on(seat)
        if amount < 1:
            message = f"Bid a positive whole number of chips: the lowest that {seat} takes is {least}."
            raise Rejected(NOT_POSITIVE, message, field="amount")
        if stands and amount <= stands.amount:
            raise Rejected(
                TOO_LOW,
                f"A bid of {stands.amount} stands on {seat}. "
                f"Bid more: the lowest amount above it that is free is {least}.",
                field="amount",
            )
        if amount in amounts_taken(self.standing, self.won):
            raise Rejected(
                AMOUNT_TAKEN,
                f"{self._where(amount)} already, and every amount on the board is different. "
                f"The lowest that {seat} takes is {least}.",
                field="amount",
            )
        self.judge_chips(turn, player, seat, amount)

    def judge_seat(self, player: str, seat: str) -> None:
        """Raise `Rejected` by rule 1 if the seat is won, or its standing bid is the player's own."""
        if seat in self.won:
            bid = self.won[seat]
            raise Rejected(
                SEAT_WON,
                f"{seat} is won, for {bid.amount}. {self._open_to(player)}",
                field="seat",
            )
        stands = self.standing.get(seat)
        if stands and stands.player == player:
            raise Rejected(
                OWN_BID,
                f"Your own bid of {stands.amount} stands on {seat}; "
                f"you can bid there again once it is outbid. {self._open_to(player)}",
                field="seat",
            )

    def judge_chips(self, turn: Turn, player: str, seat: str, amount: int, *, field: str = "amount") -> None:
        """Raise `Rejected` by rule 3 if the player's standing bids together with this one exceed their chips."""
        chips = turn.balance(player, CHIP)
        free = chips - committed(self.standing, player)
        if amount <= free:
            return
        hint = f"the lowest that {seat} takes is {self.least_on(seat)}"
        if most := self.highest_on(seat, free):
            hint = f"the most that you can bid on {seat} is {most}"
        raise Rejected(NOT_ENOUGH_CHIPS, f"{free} of your {chips} chips are free; {hint}.", field=field)

    def _where(self, amount: int) -> str:
        """The start of a sentence that says where on the board an amount is."""
        for bids, verb in ((self.standing, "stands on"), (self.won, "has won")):
            for seat, bid in bids.items():
                if bid.amount == amount:
                    return f"{amount} {verb} {seat}"
        raise LookupError(amount)

    def _open_to(self, player: str) -> str:
        """A sentence on where a player may bid instead."""
        seats = [
            seat
            for seat in self.config.grid.seats
            if seat not in self.won and (seat not in self.standing or self.standing[seat].player != player)
        ]
        return f"You can bid on {', '.join(seats)}." if seats else "No seat is open to you now."

    # -- what happens ----------------------------------------------------------------------------

    def place(self, turn: Turn, player: str, seat: str, amount: int, *, sealed: bool = False) -> None:
        """Record an accepted bid at `turn.now`, and tell the player whom it outbids, unless their standing raise will
        answer it."""
        outbid = self.standing.get(seat)
        self.standing[seat] = Bid(player, amount, turn.now)
        if outbid:
            turn.bid("outbid", seat, outbid.player, CHIP, outbid.amount)
            self._tell_outbid(turn, outbid, seat)
        self.last_bid_at = turn.now
        turn.bid("standing", seat, player, CHIP, amount)
        turn.announce(
            "bid_placed",
            seat=seat,
            player=player,
            amount=amount,
            outbid=outbid.player if outbid else None,
            sealed=sealed,
        )

    def _tell_outbid(self, turn: Turn, outbid: Bid, seat: str) -> None:
        """Tell a player that they are outbid, and end a standing raise of theirs that cannot answer. Does nothing if it
        can."""
        by, ended = self.standing[seat], {}
        mine = self.raise_on(seat, outbid.player)
        if mine is not None:
            why = self.hindrance(turn, mine)
            if not why:
                return
            self.end_raise(mine)
            ended = {"raise_ended": why, "up_to": mine.up_to}
        turn.tell(outbid.player, "outbid", seat=seat, amount=by.amount, by=by.player, own=outbid.amount, **ended)

    def fee(self, turn: Turn) -> int:
        """The fee for a bid now, in garnets."""
        return self.config.fee if turn.now >= self.config.fee_from else 0

    def pay_fee(self, turn: Turn, player: str) -> None:
        """Take the fee that each bid costs from `fee_from` on; it cannot be paid on credit.

        Raises `Rejected` (`not_enough_garnets`).
        """
        fee = self.fee(turn)
        garnets = turn.balance(player, GARNET)
        if fee and garnets < fee:
            raise Rejected(
                NOT_ENOUGH_GARNETS,
                f"Each new bid now costs {counted(fee, 'garnet')}; you have {garnets}, and credit does not count here.",
            )
        turn.pay(player, GARNET, fee, "bid_fee")

    def win_due(self, turn: Turn) -> None:
        """Let bids that have stood for the whole timer win their seats, in reading order."""
        for seat in self.config.grid.seats:
            bid = self.standing.get(seat)
            if bid is None or bid.at + self.config.bid_timer > turn.now:
                continue
            self.won[seat] = self.standing.pop(seat)
            self.raises = tuple(each for each in self.raises if each.seat != seat)
            prize = self.config.prize(seat)
            turn.bid("won", seat, bid.player, CHIP, bid.amount)
            turn.pay(bid.player, CHIP, bid.amount, "seat_won")
            turn.earn(bid.player, GARNET, prize.garnets, "seat_prize")
            turn.earn(bid.player, PRIORITY, prize.priority, "seat_prize")
            win = {"seat": seat, "amount": bid.amount, "garnets": prize.garnets, "priority": prize.priority}
            turn.announce("seat_won", player=bid.player, **win)
            turn.tell(bid.player, "won", **win)

    def cancel_standing(self, turn: Turn) -> None:
        """Cancel all standing bids and standing raises, because the auction has reached its latest end."""
        self.raises = ()
        for seat in self.config.grid.seats:
            bid = self.standing.pop(seat, None)
            if bid is not None:
                turn.bid("cancelled", seat, bid.player, CHIP, bid.amount)
                turn.announce("bid_cancelled", seat=seat, player=bid.player, amount=bid.amount)

    # -- standing raises -------------------------------------------------------------------------

    def raise_on(self, seat: str, player: str) -> StandingRaise | None:
        """A player's standing raise on a seat, or None."""
        return next((each for each in self.raises if (each.seat, each.player) == (seat, player)), None)

    def end_raise(self, ended: StandingRaise) -> None:
        """Remove a standing raise."""
        self.raises = tuple(each for each in self.raises if each != ended)

    def _floor(self, seat: str) -> int:
        stands = self.standing.get(seat)
        return stands.amount if stands else 0

    def least_on(self, seat: str) -> int:
        """The lowest amount that can be bid now on a seat that is not won."""
        return lowest_free(amounts_taken(self.standing, self.won), self._floor(seat))

    def highest_on(self, seat: str, up_to: int, above: int | None = None) -> int:
        """The highest free amount, at most `up_to`, that is larger than the standing bid on the seat (or than `above`);
        0 if there is none."""
        taken = amounts_taken(self.standing, self.won)
        floor = self._floor(seat) if above is None else above
        return next((amount for amount in range(up_to, floor, -1) if amount not in taken), 0)

    def spendable(self, turn: Turn, player: str, seat: str) -> int:
        """The chips that a player could bid on a seat now, or once outbid there."""
        stands = self.standing.get(seat)
        own = stands.amount if stands and stands.player == player else 0
        return turn.balance(player, CHIP) - committed(self.standing, player) + own

    def hindrance(self, turn: Turn, mine: StandingRaise) -> Hindrance | None:
        """Why the standing raise of an outbid player cannot bid on its seat now; None if it can."""
        least = self.least_on(mine.seat)
        if least > mine.up_to:
            return "maximum"
        if least > self.spendable(turn, mine.player, mine.seat):
            return "chips"
        return "fee" if self.fee(turn) > max(turn.balance(mine.player, GARNET), 0) else None

    # -- deadlines -------------------------------------------------------------------------------

    def all_won(self) -> bool:
        """Whether every seat is won."""
        return len(self.won) == len(self.config.grid.seats)

    def silent_at(self) -> timedelta:
        """The match time at which the bid timer runs out if there is no new bid."""
        latest = self.last_bid_at
        return (self.config.pregame if latest is None else latest) + self.config.bid_timer

    def deadlines(self) -> Iterator[timedelta]:
        """Yield every match time at which the running auction may change without an action."""
        yield self.config.stop_at
        yield self.silent_at()
        for bid in self.standing.values():
            yield bid.at + self.config.bid_timer
