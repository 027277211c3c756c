"""What hosts can set: the keys, their defaults by variant, and what cannot be played together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.options import Choice, Data, Flag, Option, Span, Whole
from matches.games.lowest_unique_integer.board import (
    LEAST_SIDE,
    LETTERS,
    MOST_SEATS,
    Grid,
    grid,
    last_letters,
)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat brings to whoever wins it."""

    garnets: Amount = 0
    priority: Amount = 0


NO_PRIZE = Prize()


class Config(msgspec.Struct, frozen=True):
    """The settings of one match; the table in this folder's README explains each."""

    variant: str
    columns: int
    rows: int
    first_seat: str
    chips: int
    chip_price: int
    winner_tokens: int
    prizes: dict[str, Prize]
    pregame: timedelta
    pregame_closes: timedelta
    bid_timer: timedelta
    fee_after: timedelta
    fee: int
    stop_after: timedelta
    loser_chips: int
    garnet_credit: bool
    decision_time: timedelta

    @property
    def grid(self) -> Grid:
        """The board."""
        return grid(self.columns, self.rows, self.first_seat)

    @property
    def fee_from(self) -> timedelta:
        """From this match time on a new bid costs the fee."""
        return self.pregame + self.fee_after

    @property
    def stop_at(self) -> timedelta:
        """At this match time everything stops."""
        return self.pregame + self.stop_after

    @property
    def prize_rows(self) -> tuple[tuple[tuple[str, Prize], ...], ...]:
        """Seats with their prizes, row by row."""
        return tuple(tuple((seat, self.prize(seat)) for seat in row) for row in self.grid.rows)

    def prize(self, seat: str) -> Prize:
        """What a seat brings; seats that the config leaves out bring nothing."""
        return self.prizes.get(seat, NO_PRIZE)


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
        columns=4, rows=3, chips=20, chip_price=1, winner_tokens=2, closes_early=timedelta(),
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


class Letter(Option, frozen=True, kw_only=True):
    """One capital letter from A to Z."""

    def read(self, raw: object) -> str:
        if not isinstance(raw, str) or len(raw) != 1 or raw not in LETTERS:
            raise self.refuse("expected one capital letter from A to Z")
        return raw


class Prizes(Data, frozen=True, kw_only=True):
    """Seat -> its prize; says which seat is wrong, where `Data` would say only that one is."""

    def read(self, raw: object) -> dict[str, Prize]:
        if not isinstance(raw, Mapping):
            raise self.refuse('expected an object such as {"Z": {"garnets": 3, "priority": 0}}')
        # By letter: JSON objects have no order, and a state must be the same however its config was spelt.
        return {seat: self._prize(seat, raw[seat]) for seat in sorted(raw, key=str)}

    def _prize(self, seat: str, raw: object) -> Prize:
        try:
            return msgspec.convert(raw, Prize)
        except (msgspec.ValidationError, UnicodeEncodeError):
            message = 'expected whole numbers, 0 or more, such as {"garnets": 3, "priority": 0}'
            raise self.refuse(f"seat {seat[:20]}: {message}") from None


_SIDES = f"The grid wraps around both ways and has at most {MOST_SEATS} seats."

