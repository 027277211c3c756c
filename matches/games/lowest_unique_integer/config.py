"""The settings of Lowest Unique Integer, the board, the published variants, and what cannot be played."""

import string
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache
from typing import Annotated, Any, NamedTuple

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY, HOUR, NO_TIME
from matches.engine.settings import (
    Choice,
    Data,
    Flag,
    Roster,
    Setting,
    Settings,
    Span,
    Values,
    Whole,
    on_credit,
    time_to_decide,
)

# -- board ---------------------------------------------------------------------------------------------

LETTERS = string.ascii_uppercase
LEAST_SIDE = 3
MOST_SEATS = len(LETTERS)


class Grid(NamedTuple):
    """A board's shape. `rows` holds the seats' letters row by row."""

    rows: tuple[tuple[str, ...], ...]
    seats: tuple[str, ...]
    neighbours: dict[str, tuple[str, str, str, str]]
    """Seat -> the seats above, below, left and right of it; the board wraps around."""

    def span(self) -> str:
        """The seats in words: `O to Z`."""
        return f"{self.seats[0]} to {self.seats[-1]}"


@cache
def grid(columns: int, rows: int, first_seat: str) -> Grid:
    """The board with this many columns and rows, lettered from `first_seat` in reading order.

    With at least three columns and rows the four neighbours of a seat are four different seats.
    """
    start = LETTERS.index(first_seat)
    seats = tuple(LETTERS[start : start + columns * rows])
    lines = tuple(seats[row * columns : (row + 1) * columns] for row in range(rows))
    neighbours = {
        lines[row][column]: (
            lines[row - 1][column],
            lines[(row + 1) % rows][column],
            lines[row][column - 1],
            lines[row][(column + 1) % columns],
        )
        for row in range(rows)
        for column in range(columns)
    }
    return Grid(lines, seats, neighbours)


def last_letters(count: int) -> str:
    """The first seat's letter on a board whose last seat is Z."""
    return LETTERS[max(len(LETTERS) - count, 0)]


# -- config --------------------------------------------------------------------------------------------

Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the winner of a seat gets."""

    garnets: Amount = 0
    priority: Amount = 0


NO_PRIZE = Prize()


class Variant(msgspec.Struct, frozen=True):
    """A published version of the game. `prizes`: (garnets, priority) in reading order."""

    columns: int
    rows: int
    chips: int
    chip_price: int
    winner_tokens: int
    closes_early: timedelta
    prizes: tuple[tuple[int, int], ...]


# fmt: off
VARIANTS = {
    "F11": Variant(
        columns=4, rows=3, chips=20, chip_price=1, winner_tokens=2, closes_early=NO_TIME,
        prizes=((3, 0), (1, 1), (0, 3), (2, 1),
                (1, 2), (0, 3), (2, 0), (1, 1),
                (0, 3), (2, 1), (1, 2), (3, 0)),
    ),
    "F8": Variant(
        columns=3, rows=3, chips=16, chip_price=2, winner_tokens=1, closes_early=HOUR,
        prizes=((2, 0), (1, 1), (0, 3),
                (1, 1), (3, 0), (1, 1),
                (0, 3), (1, 1), (2, 0)),
    ),
}
# fmt: on


class Letter(Setting, frozen=True, kw_only=True):
    """A setting for one capital letter from A to Z."""

    def read(self, raw: object) -> str:
        if not isinstance(raw, str) or len(raw) != 1 or raw not in LETTERS:
            raise self.refuse("expected one capital letter from A to Z")
        return raw


def _variant(values: Values) -> Variant:
    return VARIANTS[values["variant"]]


def _variants(name: str) -> Callable[[Values], Any]:
    """A default that is taken from the variant."""
    return lambda values: getattr(_variant(values), name)


def _up_to_z(values: Values) -> str:
    return last_letters(values["columns"] * values["rows"])


def _before_the_opening(values: Values) -> timedelta:
    closes: timedelta = values["pregame"] - _variant(values).closes_early
    return max(closes, NO_TIME)


def _variants_prizes(values: Values) -> dict[str, Prize]:
    """The variant's prizes in reading order; none on another grid than the variant's own."""
    variant, first_seat = _variant(values), values["first_seat"]
    if not _is_own_grid(variant, values["columns"], values["rows"], first_seat):
        return {}
    return {
        seat: Prize(*prize) for seat, prize in zip(LETTERS[LETTERS.index(first_seat) :], variant.prizes, strict=True)
    }


def _is_own_grid(variant: Variant, columns: int, rows: int, first_seat: str) -> bool:
    """Whether this is the grid of the variant's prizes, with the same letters."""
    return (columns, rows, first_seat) == (variant.columns, variant.rows, last_letters(columns * rows))


