"""Which mark (shape and colour) a person has: their own in all matches, as far as nobody else there has it already.

A mark is a number. Its shape is the rest by 12, its edge the rest of the dozens by 4, and each 48 turn its colour one
further, so that the numbers 0 to 11 are as different as marks can be.
"""

import zlib
from collections.abc import Iterable

SHAPES = 12
EDGES = 4
COLOURS = 12
_PLAIN = SHAPES * EDGES


def mark_with(shape: int, colour: int, edge: int = 0) -> int:
    """The mark of this shape (0 to 11), colour (0 to 11) and edge (0 to 3)."""
    return shape + SHAPES * edge + _PLAIN * ((colour - shape) % COLOURS)


def shape_of(mark: int) -> int:
    """The number of its shape."""
    return mark % SHAPES


def edge_of(mark: int) -> int:
    """The number of its edge; 0 is none."""
    return mark // SHAPES % EDGES


def colour_of(mark: int) -> int:
    """The number of its colour: `mark-0` to `mark-11` in the style sheets."""
    return (mark + mark // _PLAIN) % COLOURS


def own_mark(username: str, chosen: int | None) -> int:
    """The mark of a person: what they have chosen, or else what their name gives them."""
    if chosen is not None:
        return chosen
    number = zlib.crc32(username.encode())
    return mark_with(number % SHAPES, number // SHAPES % COLOURS)


def told_apart(wanted: Iterable[int | None]) -> list[int]:
    """A mark for each of those who are seen together: a person's own (None for those who have none), but for shape or
    colour where somebody before them has it. Of each dozen no two share either, and each dozen has an edge of its
    own."""
    asked = list(wanted)
    found = [0] * len(asked)
    for start in range(0, len(asked), SHAPES):
        dozen = range(start, min(start + SHAPES, len(asked)))
        shapes, colours = list(range(SHAPES)), list(range(COLOURS))
        for place in sorted(dozen, key=lambda place: asked[place] is None):  # whoever has a mark of their own, first
            own = asked[place]
            shape = _near(shapes, place if own is None else shape_of(own))
            colour = _near(colours, place if own is None else colour_of(own))
            found[place] = mark_with(shape, colour, start // SHAPES % EDGES)
    return found


def _near(free: list[int], wanted: int) -> int:
    """Take the wanted one out of those that are free, or else the next one after it."""
    taken = min(free, key=lambda each: (each - wanted) % SHAPES)
    free.remove(taken)
    return taken
