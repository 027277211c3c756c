"""The hexagon of 24 places, and which cards cover which.

Places are named A to X in reading order. A card covers the one or two cards of the row above that it touches.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

Exposure = Literal["exposed", "nearly", "hidden"]
"""`exposed`: nothing covers it; `nearly`: only exposed cards cover it; `hidden`: anything else."""

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


def _touches(lower: str, upper: str) -> bool:
    below, above = POSITIONS[lower], POSITIONS[upper]
    return below.y == above.y + 1 and abs(below.x - above.x) == 1


COVERED_BY = {upper: tuple(lower for lower in PLACES if _touches(lower, upper)) for upper in PLACES}
"""Place -> the places whose cards cover it while they are there."""


def exposures(left: Collection[str]) -> dict[str, Exposure]:
    """How far each place that still has its card is uncovered, in place order."""
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
