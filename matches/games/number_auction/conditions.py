"""The nine conditions of the grid and its eight lines, a player's progress, and which numbers complete a condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from matches.engine.sentences import counted, joined
from matches.games.number_auction.scoring import FACTORS, NUMBERS, ascending, runs, score

# -- conditions ----------------------------------------------------------------------------------------

RUN_LENGTH, RUN_STEP = 9, 5
ENOUGH_TOKENS = 50
ENOUGH_OF_A_ROUND = 4
ENOUGH_POINTS = 360
ENOUGH_SUMS = 2
ENOUGH_PRIMES = 5
DIVISOR = 8
ENOUGH_FACTORS = 4

PRIMES = frozenset(number for number in NUMBERS if FACTORS[number] == (1,))


class Holding(NamedTuple):
    """What the conditions depend on. `numbers` ascending; `rounds`: the numbers of each round known so far."""

    numbers: tuple[int, ...]
    tokens: int
    rounds: tuple[tuple[int, ...], ...]

    def plus(self, number: int) -> Holding:
        """The holding with one more number."""
        return self._replace(numbers=ascending((*self.numbers, number)))


def longest_run(numbers: Sequence[int]) -> tuple[int, ...]:
    """The longest run in which each step is at most 5; the first among equals.

    Any set with such steps lies within one of the runs into which the numbers are cut, so subsets need no search.
    """
    return max(runs(numbers, RUN_STEP), key=len, default=())


def average(numbers: Sequence[int]) -> int | None:
    """The exact average if it is one of the numbers, else None."""
    if not numbers or sum(numbers) % len(numbers):
        return None
    middle = sum(numbers) // len(numbers)
    return middle if middle in numbers else None


def best_round(holding: Holding) -> tuple[int, int]:
    """The most owned numbers from one round, and the first such round, from 1; (0, 0) without numbers."""
    owned = set(holding.numbers)
    best = (0, 0)
    for place, numbers in enumerate(holding.rounds, 1):
        count = len(owned.intersection(numbers))
        if count > best[0]:
            best = (count, place)
    return best


def sums_to(numbers: Sequence[int], total: int) -> list[tuple[int, int]]:
    """All ways to write `total` as a sum of two different owned numbers, the lower first."""
    owned = set(numbers)
    return [(low, total - low) for low in numbers if 2 * low < total and total - low in owned]


def most_sums(numbers: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
    """The owned number with the most sums of two other owned numbers, and these sums; 0 if no number has any.

    Two of its sums never share a number.
    """
    ways = {number: sums_to(numbers, number) for number in numbers}
    best = max(numbers, key=lambda number: len(ways[number]), default=0)
    return (best, ways[best]) if best and ways[best] else (0, [])


def missing_remainders(numbers: Iterable[int]) -> list[int]:
    """The remainders on division by 8 that no number has."""
    left = {number % DIVISOR for number in numbers}
    return [remainder for remainder in range(DIVISOR) if remainder not in left]


def most_factors(numbers: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The owned number with the most owned proper factors, and these factors; 0 without numbers."""
    owned = set(numbers)
    found = [(number, tuple(filter(owned.__contains__, FACTORS[number]))) for number in numbers]
    return max(found, key=lambda each: len(each[1]), default=(0, ()))


CONDITIONS: dict[str, Callable[[Holding], bool]] = {
    "A1": lambda holding: len(longest_run(holding.numbers)) >= RUN_LENGTH,
    "A2": lambda holding: holding.tokens >= ENOUGH_TOKENS,
    "A3": lambda holding: average(holding.numbers) is not None,
    "B1": lambda holding: best_round(holding)[0] >= ENOUGH_OF_A_ROUND,
    "B2": lambda holding: score(holding.numbers).total >= ENOUGH_POINTS,
    "B3": lambda holding: any(len(sums_to(holding.numbers, each)) >= ENOUGH_SUMS for each in holding.numbers),
    "C1": lambda holding: len(PRIMES.intersection(holding.numbers)) >= ENOUGH_PRIMES,
    "C2": lambda holding: not missing_remainders(holding.numbers),
    "C3": lambda holding: len(most_factors(holding.numbers)[1]) >= ENOUGH_FACTORS,
}
"""Condition -> whether a holding meets it, in reading order of the grid."""

LINES: dict[str, tuple[str, str, str]] = {
    "row A": ("A1", "A2", "A3"),
    "row B": ("B1", "B2", "B3"),
    "row C": ("C1", "C2", "C3"),
    "column 1": ("A1", "B1", "C1"),
    "column 2": ("A2", "B2", "C2"),
    "column 3": ("A3", "B3", "C3"),
    "diagonal A1-C3": ("A1", "B2", "C3"),
    "diagonal A3-C1": ("A3", "B2", "C1"),
}


def met(holding: Holding) -> tuple[str, ...]:
    """The conditions that are met, in reading order."""
    return tuple(name for name, is_met in CONDITIONS.items() if is_met(holding))


