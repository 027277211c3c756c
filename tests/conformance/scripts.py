"""Hypothesis strategies for scripts and for freshly opened matches.

Hypothesis chooses a number and a length, from which a generator makes the script: moves chosen one by one repeat
themselves too much to get deep into a match, and the length is what is worth shrinking.
"""

import random
from collections.abc import Mapping

from hypothesis import strategies as st

from tests.conformance.match import Match, Move
from tests.conformance.subjects import Subject

NUMBERS = st.integers(0, 2**64 - 1)
LENGTHS = (0, 3, 10, 30, 60, 120)
ANYTHING = {"bot": 10, "mischief": 5, "wait": 3, "deadline": 1}


def script(number: int, length: int, kinds: Mapping[str, int] = ANYTHING) -> list[Move]:
    """Return a script of `length` moves of these kinds, drawn by weight."""
    chance = random.Random(f"{number}")
    chosen = chance.choices(tuple(kinds), tuple(kinds.values()), k=length)
    return [Move(kind, chance.getrandbits(64)) for kind in chosen]


def scripts(**kinds: int) -> st.SearchStrategy[list[Move]]:
    """Return a strategy for scripts of these kinds of moves with these weights, or of all kinds."""
    return st.builds(
        lambda number, length: script(number, length, kinds or ANYTHING), NUMBERS, st.sampled_from(LENGTHS)
    )


def matches(subject: Subject) -> st.SearchStrategy[Match]:
    """Return a strategy for freshly opened matches of any size and wealth."""

    def opened(number: int) -> Match:
        chance = random.Random(f"{number}")
        return Match(subject, number, extra=chance.randrange(4), wealth=chance.getrandbits(64))

    return NUMBERS.map(opened)
