"""What a collection of numbers scores: the sum, chains, factors and pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

HIGHEST = 50
NUMBERS = range(1, HIGHEST + 1)

PAIR_POINTS = 7
MIRROR = HIGHEST + 1
"""The two numbers of a pair add up to this."""

FACTORS: dict[int, tuple[int, ...]] = {
    number: tuple(factor for factor in range(1, number) if number % factor == 0) for number in NUMBERS
}
"""Number -> its proper factors: 1 counts, the number itself does not."""


class Points(msgspec.Struct, frozen=True):
    """Points by where they come from."""

    sum: int
    chains: int
    factors: int
    pairs: int
    total: int


class Multiples(NamedTuple):
    """One number with those of its proper factors that are owned too; they count their sum."""

    number: int
    factors: tuple[int, ...]


def ascending(numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers as everything here takes them: in order, each once."""
    return tuple(sorted(set(numbers)))


def runs(numbers: Sequence[int], step: int) -> list[tuple[int, ...]]:
    """The ascending numbers cut wherever one is more than `step` above the one before it."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number - found[-1][-1] <= step:
            found[-1].append(number)
        else:
            found.append([number])
    return [tuple(run) for run in found]


def chains(numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """The maximal chains of two or more consecutive numbers."""
    return [run for run in runs(numbers, 1) if len(run) > 1]


def owned_factors(numbers: Sequence[int]) -> list[Multiples]:
    """Every number of which a proper factor is owned, with these factors."""
    owned = set(numbers)
    found = [Multiples(number, tuple(filter(owned.__contains__, FACTORS[number]))) for number in numbers]
    return [each for each in found if each.factors]


def pairs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of two owned numbers that add up to 51, the lower number first."""
    owned = set(numbers)
    return [(number, MIRROR - number) for number in numbers if 2 * number < MIRROR and MIRROR - number in owned]


def score(numbers: Sequence[int]) -> Points:
    """The points of ascending numbers."""
    by_sum = sum(numbers)
    by_chains = sum(len(chain) ** 2 for chain in chains(numbers))
    by_factors = sum(sum(each.factors) for each in owned_factors(numbers))
    by_pairs = PAIR_POINTS * len(pairs(numbers))
    return Points(by_sum, by_chains, by_factors, by_pairs, by_sum + by_chains + by_factors + by_pairs)
