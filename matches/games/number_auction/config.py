"""The settings of Number Auction, and which combinations cannot be played."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY, NO_TIME
from matches.engine.sealed_rounds import InRounds
from matches.engine.sentences import joined
from matches.engine.settings import Data, Roster, Span, Whole, on_credit, time_to_decide
from matches.games.number_auction.conditions import ENOUGH_OF_A_ROUND
from matches.games.number_auction.scoring import HIGHEST, NUMBERS

_MOST_NAMED = 12  # in one sentence about wrong numbers


class NumberOrder(Data, frozen=True, kw_only=True):
    """A setting for the order of the numbers 1 to 50, or None. Errors say everything that is wrong."""

    def read(self, raw: object) -> tuple[int, ...] | None:
        if raw is None:
            return None
        if not isinstance(raw, list | tuple) or any(type(number) is not int for number in raw):
            raise self.refuse(f"expected a list of the whole numbers 1 to {HIGHEST}, each once")
        counts = Counter(raw)
        wrong = [
            *_said([n for n in counts if n not in NUMBERS], "is not a number", "are not numbers", "of this game"),
            *_said([n for n, count in counts.items() if count > 1], "appears", "appear", "twice"),
            *_said([n for n in NUMBERS if n not in counts], "is", "are", "missing"),
        ]
        if wrong:
            raise self.refuse(f"{'; '.join(wrong)}; expected 1 to {HIGHEST}, each once")
        return tuple(raw)


def _said(numbers: list[int], one: str, many: str, what: str) -> Iterator[str]:
    """Yield what is wrong with these numbers, if there are any. Of a long list only the first are named."""
    names = [str(number)[:20] for number in numbers[:_MOST_NAMED]]
    if len(numbers) > _MOST_NAMED:
        names.append(f"{len(numbers) - _MOST_NAMED} more")
    if numbers:
        yield f"{joined(names)} {one if len(numbers) == 1 else many} {what}"


_PRODUCT = f"Rounds times numbers per round must be {HIGHEST}."


class Config(InRounds, frozen=True, kw_only=True):
    """The settings of one match.

    `numbers`: the 50 numbers in the order of their auction, None for a drawn order. Only hosts may see it, because it
    shows which numbers come in later rounds.
    """

    rounds: Annotated[int, Whole("Rounds", _PRODUCT, minimum=1, maximum=HIGHEST)] = 10
    numbers_per_round: Annotated[int, Whole("Numbers per round", _PRODUCT, minimum=1, maximum=HIGHEST)] = 5
    tokens: Annotated[int, Whole("Tokens", "What each player starts with.")] = 100
    income: Annotated[int, Whole("Income", "Tokens each player gains at the start of each round after the first.")] = 40
    pregame: Annotated[timedelta, Span("Pregame", "Time before the first round, when players can only buy tokens.")] = (
        NO_TIME
    )
    tokens_per_garnet: Annotated[
        int,
        Whole(
            "Tokens per purchase",
            "The first purchase costs 1 garnet, and each later one twice as much as the one before.",
            minimum=1,
        ),
    ] = 10
    numbers: Annotated[
        tuple[int, ...] | None,
        NumberOrder(
            "Order of the numbers",
            f"All numbers from 1 to {HIGHEST}, each once, in order. If you leave this empty, the site draws them. "
            f"Players see no number before its round, but everybody learns that you have set the order.",
            draw="the order of the numbers",
        ),
    ] = None
    garnet_credit: Annotated[bool, on_credit("purchases of tokens")] = False
    decision_time: Annotated[timedelta, time_to_decide("naming the Elimination Candidate")] = DAY

    def conflicts(self) -> Iterator[ConfigError]:
        rounds, each = self.rounds, self.numbers_per_round
        if HIGHEST % rounds:
            divisors = ", ".join(str(count) for count in NUMBERS if HIGHEST % count == 0)
            yield ConfigError(
                "rounds", f"{HIGHEST} numbers cannot be divided evenly among {rounds} rounds; choose one of {divisors}"
            )
        elif rounds * each != HIGHEST:
            yield ConfigError(
                "numbers_per_round",
                f"{rounds} rounds of {each} make {rounds * each} numbers, but there are {HIGHEST}; "
                f"with {rounds} rounds, choose {HIGHEST // rounds} numbers per round",
                beside=("rounds",),
            )

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        if self.numbers_per_round >= ENOUGH_OF_A_ROUND:
            return ()
        return (
            f"Condition B1 asks for {ENOUGH_OF_A_ROUND} numbers from one round, but each round has only "
            f"{self.numbers_per_round}, so nobody can meet it.",
        )
