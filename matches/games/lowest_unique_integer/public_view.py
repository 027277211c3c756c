"""The public view. Only this module fills it."""

from datetime import timedelta
from functools import cached_property

import msgspec

from matches.engine.core import DECISION, FINISHED, RUNNING
from matches.engine.match_time import optional_seconds, seconds
from matches.engine.views import MatchTime, PublicView, WhoLeads, public_fields, settings_shown, tokens_of_life
from matches.games.lowest_unique_integer.auction import Auction, amounts_taken, lowest_free
from matches.games.lowest_unique_integer.config import grid
from matches.games.lowest_unique_integer.result_views import QuietEnd, ResultView, quiet_end, result_view
from matches.games.lowest_unique_integer.state import AuctionState, Bid


class SeatView(msgspec.Struct, frozen=True):
    """A seat as everyone sees it.

    `row`, `column` count from 1. `neighbours`: above, below, left, right. `state`: `open` (no bid), `standing`, `won`,
    or `unclaimed` (the auction is over). `player`, `amount`, `placed_at`: of the standing or winning bid; `ends_at`:
    when it wins or has won. `lowest_bid`: the lowest amount that can be bid now, None if the seat takes no bid.
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
    placed_at: MatchTime | None = None
    ends_at: MatchTime | None = None
    lowest_bid: int | None = None


_MOST_SHOWN = 60


class AuctionPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Times are match times; an `_at` that is not set is None.

    `board`: the seats row by row. `ending`: why the auction ended: `all_won`, `silence`, `stop`, or empty. `tokens`:
    player -> Tokens of Life held now. `raises_forbidden` is left out unless it is true.
    """

    variant: str
    columns: int
    rows: int
    board: tuple[tuple[SeatView, ...], ...]
    amounts_taken: tuple[int, ...]
    lowest_free: int
    bids_close_at: MatchTime
    opens_at: MatchTime
    last_bid_at: MatchTime | None
    ends_if_silent_at: MatchTime | None
    fee_from: MatchTime
    fee: int
    stop_at: MatchTime
    bid_timer: MatchTime
    chips: int
    chip_price: int
    winner_tokens: int
    loser_chips: int
    ending: str
    ended_at: MatchTime | None
    tokens: dict[str, int]
    result: ResultView | None
    raises_forbidden: bool | msgspec.UnsetType = msgspec.UNSET

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """All seats in reading order."""
        return tuple(seat for row in self.board for seat in row)

    @property
    def may_raise(self) -> bool:
        """Whether players may make standing raises now."""
        return self.phase == RUNNING and not self.raises_forbidden

    @cached_property
    def seats_not_won(self) -> tuple[str, ...]:
        """The names of the seats that are not won, in reading order."""
        return tuple(seat.seat for seat in self.seats if seat.state != "won")

    @property
    def judged_in_order(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Each priority with its holders, highest first: the order in which sealed bids are judged."""
        held = sorted({line.priority for line in self.players}, reverse=True)
        return tuple(
            (priority, tuple(line.handle for line in self.players if line.priority == priority)) for priority in held
        )

    @property
    def last_chance_at(self) -> MatchTime:
        """The latest time for a bid to win; after it everything stops before the bid's timer ends."""
        return self.stop_at - self.bid_timer

    @property
    def seats_won(self) -> int:
        """How many seats are won."""
        return sum(seat.state == "won" for seat in self.seats)

    @property
    def lowest_on_board(self) -> SeatView | None:
        """The seat with the lowest standing or winning bid."""
        taken = [seat for seat in self.seats if seat.amount is not None]
        return min(taken, key=lambda seat: seat.amount or 0, default=None)

    @cached_property
    def quiet(self) -> QuietEnd:
        """How the auction ends if nobody bids any more: every bid whose timer ends before everything stops wins."""
        board = grid(self.columns, self.rows, self.seats[0].seat)
        won = {
            seat.seat: Bid(seat.player, seat.amount, timedelta(seconds=seat.placed_at))
            for seat in self.seats
            if seat.player is not None and seat.amount is not None and seat.placed_at is not None
            if seat.state == "won" or seat.placed_at + self.bid_timer <= self.stop_at
        }
        before = self.tokens if self.phase == RUNNING else {}
        held = {line.handle: before.get(line.handle, 0) for line in self.players}
        return quiet_end(board, self.winner_tokens, self.chips, self.loser_chips, held, won)

    @property
    def who_leads(self) -> WhoLeads:
        """The player with the lowest bid; as lines everybody's seats and bids."""
        held: dict[str, list[str]] = {}
        for seat in self.seats:
            if seat.player:
                held.setdefault(seat.player, []).append(
                    f"{seat.seat} {'for' if seat.state == 'won' else 'at'} {seat.amount}"
                )
        lines = {handle: ", ".join(seats) for handle, seats in held.items()}
        lowest = self.lowest_on_board
        if lowest is None or lowest.player is None:
            return WhoLeads((), "No bid stands on the board yet", lines)
        return WhoLeads((lowest.player,), f"the lowest bid, {lowest.amount} on {lowest.seat}", lines)

    @property
    def amounts_shown(self) -> range:
        """The amounts that the strip of amounts shows, up to a little above the highest one taken."""
        return range(1, min(max(self.amounts_taken, default=0) + 4, _MOST_SHOWN) + 1)


def public_view(state: AuctionState, next_deadline: timedelta | None) -> AuctionPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    running = core.phase == RUNNING
    taken = amounts_taken(state.standing, state.won)
    return AuctionPublic(
        **public_fields(core, next_deadline),
        **settings_shown(
            config,
            "variant",
            "columns",
            "rows",
            "fee_from",
            "fee",
            "stop_at",
            "bid_timer",
            "chips",
            "chip_price",
            "winner_tokens",
            "loser_chips",
        ),
        board=tuple(
            tuple(_seat(state, taken, seat, row, column) for column, seat in enumerate(seats, 1))
            for row, seats in enumerate(config.grid.rows, 1)
        ),
        amounts_taken=tuple(sorted(taken)),
        lowest_free=lowest_free(taken),
        bids_close_at=seconds(config.pregame_closes),
        opens_at=seconds(config.pregame),
        last_bid_at=optional_seconds(state.last_bid_at),
        ends_if_silent_at=seconds(Auction(state).silent_at()) if running else None,
        ending=state.ending,
        ended_at=optional_seconds(state.ended_at),
        tokens=tokens_of_life(core),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
        raises_forbidden=config.forbid_raises or msgspec.UNSET,
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
