"""Which single number would complete a condition.

Trying every number on every condition would give the same results, but too slowly: score sheets show this for every
player and every cell of the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matches.games.number_auction.conditions import (
    DIVISOR,
    ENOUGH_FACTORS,
    ENOUGH_OF_A_ROUND,
    ENOUGH_POINTS,
    ENOUGH_PRIMES,
    ENOUGH_SUMS,
    PRIMES,
    RUN_LENGTH,
    Holding,
    longest_run,
    missing_remainders,
    sums_to,
)
from matches.games.number_auction.scoring import FACTORS, ascending, gain, score

Numbers = Sequence[int]


def completing(name: str, holding: Holding, obtainable: Numbers) -> tuple[int, ...]:
    """Which of the `obtainable` numbers would complete the condition, which is not met yet.

    In a what-if, some of the numbers held are obtainable too; a second one of them completes nothing.
    """
    lacking = [number for number in obtainable if number not in holding.numbers]
    return tuple(_COMPLETING[name](holding, lacking))


def _run(holding: Holding, obtainable: Numbers) -> Numbers:
    if len(holding.numbers) < RUN_LENGTH - 1:
        return ()
    return [number for number in obtainable if len(longest_run(ascending((*holding.numbers, number)))) >= RUN_LENGTH]


def _average(holding: Holding, obtainable: Numbers) -> Numbers:
    owned, total, count = set(holding.numbers), sum(holding.numbers), len(holding.numbers) + 1
    return [
        number
        for number in obtainable
        if (total + number) % count == 0 and ((total + number) // count in owned or total == number * (count - 1))
    ]


def _round(holding: Holding, obtainable: Numbers) -> Numbers:
    owned = set(holding.numbers)
    almost = [each for each in holding.rounds if len(owned.intersection(each)) >= ENOUGH_OF_A_ROUND - 1]
    return [number for number in obtainable if any(number in each for each in almost)]


def _points(holding: Holding, obtainable: Numbers) -> Numbers:
    owned, missing = set(holding.numbers), ENOUGH_POINTS - score(holding.numbers).total
    return [number for number in obtainable if gain(owned, number) >= missing]


def _sums(holding: Holding, obtainable: Numbers) -> Numbers:
    """Numbers that are the sum themselves, or part of a second sum for an owned number that has one."""
    numbers = holding.numbers
    almost = [total for total in numbers if len(sums_to(numbers, total)) == ENOUGH_SUMS - 1]
    summands = {total - summand for total in almost for summand in numbers}
    return [number for number in obtainable if number in summands or len(sums_to(numbers, number)) >= ENOUGH_SUMS]


def _primes(holding: Holding, obtainable: Numbers) -> Numbers:
    if len(PRIMES.intersection(holding.numbers)) < ENOUGH_PRIMES - 1:
        return ()
    return [number for number in obtainable if number in PRIMES]


def _remainders(holding: Holding, obtainable: Numbers) -> Numbers:
    missing = missing_remainders(holding.numbers)
    return [number for number in obtainable if [number % DIVISOR] == missing]


def _factors(holding: Holding, obtainable: Numbers) -> Numbers:
    """Numbers that have enough owned factors, or are the missing factor of an owned number."""
    owned = set(holding.numbers)
    lacking = {number: [factor for factor in FACTORS[number] if factor not in owned] for number in owned}
    factors = {
        factor
        for number, missing in lacking.items()
        if len(FACTORS[number]) - len(missing) >= ENOUGH_FACTORS - 1
        for factor in missing
    }
    return [
        number
        for number in obtainable
        if number in factors or len(owned.intersection(FACTORS[number])) >= ENOUGH_FACTORS
    ]


_COMPLETING: dict[str, Callable[[Holding, Numbers], Numbers]] = {
    "A1": _run,
    "A2": lambda holding, obtainable: (),  # tokens, which no number adds to
    "A3": _average,
    "B1": _round,
    "B2": _points,
    "B3": _sums,
    "C1": _primes,
    "C2": _remainders,
    "C3": _factors,
}
