"""What the bots of all games share: how often they look, repeatable random choices, and random decisions after the
play."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

from matches.engine.actions import RawAction
from matches.engine.draw import Draw
from matches.engine.views import PrivateView

T = TypeVar("T")

LOOKS_EVERY = timedelta(minutes=20)
"""A bot looks at its match again after one to three times this long, in match time."""


def wait_after(draw: Draw, time: timedelta, every: timedelta = LOOKS_EVERY) -> timedelta:
    """Return how long, in match time, a bot that looked at `time` waits before its next look: 1 to 3 × `every`."""
    return every * (1 + draw.integer(f"wait:{time}", 1000) / 500)


class Chance:
    """A bot's random choices for one moment (a slot of time, a round): asking again gives the same answer."""

    def __init__(self, draw: Draw, handle: str, moment: object) -> None:
        self._draw, self._prefix = draw, f"bot:{handle}:{moment}"

    def below(self, bound: int, question: str) -> int:
        """A whole number from 0 up to, not including, `bound`."""
        return self._draw.integer(f"{self._prefix}:{question}", bound)

    def one_in(self, bound: int, question: str) -> bool:
        """True with a probability of one in `bound`."""
        return not self.below(bound, question)

    def some(self, options: Sequence[T], count: int, question: str) -> tuple[T, ...]:
        """`count` different options."""
        return self._draw.sample(f"{self._prefix}:{question}", options, count)


def decision(private: PrivateView, draw: Draw) -> RawAction:
    """A random answer to the first decision that this bot is asked for; itself only if there is no other option."""
    ask = private.asked[0]
    purpose = f"bot:{private.handle}:{ask.kind}"
    if ask.kind == "give_tokens":
        return {"type": ask.kind, "to": list(draw.sample(purpose, ask.options, ask.count))}
    others = tuple(each for each in ask.options if each != private.handle)
    return {"type": ask.kind, "player": draw.choice(purpose, others or ask.options)}
