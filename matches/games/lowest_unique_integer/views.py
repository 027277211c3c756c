"""What viewers are shown: whitelists, filled here and nowhere else."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING
from matches.engine.durations import optional_seconds, seconds
from matches.engine.ledger import GARNET, MOST, PRIORITY, balance
from matches.engine.views import (
    DECISION_IF_IDLE,
    Ask,
    Moment,
    PrivateView,
    PublicView,
    decisions_asked,
    decisions_view,
    own_balances,
    own_decisions,
    player_lines,
    tokens_of_life,
)
from matches.games.lowest_unique_integer.auction import (
    Auction,
    amounts_taken,
    committed,
    lowest_free,
)
from matches.games.lowest_unique_integer.result_views import ResultView, SealedView, result_view, sealed_view
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Bid

# -- what everyone may know --------------------------------------------------------------------


class SeatView(msgspec.Struct, frozen=True):
    """A seat as everyone sees it.

    `row`, `column` count from 1. `neighbours`: above, below, left, right. `state`: `open` (no bid),
    `standing`, `won`, or `unclaimed` (the auction is over). `player`, `amount`, `placed_at` are
    those of the standing or winning bid; `ends_at` is when it wins or has won. `lowest_bid` is the
    lowest amount that the seat takes now, None where it takes none.
    """

    seat: str
    row: int
    column: int
    neighbours: tuple[str, ...]
    garnets: int
    priority: int
    state: str
    player: str | None = None
    amount: int | None = None
    placed_at: Moment | None = None
    ends_at: Moment | None = None
    lowest_bid: int | None = None


_MOST_SHOWN = 60


class AuctionPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Moments are match times; an `_at` that is not set is None.

    `board` holds the seats row by row. `ending`: why the auction ended: `all_won`, `silence`,
    `stop`, or empty. `tokens` is who holds Tokens of Life now.
    """

    variant: str
    columns: int
    rows: int
    board: tuple[tuple[SeatView, ...], ...]
    amounts_taken: tuple[int, ...]
    lowest_free: int
    bids_close_at: Moment
    opens_at: Moment
    last_bid_at: Moment | None
    ends_if_silent_at: Moment | None
    fee_from: Moment
    fee: int
    stop_at: Moment
    bid_timer: Moment
    chips: int
    chip_price: int
    winner_tokens: int
    loser_chips: int
    ending: str
    ended_at: Moment | None
    tokens: dict[str, int]
    result: ResultView | None

    # What follows from the fields, for templates; JSON has the fields alone.

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """All seats in reading order."""
        return tuple(seat for row in self.board for seat in row)

    @property
    def last_chance_at(self) -> Moment:
        """A bid made later than this cannot win: everything stops before its timer ends."""
        return self.stop_at - self.bid_timer

    @property
    def seat_count(self) -> int:
        """How many seats there are."""
        return self.columns * self.rows

    @property
    def seats_won(self) -> int:
        """How many seats are won."""
        return sum(seat.state == "won" for seat in self.seats)

    @property
    def lowest_on_board(self) -> SeatView | None:
        """The seat with the lowest bid that stands or has won: who leads."""
        taken = [seat for seat in self.seats if seat.amount is not None]
        return min(taken, key=lambda seat: seat.amount or 0, default=None)

    @property
    def amounts_shown(self) -> range:
        """The amounts that the strip of numbers shows: to a little beyond the highest one taken."""
        return range(1, min(max(self.amounts_taken, default=0) + 4, _MOST_SHOWN) + 1)


def public_view(state: AuctionState, next_deadline: timedelta | None) -> AuctionPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    running = core.phase == RUNNING
    taken = amounts_taken(state.standing, state.won)
    return AuctionPublic(
        phase=core.phase,
        players=player_lines(core),
        next_deadline=optional_seconds(next_deadline),
        winners=core.winners,
        candidates=core.candidates,
        decisions=decisions_view(core),
        variant=config.variant,
        columns=config.columns,
        rows=config.rows,
        board=_board(state, taken),
        amounts_taken=tuple(sorted(taken)),
        lowest_free=lowest_free(taken),
        bids_close_at=seconds(config.pregame_closes),
        opens_at=seconds(config.pregame),
        last_bid_at=optional_seconds(state.last_bid_at),
        ends_if_silent_at=seconds(Auction(state).silent_at()) if running else None,
        fee_from=seconds(config.fee_from),
        fee=config.fee,
        stop_at=seconds(config.stop_at),
        bid_timer=seconds(config.bid_timer),
        chips=config.chips,
        chip_price=config.chip_price,
        winner_tokens=config.winner_tokens,
        loser_chips=config.loser_chips,
        ending=state.ending,
        ended_at=optional_seconds(state.ended_at),
        tokens=tokens_of_life(core),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
    )


def _board(state: AuctionState, taken: set[int]) -> tuple[tuple[SeatView, ...], ...]:
    return tuple(
        tuple(_seat(state, taken, seat, row, column) for column, seat in enumerate(seats, 1))
        for row, seats in enumerate(state.config.grid.rows, 1)
    )


