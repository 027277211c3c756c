"""How close a player is to each condition, in one short sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from matches.engine.sentences import counted, joined
from matches.games.number_auction.conditions import (
    ENOUGH_FACTORS,
    ENOUGH_OF_A_ROUND,
    ENOUGH_POINTS,
    ENOUGH_PRIMES,
    ENOUGH_SUMS,
    ENOUGH_TOKENS,
    PRIMES,
    RUN_LENGTH,
    RUN_STEP,
    Holding,
    average,
    best_round,
    longest_run,
    missing_remainders,
    most_factors,
    most_sums,
)
from matches.games.number_auction.scoring import score

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
    """The sentence for one condition, met or not."""
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
    return f"{_of(len(run), RUN_LENGTH)} in a run, {_span(run)}."


def _span(run: tuple[int, ...]) -> str:
    return f"from {run[0]} to {run[-1]}" if len(run) > 1 else f"just {run[0]}"


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
