"""What chance decided in a match, as a replay of its log finds it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from matches.engine.draw import Draw

T = TypeVar("T")


class Drawn(NamedTuple):
    """One draw. `kind`: "choice" (`among` options, one `came`), "order" (`among` items, all in the order in which they
    `came`) or "number" (below `among`)."""

    kind: str
    purpose: str
    among: Any
    came: Any


class Recorder(Draw):
    """A `Draw` with the match's seed that remembers what it has drawn."""

    __slots__ = ("drawn",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.drawn: list[Drawn] = []

    def integer(self, purpose: str, bound: int) -> int:
        number = super().integer(purpose, bound)
        self.drawn.append(Drawn("number", purpose, bound, number))
        return number

    def choice(self, purpose: str, options: Sequence[T]) -> T:
        came = options[Draw.integer(self, purpose, len(options))]
        self.drawn.append(Drawn("choice", purpose, list(options), came))
        return came

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        came = super().shuffle(purpose, items)
        self.drawn.append(Drawn("order", purpose, list(items), list(came)))
        return came


def public_draws(drawn: Iterable[Drawn], state: Any) -> tuple[Drawn, ...]:
    """The draws that everyone may know of when the match is over; `state` is its last. Who did not vote, and which vote
    was drawn for them, stays private."""
    decisions = state.core.decisions if state is not None else None
    private = tuple(f"{poll.key}:for:" for poll in (decisions.polls if decisions else ()) if poll.kind == "vote")
    return tuple(each for each in drawn if not each.purpose.startswith(private))