_SIDES = f"The grid wraps around both ways and has at most {MOST_SEATS} seats."
_MOST_OF_A_SIDE = MOST_SEATS // LEAST_SIDE


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match."""

    variant: Annotated[
        str, Choice("Variant", "Fills in every setting that you do not change.", choices=tuple(VARIANTS))
    ] = "F11"
    columns: Annotated[
        int, Whole("Columns", _SIDES, minimum=LEAST_SIDE, maximum=_MOST_OF_A_SIDE, default_from=_variants("columns"))
    ]
    rows: Annotated[
        int, Whole("Rows", _SIDES, minimum=LEAST_SIDE, maximum=_MOST_OF_A_SIDE, default_from=_variants("rows"))
    ]
    first_seat: Annotated[
        str,
        Letter(
            "First seat",
            "Seats are lettered from this one in reading order, up to Z.",
            default_from=_up_to_z,
        ),
    ]
    chips: Annotated[int, Whole("Chips", "What each player starts with.", default_from=_variants("chips"))]
    chip_price: Annotated[int, Whole("Price of a chip", "In garnets.", default_from=_variants("chip_price"))]
    winner_tokens: Annotated[
        int,
        Whole(
            "Tokens of Life for the winner",
            "For the lowest winning bid, on top of those from neighbouring seats.",
            maximum=100,
            default_from=_variants("winner_tokens"),
        ),
    ]
    prizes: Annotated[
        dict[str, Prize],
        Data(
            "Prizes",
            "Garnets and priority that each seat brings. Seats left out bring nothing.",
            default_from=_variants_prizes,
        ),
    ]
    pregame: Annotated[
        timedelta, Span("Pregame", "When it is over, the site judges the sealed bids and opens the auction.")
    ] = DAY
    pregame_closes: Annotated[
        timedelta,
        Span(
            "Sealed bids close",
            "Players can seal bids until then. This cannot be later than the end of the pregame.",
            default_from=_before_the_opening,
        ),
    ]
    bid_timer: Annotated[timedelta, Span("Bid timer", "How long a bid must stand to win its seat.", positive=True)] = (
        DAY
    )
    fee_after: Annotated[timedelta, Span("Fee starts after", "Counted from the opening of the auction.")] = 10 * DAY
    fee: Annotated[int, Whole("Fee", "What each new bid costs from then on, in garnets.")] = 1
    stop_after: Annotated[
        timedelta,
        Span(
            "Everything stops after",
            "Counted from the opening of the auction. The site then cancels standing bids.",
        ),
    ] = 15 * DAY
    loser_chips: Annotated[
        int,
        Whole(
            "Chips that lose",
            "A player who has this many chips or more left can become Elimination Candidate.",
            default_from=_variants("chips"),
        ),
    ]
    forbid_raises: Annotated[
        bool,
        Flag(
            "Forbid standing raises",
            "A standing raise bids again at once for a player who is outbid, up to a maximum that nobody else sees.",
        ),
    ] = False
    garnet_credit: Annotated[bool, on_credit("purchases of chips (never the fee)")] = False
    decision_time: Annotated[
        timedelta, time_to_decide("naming the Elimination Candidate, and again for giving Tokens of Life")
    ] = DAY

    @property
    def grid(self) -> Grid:
        """The board."""
        return grid(self.columns, self.rows, self.first_seat)

    @property
    def fee_from(self) -> timedelta:
        """The match time from which on each new bid costs the fee."""
        return self.pregame + self.fee_after

    @property
    def stop_at(self) -> timedelta:
        """The match time at which everything stops."""
        return self.pregame + self.stop_after

    @property
    def prize_rows(self) -> tuple[tuple[tuple[str, Prize], ...], ...]:
        """Seats with their prizes, row by row."""
        return tuple(tuple((seat, self.prize(seat)) for seat in row) for row in self.grid.rows)

    def prize(self, seat: str) -> Prize:
        """The prize of a seat; seats that are not in the config have none."""
        return self.prizes.get(seat, NO_PRIZE)

    def conflicts(self) -> Iterator[ConfigError]:
        count = self.columns * self.rows
        if count > MOST_SEATS:
            yield ConfigError(
                "rows",
                f"{self.columns} columns times {self.rows} rows make {count} seats; "
                f"columns times rows may be at most {MOST_SEATS}",
                beside=("columns",),
            )
        elif LETTERS.index(self.first_seat) + count > len(LETTERS):
            yield ConfigError(
                "first_seat",
                f"{count} seats from {self.first_seat} on would run past Z; "
                f"the last letter you can start from is {last_letters(count)}",
                beside=("columns", "rows"),
            )
        elif unknown := [seat for seat in self.prizes if seat not in self.grid.neighbours]:
            yield ConfigError(
                "prizes",
                f"there is no seat {unknown[0][:20]!r}; the seats are {self.grid.span()}",
                beside=("columns", "rows", "first_seat"),
            )
        if self.pregame_closes > self.pregame:
            yield ConfigError("pregame_closes", "cannot be later than the end of the pregame", beside=("pregame",))

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        variant = VARIANTS[self.variant]
        own_grid = _is_own_grid(variant, self.columns, self.rows, self.first_seat)
        if own_grid or any(prize != NO_PRIZE for prize in self.prizes.values()):
            return ()
        return (
            f"No seat has a prize, because the usual prizes belong to {self.variant}'s own seats, "
            f"{grid(variant.columns, variant.rows, last_letters(variant.columns * variant.rows)).span()}.",
        )