def _seat(state: AuctionState, taken: set[int], seat: str, row: int, column: int) -> SeatView:
    prize = state.config.prize(seat)
    neighbours = state.config.grid.neighbours[seat]
    won, standing = state.won.get(seat), state.standing.get(seat)
    bid: Bid | None = won or standing
    over = state.core.phase in (DECISION, FINISHED)
    return SeatView(
        seat=seat,
        row=row,
        column=column,
        neighbours=neighbours,
        garnets=prize.garnets,
        priority=prize.priority,
        state="won" if won else "standing" if standing else "unclaimed" if over else "open",
        player=bid.player if bid else None,
        amount=bid.amount if bid else None,
        placed_at=seconds(bid.at) if bid else None,
        ends_at=seconds(bid.at + state.config.bid_timer) if bid else None,
        lowest_bid=None if won or over else lowest_free(taken, standing.amount if standing else 0),
    )


# -- what one player may know beyond that ------------------------------------------------------


class OwnBid(msgspec.Struct, frozen=True):
    """One's own standing bid; it wins at `ends_at` unless it is outbid."""

    seat: str
    amount: int
    placed_at: Moment
    ends_at: Moment


class AuctionPrivate(PrivateView, frozen=True, kw_only=True):
    """One's own purse and bids.

    `chips` are owned, `committed` of them are in standing bids, `free` are the rest. `sealed` is
    one's sealed bid, also after it was judged. `standing` and `seats` are one's standing bids and
    the seats one has won. `may_bid`: a bid may be possible in this phase with what one has (in
    the pregame until the public view's `bids_close_at`, the same for `may_withdraw`);
    `can_pay_fee`: also once the fee applies. `chips_affordable` is the most one can buy.
    """

    chips: int
    committed: int
    free: int
    garnets: int
    priority: int
    sealed: SealedView | None
    standing: tuple[OwnBid, ...]
    seats: tuple[str, ...]
    may_bid: bool
    may_withdraw: bool
    may_buy: bool
    can_pay_fee: bool
    chips_affordable: int


def private_view(state: AuctionState, player: str) -> AuctionPrivate:
    """What this player may know beyond the public board, and may do now."""
    core, config = state.core, state.config
    chips = balance(core.purses, player, CHIP)
    garnets = balance(core.purses, player, GARNET)
    held = committed(state.standing, player)
    affordable = chips_affordable(state, player)
    asked = _asked(state, player)
    playing = core.phase in (PREGAME, RUNNING)
    return AuctionPrivate(
        handle=player,
        balances=own_balances(core, player),
        asked=asked,
        decided=own_decisions(core, player),
        if_idle=_if_idle(state, player, asked),
        chips=chips,
        committed=held,
        free=chips - held,
        garnets=garnets,
        priority=balance(core.purses, player, PRIORITY),
        sealed=sealed_view(state, player),
        standing=tuple(
            OwnBid(seat, bid.amount, seconds(bid.at), seconds(bid.at + config.bid_timer))
            for seat, bid in _own(state, state.standing, player)
        ),
        seats=tuple(seat for seat, _ in _own(state, state.won, player)),
        may_bid=playing and chips > held,
        may_withdraw=core.phase == PREGAME and player in state.sealed,
        may_buy=playing and affordable > 0,
        can_pay_fee=garnets >= config.fee or not config.fee,
        chips_affordable=affordable if playing else 0,
    )


def chips_affordable(state: AuctionState, player: str) -> int:
    """The most chips that this player could buy at once; credit and chips end far away."""
    garnets = balance(state.core.purses, player, GARNET)
    if state.config.garnet_credit:
        garnets += MOST
    room = MOST - balance(state.core.purses, player, CHIP)
    price = state.config.chip_price
    return min(max(garnets, 0) // price, room) if price else room


def _own(state: AuctionState, bids: dict[str, Bid], player: str) -> list[tuple[str, Bid]]:
    """A player's bids with their seats, in reading order."""
    return [(seat, bids[seat]) for seat in state.config.grid.seats if seat in bids and bids[seat].player == player]


def _asked(state: AuctionState, player: str) -> tuple[Ask, ...]:
    """A sealed bid while there is none; later the decisions."""
    if state.core.phase != PREGAME:
        return decisions_asked(state.core, player)
    if player in state.sealed or not state.config.pregame_closes:
        return ()
    text = "You can make one sealed bid, judged when the auction opens."
    return (Ask("bid", text, seconds(state.config.pregame_closes)),)


def _if_idle(state: AuctionState, player: str, asked: tuple[Ask, ...]) -> str:
    """What happens if this player does nothing, from what this player may know."""
    phase = state.core.phase
    if phase == PREGAME:
        bid = state.sealed.get(player)
        if bid is None:
            return "If you do nothing, you make no sealed bid; you can bid once the auction opens."
        return (
            f"If you do nothing, your sealed bid of {bid.value.amount} on {bid.value.seat} "
            "is judged when the auction opens."
        )
    if phase == RUNNING:
        own = _own(state, state.standing, player)
        if not own:
            return "If you do nothing, you win no further seat."
        stop, timer = state.config.stop_at, state.config.bid_timer
        winning = [f"{bid.amount} on {seat}" for seat, bid in own if bid.at + timer <= stop]
        too_late = [f"{bid.amount} on {seat}" for seat, bid in own if bid.at + timer > stop]
        ways = []
        if winning:
            each = "wins its seat" if len(winning) == 1 else "each win their seat"
            ways.append(f"your {', '.join(winning)} {each} when the timer ends, unless outbid")
        if too_late:
            ways.append(f"your {', '.join(too_late)} will be cancelled, because everything stops before the timer ends")
        return f"If you do nothing, {'; '.join(ways)}."
    return DECISION_IF_IDLE if asked else ""