OPTIONS: tuple[Option, ...] = (
    Choice(
        key="variant",
        label="Variant",
        help="Fills in every setting that you leave alone.",
        choices=tuple(VARIANTS),
    ),
    Whole(key="columns", label="Columns", help=_SIDES, minimum=LEAST_SIDE, maximum=MOST_SEATS // LEAST_SIDE),
    Whole(key="rows", label="Rows", help=_SIDES, minimum=LEAST_SIDE, maximum=MOST_SEATS // LEAST_SIDE),
    Letter(
        key="first_seat",
        label="First seat",
        help="Seats are lettered from here in reading order, at most to Z.",
    ),
    Whole(key="chips", label="Chips", help="What each player starts with."),
    Whole(key="chip_price", label="Price of a chip", help="In garnets."),
    Whole(
        key="winner_tokens",
        label="Tokens for the winner",
        help="Tokens of Life for the lowest winning bid, on top of those of the neighbours.",
        maximum=100,
    ),
    Prizes(
        key="prizes",
        label="Prizes",
        help="Garnets and priority that each seat brings; seats left out bring nothing.",
        shape=dict[str, Prize],
    ),
    Span(
        key="pregame",
        label="Pregame",
        help="When this is over, the sealed bids are judged and the auction opens.",
    ),
    Span(
        key="pregame_closes",
        label="Sealed bids close",
        help="Sealed bids are taken until here; no later than the end of the pregame.",
    ),
    Span(
        key="bid_timer",
        label="Bid timer",
        help="How long a bid must stand to win its seat.",
        positive=True,
    ),
    Span(
        key="fee_after",
        label="Fee starts after",
        help="Counted from the opening of the auction.",
    ),
    Whole(key="fee", label="Fee", help="What each new bid costs from then on, in garnets."),
    Span(
        key="stop_after",
        label="Everything stops after",
        help="Counted from the opening of the auction; standing bids are cancelled then.",
    ),
    Whole(
        key="loser_chips",
        label="Chips that lose",
        help="Whoever is left with this many chips or more can become Elimination Candidate.",
    ),
    Flag(
        key="garnet_credit",
        label="Garnets on credit",
        help="Lets purchases of chips take garnets below zero; the fee never does.",
    ),
    Span(
        key="decision_time",
        label="Time to decide",
        help="The window for naming the Elimination Candidate, and again for giving tokens.",
    ),
)


def default_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Typed defaults of every key: the variant's, where they depend on nothing else that is set."""
    variant = VARIANTS[given.get("variant", "F11")]
    columns, rows = given.get("columns", variant.columns), given.get("rows", variant.rows)
    first_seat = given.get("first_seat", last_letters(columns * rows))
    pregame = given.get("pregame", DAY)
    return {
        "variant": "F11",
        "columns": columns,
        "rows": rows,
        "first_seat": first_seat,
        "chips": variant.chips,
        "chip_price": variant.chip_price,
        "winner_tokens": variant.winner_tokens,
        "prizes": _default_prizes(variant, columns, rows, first_seat),
        "pregame": pregame,
        "pregame_closes": max(pregame - variant.closes_early, timedelta()),
        "bid_timer": DAY,
        "fee_after": 10 * DAY,
        "fee": 1,
        "stop_after": 15 * DAY,
        "loser_chips": variant.chips,
        "garnet_credit": False,
        "decision_time": DAY,
    }


def _default_prizes(variant: Variant, columns: int, rows: int, first_seat: str) -> dict[str, Prize]:
    """The variant's prizes in reading order; none on another grid than the variant's own."""
    if not _is_own_grid(variant, columns, rows, first_seat):
        return {}
    return {
        seat: Prize(*prize) for seat, prize in zip(LETTERS[LETTERS.index(first_seat) :], variant.prizes, strict=True)
    }


def _is_own_grid(variant: Variant, columns: int, rows: int, first_seat: str) -> bool:
    """Whether this is the grid that the variant's prizes were made for, letters and all."""
    return (columns, rows, first_seat) == (variant.columns, variant.rows, last_letters(columns * rows))


def check_together(config: Config) -> None:
    """Raise `ConfigError` for settings that cannot be played together."""
    count = config.columns * config.rows
    if count > MOST_SEATS:
        raise ConfigError(
            "rows",
            f"{config.columns} columns times {config.rows} rows are {count} seats; "
            f"columns times rows may be at most {MOST_SEATS}",
        )
    if LETTERS.index(config.first_seat) + count > len(LETTERS):
        raise ConfigError(
            "first_seat",
            f"{count} seats from {config.first_seat} on would run past Z; "
            f"the last letter to start from is {last_letters(count)}",
        )
    for seat in config.prizes:
        if seat not in config.grid.neighbours:
            raise ConfigError("prizes", f"there is no seat {seat[:20]!r}; the seats are {config.grid.span()}")
    if config.pregame_closes > config.pregame:
        raise ConfigError("pregame_closes", "cannot be later than the end of the pregame")


def unusual(config: Config) -> tuple[str, ...]:
    """Sentences for the host on what is playable and probably not meant."""
    variant = VARIANTS[config.variant]
    own_grid = _is_own_grid(variant, config.columns, config.rows, config.first_seat)
    if own_grid or any(prize != NO_PRIZE for prize in config.prizes.values()):
        return ()
    return (
        f"No seat has a prize: the usual prizes belong to {config.variant}'s own seats, "
        f"{grid(variant.columns, variant.rows, last_letters(variant.columns * variant.rows)).span()}.",
    )
