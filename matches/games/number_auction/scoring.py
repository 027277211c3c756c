"""The points for a collection of numbers: the sum, chains, factors and pairs."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

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
    """Points, by what they are for."""

    sum: int
    chains: int
    factors: int
    pairs: int
    total: int


class FactorsView(msgspec.Struct, frozen=True):
    """A number with its owned factors, which are worth their sum."""

    number: int
    factors: tuple[int, ...]
    points: int


def ascending(numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers in ascending order, each once, as all functions here need them."""
    return tuple(sorted(set(numbers)))


def runs(numbers: Sequence[int], step: int) -> list[tuple[int, ...]]:
    """The ascending numbers, cut wherever one is more than `step` above the one before it."""
    cuts = [place for place in range(1, len(numbers)) if numbers[place] - numbers[place - 1] > step]
    return [tuple(numbers[start:end]) for start, end in pairwise((0, *cuts, len(numbers)))] if numbers else []


def chains(numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """The chains of two or more consecutive numbers, each as long as possible."""
    return [run for run in runs(numbers, 1) if len(run) > 1]


def owned_factors(numbers: Sequence[int]) -> list[FactorsView]:
    """Every number with at least one owned proper factor, and these factors."""
    owned = set(numbers)
    found = [(number, tuple(filter(owned.__contains__, FACTORS[number]))) for number in numbers]
    return [FactorsView(number, factors, sum(factors)) for number, factors in found if factors]


def pairs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of two owned numbers that add up to 51, the lower number first."""
    owned = set(numbers)
    return [(number, MIRROR - number) for number in numbers if 2 * number < MIRROR and MIRROR - number in owned]


@lru_cache(maxsize=4096)
def score(numbers: tuple[int, ...]) -> Points:
    """The points of ascending numbers. Each part of a sheet asks for them, so the latest results are cached."""
    by_sum = sum(numbers)
    by_chains = sum(len(chain) ** 2 for chain in chains(numbers))
    by_factors = sum(each.points for each in owned_factors(numbers))
    by_pairs = PAIR_POINTS * len(pairs(numbers))
    return Points(by_sum, by_chains, by_factors, by_pairs, by_sum + by_chains + by_factors + by_pairs)


def gain(owned: Iterable[int], number: int) -> int:
    """How many points one more number adds."""
    before = ascending(owned)
    return score(ascending((*before, number))).total - score(before).total