def lines_of(conditions: Iterable[str]) -> tuple[str, ...]:
    """The lines that these conditions fill."""
    return tuple(line for line, parts in LINES.items() if set(parts) <= set(conditions))


def unique_lines(lines: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Each player's lines that nobody else has."""
    counts = Counter(line for each in lines.values() for line in each)
    return {player: tuple(line for line in each if counts[line] == 1) for player, each in lines.items()}


def completing(name: str, holding: Holding, obtainable: Sequence[int]) -> tuple[int, ...]:
    """Those of the `obtainable` numbers that would complete a condition that is not met yet.

    Numbers that are held already are left out; in a what-if they may be obtainable too.
    """
    lacking = [number for number in obtainable if number not in holding.numbers]
    return tuple(number for number in lacking if CONDITIONS[name](holding.plus(number)))


# -- progress ------------------------------------------------------------------------------------------

TITLES = {
    "A1": f"{RUN_LENGTH} numbers in steps of at most {RUN_STEP}",
    "A2": f"{ENOUGH_TOKENS} tokens left at the end",
    "A3": "The average is one of the numbers",
    "B1": f"{ENOUGH_OF_A_ROUND} numbers of one round",
    "B2": f"{ENOUGH_POINTS} points",
    "B3": "One number is a sum of two others in two ways",
    "C1": f"{ENOUGH_PRIMES} primes",
    "C2": "Every remainder on division by 8",
    "C3": f"A number with {ENOUGH_FACTORS} of its factors",
}
"""Condition -> its short name on the grid."""


def progress(name: str, holding: Holding) -> str:
    """A sentence on the progress towards one condition."""
    return _PROGRESS[name](holding)


def _of(have: int, needed: int) -> str:
    """“3 of 5”, or “7 (5 needed)” if there are more than needed."""
    return f"{have} of {needed}" if have <= needed else f"{have} ({needed} needed)"


def _listed(numbers: Iterable[int]) -> str:
    return joined(map(str, numbers))


def _run(holding: Holding) -> str:
    run = longest_run(holding.numbers)
    if not run:
        return f"0 of {RUN_LENGTH} in a run."
    span = f"from {run[0]} to {run[-1]}" if len(run) > 1 else f"just {run[0]}"
    return f"{_of(len(run), RUN_LENGTH)} in a run, {span}."


def _tokens(holding: Holding) -> str:
    return f"{counted(holding.tokens, 'token')} now; {ENOUGH_TOKENS} must be left at the end."


def _average(holding: Holding) -> str:
    numbers = holding.numbers
    if not numbers:
        return "No number yet, so no average."
    if average(numbers) is not None:
        return f"The average is {average(numbers)}, one of the numbers."
    if sum(numbers) % len(numbers) == 0:
        return f"The average is {sum(numbers) // len(numbers)}, not one of the numbers."
    return f"The average is about {sum(numbers) / len(numbers):.2f}, not a whole number."


def _round(holding: Holding) -> str:
    count, place = best_round(holding)
    return _of(count, ENOUGH_OF_A_ROUND) + (f", in round {place}." if count else " in any round.")


def _points(holding: Holding) -> str:
    total = score(holding.numbers).total
    short = f"; {ENOUGH_POINTS - total} are missing." if total < ENOUGH_POINTS else "."
    return f"{total} of {ENOUGH_POINTS} points{short}"


def _sums(holding: Holding) -> str:
    number, ways = most_sums(holding.numbers)
    if not ways:
        return "No number is the sum of two others yet."
    shown = " = ".join([str(number), *(f"{low} + {high}" for low, high in ways[:ENOUGH_SUMS])])
    return f"{shown}." if len(ways) >= ENOUGH_SUMS else f"{shown}; a second way is missing."


def _primes(holding: Holding) -> str:
    primes = sorted(PRIMES.intersection(holding.numbers))
    return f"{_of(len(primes), ENOUGH_PRIMES)} primes" + (f": {_listed(primes)}." if primes else ".")


def _remainders(holding: Holding) -> str:
    missing = missing_remainders(holding.numbers)
    if not missing:
        return "All 8 remainders, 0 to 7."
    return f"{8 - len(missing)} of 8 remainders; missing: {_listed(missing)}."


def _factors(holding: Holding) -> str:
    number, factors = most_factors(holding.numbers)
    if not factors:
        return f"0 of {ENOUGH_FACTORS} factors of any number."
    return f"{_of(len(factors), ENOUGH_FACTORS)} factors of {number}: {_listed(factors)}."


_PROGRESS: dict[str, Callable[[Holding], str]] = {
    "A1": _run,
    "A2": _tokens,
    "A3": _average,
    "B1": _round,
    "B2": _points,
    "B3": _sums,
    "C1": _primes,
    "C2": _remainders,
    "C3": _factors,
}
