"""The marks of players and teams: twelve shapes, twelve colours, four edges.

A mark is told apart by its shape first, then by its edge, then by its colour, and it always carries
initials: whoever sees no colours, or prints the board, loses nothing. The first twelve players differ
in shape and wear no edge, which reads best when small; the next twelve share their shapes and colours
but wear a ring, and so on: 48 different marks.
"""

SHAPES = (
    "M20 2a18 18 0 1 0 0 36a18 18 0 1 0 0-36z",  # disc
    "M9 4h22a5 5 0 0 1 5 5v22a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5V9a5 5 0 0 1 5-5z",  # tile
    "M20 1L39 20L20 39L1 20z",  # diamond
    "M20 1.5L36.5 10.8V29.2L20 38.5L3.5 29.2V10.8z",  # hexagon
    "M20 2L38.5 15.5L31.5 37.5H8.5L1.5 15.5z",  # pentagon
    "M13 3H27L37 13V27L27 37H13L3 27V13z",  # octagon
    "M20 4a8.5 8.5 0 0 1 14 9a8.5 8.5 0 0 1 0 14a8.5 8.5 0 0 1-14 9"
    "a8.5 8.5 0 0 1-14-9a8.5 8.5 0 0 1 0-14a8.5 8.5 0 0 1 14-9z",
    "M4 37V18a16 16 0 0 1 32 0V37z",  # arch
    "M3 3H24a13 13 0 0 1 13 13V37H16A13 13 0 0 1 3 24z",  # leaf
    "M4 6H36V14a6 6 0 0 0 0 12V34H4V26a6 6 0 0 0 0-12z",  # ticket
    "M20 1L26 7.2L34 6L33 14L39 20L33 26L34 34L26 32.8L20 39L14 32.8L6 34L7 26L1 20L7 14L6 6L14 7.2z",  # burst
    "M12 2H28V12H38V28H28V38H12V28H2V12H12z",  # cross
)
TEAM_SHAPES = (
    "M4 3H36V37L20 29L4 37z",  # swallowtail banner
    "M4 3H36V20C36 29 29 35 20 38.5C11 35 4 29 4 20z",  # shield
    "M4 3H36V25L20 38L4 25z",  # pointed banner
    "M3 5H37L31 20L37 35H3z",  # flag
)
EDGES = ("", "ring", "dashes", "dots")


def shape_of(index: int) -> str:
    return SHAPES[index % len(SHAPES)]


def team_shape_of(index: int) -> str:
    return TEAM_SHAPES[index % len(TEAM_SHAPES)]


def edge_of(index: int) -> str:
    return EDGES[index // len(SHAPES) % len(EDGES)]


def initials_of(name: str) -> str:
    """One or two letters: of the first two words, else the first two of the only one."""
    words = [word for word in name.replace("_", " ").replace("-", " ").replace(".", " ").split() if word]
    if not words:
        return "?"
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return letters[0].upper() + letters[1:]
