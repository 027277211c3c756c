"""Marks: the shape and colour of a person, the same in all matches unless somebody there already has it.

A mark is a number. Modulo 12 it gives the shape, the dozens modulo 4 give the edge, and every 48 shift the colour by
one, so that marks 0 to 11 differ as much as possible.
"""

import zlib
from collections.abc import Iterable

SHAPES = 12
EDGES = 4
COLOURS = 12
_PLAIN = SHAPES * EDGES


def mark_with(shape: int, colour: int, edge: int = 0) -> int:
    """Return the mark of this shape (0 to 11), colour (0 to 11) and edge (0 to 3)."""
    return shape + SHAPES * edge + _PLAIN * ((colour - shape) % COLOURS)


def shape_of(mark: int) -> int:
    """Return the shape of a mark, 0 to 11."""
    return mark % SHAPES


def edge_of(mark: int) -> int:
    """Return the edge of a mark, 0 (none) to 3."""
    return mark // SHAPES % EDGES


def colour_of(mark: int) -> int:
    """Return the colour of a mark, 0 to 11; style sheets call them `mark-0` to `mark-11`."""
    return (mark + mark // _PLAIN) % COLOURS


def own_mark(username: str, chosen: int | None) -> int:
    """Return the mark that a person chose, or else one derived from their username."""
    if chosen is not None:
        return chosen
    number = zlib.crc32(username.encode())
    return mark_with(number % SHAPES, number // SHAPES % COLOURS)


def told_apart(wanted: Iterable[int | None]) -> list[int]:
    """Return a mark for each of the people shown together. `wanted` has each person's own mark, or None. They keep it
    unless somebody before them has its shape or colour. Within a dozen no two share either, and each of four dozens has
    its own edge; of more people still no two share all three."""
    asked = list(wanted)
    found = [0] * len(asked)
    for start in range(0, len(asked), SHAPES):
        dozen = range(start, min(start + SHAPES, len(asked)))
        shapes, colours = list(range(SHAPES)), list(range(COLOURS))
        for place in sorted(dozen, key=lambda place: asked[place] is None):  # own marks first
            own = asked[place]
            shape = _near(shapes, place if own is None else shape_of(own))
            colour = _near(colours, place if own is None else colour_of(own))
            mark = mark_with(shape, colour, start // SHAPES % EDGES)
            # Among fewer people with this edge than there are colours, so that one is free.
            while mark in found[max(0, start - _PLAIN * (COLOURS - 1)) : start]:
                mark = mark_with(shape, colour_of(mark) + 1, edge_of(mark))
            found[place] = mark
    return found


def _near(free: list[int], wanted: int) -> int:
    """Remove the wanted number from `free` and return it; if it is taken, the next one after it."""
    taken = min(free, key=lambda each: (each - wanted) % SHAPES)
    free.remove(taken)
    return taken
