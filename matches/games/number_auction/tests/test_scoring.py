"""Points, conditions and lines against slow definitions of the same thing."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.games.number_auction.completions import completing
from matches.games.number_auction.conditions import (
    CONDITIONS,
    LINES,
    PRIMES,
    Holding,
    average,
    lines_of,
    longest_run,
    met,
    most_sums,
    unique_lines,
)
from matches.games.number_auction.progress import TITLES, progress
from matches.games.number_auction.scoring import FACTORS, NUMBERS, chains, gain, pairs, score
from matches.games.number_auction.sheet_views import against, compared, sheet

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


@settings(deadline=None)
@given(collections, st.sampled_from(NUMBERS))
def test_gain_is_the_difference_in_points(numbers: tuple[int, ...], number: int) -> None:
    without = tuple(each for each in numbers if each != number)
    more = tuple(sorted((*without, number)))
    assert gain(set(without), number) == score(more).total - score(without).total


def test_the_example_of_four_chains() -> None:
    numbers = (1, 2, 3, 4, 10, 11, 12, 20, 21, 22, 30)
    assert chains(numbers) == [(1, 2, 3, 4), (10, 11, 12), (20, 21, 22)]
    assert score(numbers).chains == 16 + 9 + 9


def test_every_number_at_once() -> None:
    everything = tuple(NUMBERS)
    points = score(everything)
    assert (points.sum, points.chains, points.pairs) == (1275, 2500, 25 * 7)
    assert points.factors == sum(sum(FACTORS[number]) for number in NUMBERS)


def test_nothing_scores_nothing() -> None:
    assert score(()).total == 0


def test_pairs_are_those_up_to_25_with_their_mirror() -> None:
    assert pairs((1, 25, 26, 27, 50)) == [(1, 50), (25, 26)]


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


def test_a_single_number_is_its_own_average_and_none_is_not() -> None:
    assert CONDITIONS["A3"](holding((40,)))
    assert not CONDITIONS["A3"](holding(()))
    assert not met(holding(()))


def test_primes_begin_with_two() -> None:
    assert len(PRIMES) == 15
    assert 1 not in PRIMES


def test_a_round_that_is_not_known_counts_for_nothing() -> None:
    numbers = (46, 47, 48, 49)
    assert CONDITIONS["B1"](holding(numbers))
    assert not CONDITIONS["B1"](Holding(numbers, 0, ROUNDS[:9]))


def test_the_longest_run_is_a_whole_stretch() -> None:
    assert longest_run((1, 2, 9, 14, 19, 30)) == (9, 14, 19)


def test_two_ways_share_no_number() -> None:
    assert most_sums((1, 3, 7, 9, 10)) == (10, [(1, 9), (3, 7)])
    assert most_sums((5, 10)) == (0, [])


# -- one more ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(collections, collections)
def test_one_more_is_what_trying_every_number_finds(numbers: tuple[int, ...], others: tuple[int, ...]) -> None:
    obtainable = tuple(number for number in NUMBERS if number not in numbers and number not in others)
    for rounds in (ROUNDS, ROUNDS[:6], ()):
        own = Holding(numbers, 0, rounds)
        for name in set(CONDITIONS) - set(met(own)):
            tried = tuple(number for number in obtainable if CONDITIONS[name](own.plus(number)))
            assert completing(name, own, obtainable) == tried


@settings(deadline=None)
@given(crowded)
def test_one_more_holds_for_crowded_collections_too(numbers: tuple[int, ...]) -> None:
    test_one_more_is_what_trying_every_number_finds.hypothesis.inner_test(numbers, ())  # type: ignore[attr-defined]


# -- lines ---------------------------------------------------------------------------------------


def test_eight_lines_of_three() -> None:
    assert list(LINES) == [
        *("row A", "row B", "row C", "column 1", "column 2", "column 3"),
        *("diagonal A1-C3", "diagonal A3-C1"),
    ]
    assert all(len(set(cells)) == 3 for cells in LINES.values())
    assert lines_of(CONDITIONS) == tuple(LINES)
    assert lines_of(["A1", "B2", "C3", "A3"]) == ("diagonal A1-C3",)
    assert lines_of([]) == ()


def test_a_line_that_somebody_else_has_is_not_unique() -> None:
    lines = {"ann": ("row A", "row B"), "bob": ("row A",), "cat": ()}
    assert unique_lines(lines) == {"ann": ("row B",), "bob": (), "cat": ()}
    assert unique_lines({"ann": ("row A",)}) == {"ann": ("row A",)}
    assert unique_lines({}) == {}


# -- sheets --------------------------------------------------------------------------------------


@settings(deadline=None)
@given(collections, st.integers(0, 100))
def test_a_sheet_adds_up(numbers: tuple[int, ...], tokens: int) -> None:
    found = sheet("ann", holding(numbers, tokens), tuple(NUMBERS))
    assert sum(each.points for each in found.chains) == found.points.chains
    assert sum(each.points for each in found.factors) == found.points.factors
    assert sum(each.points for each in found.pairs) == found.points.pairs
    cells = [cell for row in found.grid for cell in row]
    assert tuple(cell.name for cell in cells if cell.met) == found.conditions == met(holding(numbers, tokens))
    assert [len(row) for row in found.grid] == [3, 3, 3]
    assert all(not cell.one_more for cell in cells if cell.met)
    assert all(cell.progress.endswith(".") and cell.progress[0] != " " for cell in cells)
    assert [cell.title for cell in cells] == [TITLES[name] for name in CONDITIONS]


def test_sheets_are_compared_among_all_or_against_others() -> None:
    half = tuple(range(1, 26))
    everything, some = sheet("ann", holding(half, 50), ()), sheet("bob", holding((1, 2), 50), ())
    assert compared([everything, some])[0].unique_lines == tuple(LINES)
    twin = sheet("bob", holding(half, 50), ())
    assert [each.unique_lines for each in compared([everything, twin])] == [(), ()]
    assert against(everything, {"bob": ("row A",)}).unique_lines == tuple(line for line in LINES if line != "row A")


@pytest.mark.parametrize(
    ("name", "numbers", "said"),
    [
        ("A1", (), "0 of 9 in a run."),
        ("A1", (7,), "1 of 9 in a run, just 7."),
        ("A1", (1, 6, 20), "2 of 9 in a run, from 1 to 6."),
        ("A2", (), "1 token now; 50 must be left at the end."),
        ("A3", (), "No number yet, so no average."),
        ("A3", (1, 2), "The average is about 1.50, not a whole number."),
        ("A3", (1, 3), "The average is 2, not one of the numbers."),
        ("A3", (1, 2, 3), "The average is 2, one of the numbers."),
        ("B1", (), "0 of 4 in any round."),
        ("B1", (1, 6, 7), "2 of 4, in round 2."),
        ("B2", (50,), "50 of 360 points; 310 are missing."),
        ("B2", tuple(range(1, 26)), "1147 of 360 points."),
        ("B3", (1, 2), "No number is the sum of two others yet."),
        ("B3", (1, 2, 3), "3 = 1 + 2; a second way is missing."),
        ("B3", (1, 2, 3, 4, 5), "5 = 1 + 4 = 2 + 3."),
        ("C1", (1,), "0 of 5 primes."),
        ("C1", (2, 3, 4), "2 of 5 primes: 2 and 3."),
        ("C2", (1, 2, 3, 4, 5, 6), "6 of 8 remainders; missing: 0 and 7."),
        ("C2", tuple(range(8, 16)), "All 8 remainders, 0 to 7."),
        ("C3", (7,), "0 of 4 factors of any number."),
        ("C3", (1, 2, 4), "2 of 4 factors of 4: 1 and 2."),
    ],
)
def test_progress_in_words(name: str, numbers: tuple[int, ...], said: str) -> None:
    assert progress(name, holding(numbers, 1)) == said
