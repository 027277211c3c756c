"""What chance decided in a finished match: found again by playing its log, so that anybody can check it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import structlog

from matches.engine.draw import Draw
from matches.models import Match
from matches.services.verify import replay

logger = structlog.get_logger(__name__)

T = TypeVar("T")


class Drawn(NamedTuple):
    """One draw. `kind`: "choice" (`among` options, one `came`), "order" (`among` items, all in the order in which they
    `came`) or "number" (below `among`)."""

    kind: str
    purpose: str
    among: Any
    came: Any


class _Recorder(Draw):
    """Draws as the match's own, and remembers what it has drawn."""

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


def draws_of(match: Match) -> tuple[Drawn, ...]:
    """Every draw of a finished match that everyone may know of, in the order in which they were made."""
    if match.status != Match.Status.FINISHED:
        return ()
    return _draws(match.pk, match.log_head)


@lru_cache(maxsize=64)
def _draws(match_id: int, _: str) -> tuple[Drawn, ...]:
    match = Match.objects.get(pk=match_id)
    recorder = _Recorder(bytes.fromhex(match.seed))
    try:
        state, _steps = replay(match, recorder)
    except Exception:  # `manage.py verify` says what is wrong; the result itself must be there all the same
        logger.exception("replay_failed", match=match_id)
        return ()
    decisions = state.core.decisions if state is not None else None
    # Who did not vote, and for whom chance then voted, stays private.
    private = tuple(f"{poll.key}:for:" for poll in (decisions.polls if decisions else ()) if poll.kind == "vote")
    return tuple(drawn for drawn in recorder.drawn if not drawn.purpose.startswith(private))
