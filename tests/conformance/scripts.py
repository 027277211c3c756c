"""Hypothesis strategies: scripts, and matches freshly opened.

Hypothesis chooses a number and a length, a generator spells the script out: moves picked one by one
repeat themselves too much to get deep into a match, and the length is what is worth shrinking.
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
    """`length` moves of these kinds, as often as their weights say."""
    chance = random.Random(f"{number}")
    chosen = chance.choices(tuple(kinds), tuple(kinds.values()), k=length)
    return [Move(kind, chance.getrandbits(64)) for kind in chosen]


def scripts(**kinds: int) -> st.SearchStrategy[list[Move]]:
    """Scripts of these kinds of moves with these weights, or of all."""
    return st.builds(
        lambda number, length: script(number, length, kinds or ANYTHING), NUMBERS, st.sampled_from(LENGTHS)
    )


def matches(subject: Subject) -> st.SearchStrategy[Match]:
    """Freshly opened matches of any size and wealth."""

    def opened(number: int) -> Match:
        chance = random.Random(f"{number}")
        return Match(subject, number, extra=chance.randrange(4), wealth=chance.getrandbits(64))

    return NUMBERS.map(opened)
