"""What everyone may know. Only this module fills it."""

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import round_fields
from matches.engine.sentences import counted
from matches.engine.views import MatchTime, PublicView, WhoLeads, public_fields, settings_shown, tokens_of_life
from matches.games.number_auction.conditions import TITLES, Holding
from matches.games.number_auction.result_views import ResultView, result_view
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.sheet_views import Prospect, SheetView, compared, prospect, sheet
from matches.games.number_auction.state import Lot, NumbersState


class NumberView(msgspec.Struct, frozen=True):
    """One of the 50 numbers as everyone sees it.

    `state`: `later` (its round is still secret), `open` (up for auction now), `sold` or `gone` (nobody got it).
    `round`: its round, None while that is secret. `player`, `bid`, `price`: who got it, with which bid, for which
    price; None unless it is sold.
    """

    number: int
    state: str
    round: int | None = None
    player: str | None = None
    bid: int | None = None
    price: int | None = None


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over. `lots` are its numbers, ascending, each `sold` or `gone`."""

    round: int
    closed_at: MatchTime
    lots: tuple[NumberView, ...]


class NumbersPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Times are match times.

    `round`: the open round, or the last one at the end, counted from 1; 0 in the pregame. `numbers`: up for auction
    now, ascending; empty between rounds. `starts_at`: when the first round begins. `opens_at`, `closes_at`: of the open
    round, else None. `board`: all 50 numbers. `sheets`: a score sheet for each player in list order, with the tokens
    that were published last. `history`: the rounds that are over, the first one first. `tokens_of_life`: who holds
    Tokens of Life now.
    """

    round: int
    rounds: int
    numbers_per_round: int
    numbers: tuple[int, ...]
    starts_at: MatchTime
    opens_at: MatchTime | None
    closes_at: MatchTime | None
    board: tuple[NumberView, ...]
    sheets: tuple[SheetView, ...]
    history: tuple[RoundView, ...]
    tokens: int
    income: int
    tokens_per_garnet: int
    tokens_of_life: dict[str, int]
    result: ResultView | None

    # Derived from the fields, for templates; JSON has the fields alone.

    @property
    def open_lots(self) -> tuple[NumberView, ...]:
        """The numbers that are up for auction now."""
        return tuple(number for number in self.board if number.state == "open")

    @property
    def bid_fields(self) -> tuple[str, ...]:
        """The form's field names for the bids that can be made now. Other numbers come from an older page."""
        return tuple(f"bids[{number}]" for number in self.numbers)

    @property
    def rounds_left(self) -> int:
        """How many rounds come after the present one."""
        return self.rounds - self.round

    @property
    def rounds_known(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each round that has begun, ascending."""
        over = tuple(tuple(lot.number for lot in each.lots) for each in self.history)
        return (*over, self.numbers) if self.numbers else over

    @property
    def titles(self) -> dict[str, str]:
        """Condition -> what it asks for."""
        return TITLES

    @property
    def prospects(self) -> dict[int, tuple[Prospect, ...]]:
        """What each number that is up for auction would bring everybody, most points first: by what everyone knows."""
        return {
            number: tuple(sorted((prospect(each, number) for each in self.sheets), key=lambda each: -each.points))
            for number in self.numbers
        }

    @property
    def taken_from(self) -> dict[str, tuple[str, ...]]:
        """Player -> the lines that somebody else has."""
        return {
            one.handle: tuple(line for each in self.sheets if each.handle != one.handle for line in each.lines)
            for one in self.sheets
        }

    @property
    def who_leads(self) -> WhoLeads:
        """The player who would win if no number were left; everybody's lines, conditions and points."""
        keys = {
            sheet.handle: (len(sheet.unique_lines), len(sheet.conditions), sheet.points.total) for sheet in self.sheets
        }
        lines = {
            handle: f"{counted(points, 'point')}, {met} met" + (f", {counted(alone, 'unique line')}" if alone else "")
            for handle, (alone, met, points) in keys.items()
            if points
        }
        best = max(keys.values(), default=(0, 0, 0))
        if not best[-1]:
            return WhoLeads((), "Nobody owns a number yet")
        return WhoLeads(tuple(handle for handle, key in keys.items() if key == best), "the best sheet so far", lines)

    @property
    def obtainable(self) -> tuple[int, ...]:
        """The numbers that can still be won."""
        return tuple(number.number for number in self.board if number.state in ("open", "later"))


def public_view(state: NumbersState, next_deadline: timedelta | None) -> NumbersPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    board = _board(state)
    return NumbersPublic(
        **public_fields(core, next_deadline),
        **round_fields(core, config, state.round),
        **settings_shown(config, "rounds", "numbers_per_round", "tokens", "income", "tokens_per_garnet"),
        numbers=state.numbers,
        starts_at=seconds(config.pregame),
        board=board,
        sheets=compared(sheets_of(state)),
        history=_history(state, board),
        tokens_of_life=tokens_of_life(core),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
    )


def _board(state: NumbersState) -> tuple[NumberView, ...]:
    decided = {lot.number: lot for lot in state.lots}
    round_of = {number: place for place, numbers in enumerate(state.rounds, 1) for number in numbers}
    return tuple(_number(number, decided.get(number), round_of.get(number)) for number in NUMBERS)


def _number(number: int, lot: Lot | None, place: int | None) -> NumberView:
    if lot is None:
        return NumberView(number, "later" if place is None else "open", place)
    return NumberView(number, "gone" if lot.player is None else "sold", place, lot.player, lot.bid, lot.price)


def _history(state: NumbersState, board: tuple[NumberView, ...]) -> tuple[RoundView, ...]:
    return tuple(
        RoundView(
            round=place,
            closed_at=seconds(state.config.closes_at(place)),
            lots=tuple(board[lot.number - 1] for lot in closed.lots),
        )
        for place, closed in enumerate(state.closed, 1)
    )


def obtainable_of(state: NumbersState) -> tuple[int, ...]:
    """The numbers that can still be won, ascending."""
    decided = {lot.number for lot in state.lots}
    return tuple(number for number in NUMBERS if number not in decided)


def sheets_of(state: NumbersState) -> tuple[SheetView, ...]:
    """Everybody's sheet, not yet compared with the others, with the tokens that are publicly known."""
    obtainable, rounds = obtainable_of(state), state.rounds
    return tuple(
        sheet(handle, Holding(numbers, state.shown[handle], rounds), obtainable)
        for handle, numbers in state.owned.items()
    )
