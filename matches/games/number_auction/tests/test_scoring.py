"""Points, conditions and lines against slow definitions of the same thing."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from matches.games.number_auction.conditions import (
    CONDITIONS,
    Holding,
    average,
    met,
)
from matches.games.number_auction.scoring import NUMBERS, score

ROUNDS = tuple(tuple(range(first, first + 5)) for first in range(1, 51, 5))

collections = st.frozensets(st.sampled_from(NUMBERS)).map(lambda numbers: tuple(sorted(numbers)))
small = st.frozensets(st.sampled_from(NUMBERS), max_size=13).map(lambda numbers: tuple(sorted(numbers)))
crowded = st.frozensets(st.integers(1, 20), max_size=14).map(lambda numbers: tuple(sorted(numbers)))


def holding(numbers: tuple[int, ...], tokens: int = 0) -> Holding:
    return Holding(numbers, tokens, ROUNDS)


# -- points --------------------------------------------------------------------------------------


def slow_points(numbers: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Sum, chains, factors and pairs, each spelt out as the rules say it."""
    stretches = [(low, high) for low in numbers for high in numbers if set(range(low, high + 1)) <= set(numbers)]
    maximal = [(a, b) for a, b in stretches if a < b and a - 1 not in numbers and b + 1 not in numbers]
    factors = [f for n in numbers for f in numbers if f != n and n % f == 0]
    mirrored = [n for n in numbers if n <= 25 and 51 - n in numbers]
    return sum(numbers), sum((b - a + 1) ** 2 for a, b in maximal), sum(factors), 7 * len(mirrored)


@settings(deadline=None)
@given(collections)
def test_points_are_those_of_the_rules(numbers: tuple[int, ...]) -> None:
    points = score(numbers)
    assert (points.sum, points.chains, points.factors, points.pairs) == slow_points(numbers)
    assert points.total == sum(slow_points(numbers))


# -- conditions ----------------------------------------------------------------------------------


@settings(deadline=None)
@given(small)
def test_nine_in_steps_of_five_is_what_a_search_through_subsets_finds(numbers: tuple[int, ...]) -> None:
    def steps(subset: tuple[int, ...]) -> bool:
        return all(after - before <= 5 for before, after in pairwise(subset))

    assert CONDITIONS["A1"](holding(numbers)) == any(map(steps, combinations(numbers, 9)))


@settings(deadline=None)
@given(crowded)
def test_one_number_as_two_sums_is_what_five_distinct_numbers_say(numbers: tuple[int, ...]) -> None:
    five = any(
        a == b + c == d + e
        for a in numbers
        for b, c, d, e in permutations([n for n in numbers if n < a], 4)
        if b < c and d < e and b < d
    )
    assert CONDITIONS["B3"](holding(numbers)) == five


@settings(deadline=None)
@given(collections)
def test_the_average_is_exact(numbers: tuple[int, ...]) -> None:
    exact = Fraction(sum(numbers), len(numbers)) if numbers else None
    assert CONDITIONS["A3"](holding(numbers)) == (exact in numbers)
    assert average(numbers) == (exact if exact in numbers else None)


@settings(deadline=None)
@given(collections, st.integers(0, 100))
def test_the_other_conditions_are_those_of_the_rules(numbers: tuple[int, ...], tokens: int) -> None:
    conditions = met(holding(numbers, tokens))
    assert ("A2" in conditions) == (tokens >= 50)
    assert ("B1" in conditions) == any(len(set(each) & set(numbers)) >= 4 for each in ROUNDS)
    assert ("B2" in conditions) == (sum(slow_points(numbers)) >= 360)
    primes = [n for n in numbers if n > 1 and all(n % d for d in range(2, n))]
    assert ("C1" in conditions) == (len(primes) >= 5)
    assert ("C2" in conditions) == ({n % 8 for n in numbers} == set(range(8)))
    assert ("C3" in conditions) == any(sum(n % f == 0 and f < n for f in numbers) >= 4 for n in numbers)


def test_a_round_that_is_not_known_counts_for_nothing() -> None:
    numbers = (46, 47, 48, 49)
    assert CONDITIONS["B1"](holding(numbers))
    assert not CONDITIONS["B1"](Holding(numbers, 0, ROUNDS[:9]))
