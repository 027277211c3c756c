"""The 24 cards, the hexagon in which they cover each other, and their scoring."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

# -- cards ---------------------------------------------------------------------------------------------

SUITS = ("apple", "lemon", "pear", "grape")
RANKS = (1, 2, 3, 4, 5, 6)


def card(suit: str, rank: int) -> str:
    """The name of a card."""
    return f"{suit}-{rank}"


CARDS = tuple(card(suit, rank) for suit in SUITS for rank in RANKS)
"""All cards, suit by suit."""

SUIT_OF = {card(suit, rank): suit for suit in SUITS for rank in RANKS}
RANK_OF = {card(suit, rank): rank for suit in SUITS for rank in RANKS}


# -- pattern -------------------------------------------------------------------------------------------

Exposure = Literal["exposed", "nearly", "hidden"]
"""`exposed`: no card covers it; `nearly`: only exposed cards cover it; `hidden`: all others."""

ROWS = ("ABCD", "EFGHI", "JKLMNO", "PQRST", "UVWX")
PLACES = tuple("".join(ROWS))
_WIDEST = max(map(len, ROWS))


class Position(NamedTuple):
    """The position of a place: `x` in half steps from the left, 0 to 10; `y`: its row from the top, 0 to 4."""

    x: int
    y: int


POSITIONS = {
    place: Position(_WIDEST - len(row) + 2 * step, y) for y, row in enumerate(ROWS) for step, place in enumerate(row)
}


COVERED_BY = {
    upper: tuple(
        lower for lower in PLACES if POSITIONS[lower].y == above.y + 1 and abs(POSITIONS[lower].x - above.x) == 1
    )
    for upper, above in POSITIONS.items()
}
"""Place -> the places whose cards cover it while they are there."""


def exposures(left: Collection[str]) -> dict[str, Exposure]:
    """Place that still has its card -> its exposure, in place order."""
    there = set(left)
    covers = {place: [above for above in COVERED_BY[place] if above in there] for place in PLACES if place in there}
    found: dict[str, Exposure] = {}
    for place, over in covers.items():
        if not over:
            found[place] = "exposed"
        else:
            found[place] = "hidden" if any(covers[above] for above in over) else "nearly"
    return found


def exposed(left: Collection[str]) -> tuple[str, ...]:
    """The places whose cards nothing covers, in place order."""
    return tuple(place for place, state in exposures(left).items() if state == "exposed")


# -- scoring -------------------------------------------------------------------------------------------

SET_POINTS = {3: 1, 4: 3}
"""Number of cards of one rank -> points for each of them."""

RUN_POINTS = {3: 1, 4: 1, 5: 2, 6: 4}
"""Number of cards in a row -> points for each of them."""


class Combination(msgspec.Struct, frozen=True):
    """Cards that score together: a `set` or a `run`. `each`: points for each of its cards."""

    kind: str
    cards: tuple[str, ...]
    each: int

    @property
    def points(self) -> int:
        """The points of all its cards together."""
        return self.each * len(self.cards)


@lru_cache
def longest_run(ranks: frozenset[int]) -> tuple[int, ...]:
    """The longest run of consecutive ranks, the lowest of several.

    At most one run scores: two would need seven ranks, and there are six.
    """
    best: tuple[int, ...] = ()
    run: tuple[int, ...] = ()
    for rank in RANKS:
        run = (*run, rank) if rank in ranks else ()
        best = run if len(run) > len(best) else best
    return best


def set_of(rank: int, cards: frozenset[str]) -> Combination | None:
    """The set of a rank among the cards; None if it does not score."""
    found = tuple(name for suit in SUITS if (name := card(suit, rank)) in cards)
    return Combination("set", found, SET_POINTS[len(found)]) if len(found) in SET_POINTS else None


def run_of(suit: str, cards: frozenset[str]) -> Combination | None:
    """The longest run of a suit among the cards; None if it does not score."""
    run = longest_run(frozenset(RANK_OF[name] for name in cards if SUIT_OF[name] == suit))
    if len(run) not in RUN_POINTS:
        return None
    return Combination("run", tuple(card(suit, rank) for rank in run), RUN_POINTS[len(run)])


@lru_cache(maxsize=4096)
def combinations(cards: frozenset[str]) -> tuple[Combination, ...]:
    """Everything that scores: sets by rank, then runs by suit. A card may be in one of each.

    Boards are read often and cards are claimed at most once a round, so the latest results are cached.
    """
    sets = (set_of(rank, cards) for rank in RANKS)
    runs = (run_of(suit, cards) for suit in SUITS)
    return tuple(each for each in (*sets, *runs) if each is not None)


def points_of(cards: Iterable[str]) -> int:
    """The points of all combinations among the cards."""
    return sum(each.points for each in combinations(frozenset(cards)))


def gain(cards: Iterable[str], added: str) -> int:
    """How many points one more card adds."""
    before = frozenset(cards)
    return points_of({*before, added}) - points_of(before)
