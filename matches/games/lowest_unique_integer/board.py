"""The wrap-around grid: its seats' letters in reading order, and which seats are neighbours."""

from __future__ import annotations

import string
from functools import cache
from typing import NamedTuple

LETTERS = string.ascii_uppercase
LEAST_SIDE = 3
MOST_SEATS = len(LETTERS)


class Grid(NamedTuple):
    """A board's shape. `rows` holds the seats' letters row by row."""

    rows: tuple[tuple[str, ...], ...]
    seats: tuple[str, ...]
    neighbours: dict[str, tuple[str, str, str, str]]
    """Seat -> the seats above, below, left and right of it, around the edges."""

    def span(self) -> str:
        """The seats in words: `O to Z`."""
        return f"{self.seats[0]} to {self.seats[-1]}"


@cache
def grid(columns: int, rows: int, first_seat: str) -> Grid:
    """The board of that many columns and rows, lettered from `first_seat` in reading order.

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
