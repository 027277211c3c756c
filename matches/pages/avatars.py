"""The marks of players and teams: twelve shapes, twelve colours, four edges, drawn in `static/img/marks.svg`.

A mark is told apart by its shape first, then by its edge, then by its colour, and it always carries
initials: whoever sees no colours, or prints the board, loses nothing. The first twelve players differ
in shape and wear no edge, which reads best when small; the next twelve share their shapes and colours
but wear a ring, and so on: 48 different marks.
"""

SHAPES = (
    *("disc", "tile", "diamond", "hexagon", "pentagon", "octagon"),
    *("flower", "arch", "leaf", "ticket", "burst", "cross"),
)
TEAM_SHAPES = ("swallowtail", "shield", "pointed-banner", "flag")
EDGES = ("", "ring", "dashes", "dots")


def mark_of(index: int, *, team: bool = False) -> str:
    """The mark's name in `static/img/marks.svg`: its shape, and its edge where it wears one."""
    shapes = TEAM_SHAPES if team else SHAPES
    edge = EDGES[index // len(SHAPES) % len(EDGES)]
    return "-".join(filter(None, (shapes[index % len(shapes)], edge)))


def colour_of(index: int) -> int:
    """The number of the mark's colour: `mark-0` to `mark-11` in the style sheets."""
    return index % len(SHAPES)


def initials_of(name: str) -> str:
    """One or two letters: of the first two words, else the first two of the only one."""
    words = [word for word in name.replace("_", " ").replace("-", " ").replace(".", " ").split() if word]
    if not words:
        return "?"
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return letters[0].upper() + letters[1:]
