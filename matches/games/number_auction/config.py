"""What hosts can set: the keys, their defaults, and what cannot be played together."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.options import Data, Flag, Option, Span, Whole
from matches.games.number_auction.conditions import ENOUGH_OF_A_ROUND
from matches.games.number_auction.scoring import HIGHEST, NUMBERS

DAY = timedelta(days=1)


class Config(msgspec.Struct, frozen=True):
    """The settings of one match; the table in this folder's README explains each.

    `numbers`: the 50 numbers in the order of their auction, None for a drawn order. It tells what
    later rounds bring, so nobody but hosts may see it.
    """

    rounds: int
    numbers_per_round: int
    tokens: int
    income: int
    pregame: timedelta
    first_round: timedelta
    round: timedelta
    tokens_per_garnet: int
    numbers: tuple[int, ...] | None
    garnet_credit: bool
    decision_time: timedelta

    def opens_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, begins; also when the one before it closes."""
        if number == 1:
            return self.pregame
        return self.pregame + self.first_round + (number - 2) * self.round

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, closes."""
        return self.opens_at(number + 1)


class NumberOrder(Data, frozen=True, kw_only=True):
    """The numbers 1 to 50, each once, in some order; or nothing."""

    def read(self, raw: object) -> tuple[int, ...] | None:
        if raw is None:
            return None
        if not isinstance(raw, list | tuple) or any(type(number) is not int for number in raw):
            raise self.refuse(f"expected a list of the whole numbers 1 to {HIGHEST}, each once")
        for place, number in enumerate(raw):
            if number not in NUMBERS:
                raise self.refuse(f"{str(number)[:20]} is no number of this game; expected 1 to {HIGHEST}, each once")
            if number in raw[:place]:
                raise self.refuse(f"{number} is there twice; expected 1 to {HIGHEST}, each once")
        if len(raw) != HIGHEST:
            missing = next(number for number in NUMBERS if number not in raw)
            raise self.refuse(f"{missing} is missing; expected 1 to {HIGHEST}, each once")
        return tuple(raw)


_PRODUCT = f"Rounds times numbers per round must be {HIGHEST}."

OPTIONS: tuple[Option, ...] = (
    Whole(key="rounds", label="Rounds", help=_PRODUCT, minimum=1, maximum=HIGHEST),
    Whole(key="numbers_per_round", label="Numbers per round", help=_PRODUCT, minimum=1, maximum=HIGHEST),
    Whole(key="tokens", label="Tokens", help="What each player starts with."),
    Whole(key="income", label="Income", help="Tokens that each player gains at the start of every later round."),
    Span(key="pregame", label="Pregame", help="Before the first round; players can only buy tokens in it."),
    Span(key="first_round", label="First round", help="How long the first round takes.", positive=True),
    Span(key="round", label="Later rounds", help="How long each later round takes.", positive=True),
    Whole(
        key="tokens_per_garnet",
        label="Tokens per purchase",
        help="The first purchase costs 1 garnet, and each further one twice as much as the one before.",
        minimum=1,
    ),
    NumberOrder(
        key="numbers",
        label="Order of the numbers",
        help=f"All numbers from 1 to {HIGHEST}, each once, as they come up; leave it empty to have them drawn. "
        "Players never see it before its time.",
        shape=tuple[int, ...] | None,
    ),
    Flag(key="garnet_credit", label="Garnets on credit", help="Lets purchases of tokens take garnets below zero."),
    Span(key="decision_time", label="Time to decide", help="The window for naming the Elimination Candidate."),
)


def default_values() -> dict[str, Any]:
    """Typed defaults of every key; none depends on what else is set."""
    return {
        "rounds": 10,
        "numbers_per_round": 5,
        "tokens": 100,
        "income": 40,
        "pregame": timedelta(),
        "first_round": DAY,
        "round": DAY,
        "tokens_per_garnet": 10,
        "numbers": None,
        "garnet_credit": False,
        "decision_time": DAY,
    }


def check_together(config: Config) -> None:
    """Raise `ConfigError` unless the rounds auction every number once."""
    rounds, each = config.rounds, config.numbers_per_round
    if rounds * each == HIGHEST:
        return
    if HIGHEST % rounds:
        divisors = ", ".join(str(count) for count in NUMBERS if HIGHEST % count == 0)
        raise ConfigError(
            "rounds", f"{HIGHEST} numbers cannot be shared out to {rounds} rounds; possible are {divisors}"
        )
    raise ConfigError(
        "numbers_per_round",
        f"{rounds} rounds of {each} are {rounds * each} numbers, and there are {HIGHEST}; "
        f"with {rounds} rounds it must be {HIGHEST // rounds}",
    )


def unusual(config: Config) -> tuple[str, ...]:
    """Sentences for the host on what is playable and probably not meant."""
    if config.numbers_per_round >= ENOUGH_OF_A_ROUND:
        return ()
    return (
        f"Condition B1 asks for {ENOUGH_OF_A_ROUND} numbers of one round, and each round has only "
        f"{config.numbers_per_round}: nobody can meet it.",
    )
