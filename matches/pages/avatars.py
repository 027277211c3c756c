"""The marks of players and teams: twelve shapes, twelve colours, four edges, drawn in `static/img/marks.svg`.

Marks differ first in shape, then in edge, then in colour, and always carry initials, so they work without colours and
in print. The first twelve players differ in shape and have no edge, which is easiest to read when small; the next
twelve have the same shapes and colours with a ring, and so on: 48 different marks.
"""

SHAPES = (
    *("disc", "tile", "rhombus", "hexagon", "pentagon", "octagon"),
    *("flower", "arch", "leaf", "ticket", "burst", "cross"),
)
TEAM_SHAPES = ("swallowtail", "crest", "pointed-banner", "flag")
EDGES = ("", "ring", "dashes", "dots")


def mark_of(index: int, *, team: bool = False) -> str:
    """The mark's name in `static/img/marks.svg`: its shape, and its edge if it has one."""
    shapes = TEAM_SHAPES if team else SHAPES
    edge = EDGES[index // len(SHAPES) % len(EDGES)]
    return "-".join(filter(None, (shapes[index % len(shapes)], edge)))


def colour_of(index: int) -> int:
    """The number of the mark's colour: `mark-0` to `mark-11` in the style sheets."""
    return index % len(SHAPES)


def initials_of(name: str) -> str:
    """Two letters: the first of the first two words, or the first two of a single word."""
    words = [word for word in name.replace("_", " ").replace("-", " ").replace(".", " ").split() if word]
    if not words:
        return "?"
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return letters[0].upper() + letters[1:]
