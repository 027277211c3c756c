"""The line in front of the group writer: one for each process."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from matches.infra import metrics
from matches.infra.batches import Again, Batches
from matches.infra.db_threads import Overloaded
from matches.infra.db_waits import lend_connection
from matches.services.actions import Answer, submit_action
from matches.services.errors import Busy
from matches.services.group.asks import Ask, Unusual
from matches.services.group.batch import together
from matches.services.group.memory import Memory
from matches.services.storage.retry import BUSY

_memory = Memory()
_taken = 0


def is_crowded() -> bool:
    """Whether several actions waited when this process last took some: those who act wait for one another."""
    return _taken > 1


def _work(asks: Sequence[Ask]) -> list[Answer | Unusual | Exception]:
    global _taken
    _taken = len(asks)
    with metrics.COMMITS_TOGETHER.time():
        outcomes = together(asks, _memory)
    for outcome in outcomes:
        if isinstance(outcome, Answer):
            metrics.judged(outcome.accepted, way="together")
    return [Again() if outcome is Unusual.LOCKED else outcome for outcome in outcomes]


_line: Batches[Ask, Answer | Unusual] = Batches("group-writer", _work)


async def ask(asked: Ask) -> Answer | None:
    """What became of an action; None for one that must be submitted alone (`actions.submit_action`).

    Raises what `submit_action` raises, `Match.DoesNotExist`, what a token's `admit` raised, and `Overloaded`. The
    answer comes when it is committed.
    """
    try:
        answer = await _line.ask(asked.match, asked)
    except Again:
        return None
    return None if isinstance(answer, Unusual) else answer


def submit(match_id: int, user_id: int | None, raw: object, key: str = "") -> Answer:
    """`actions.submit_action`, together with what others do at the same moment: for threads, which wait for it."""
    if connection.in_atomic_block:  # what is done here must be undone with the rest of it
        return submit_action(match_id, user_id, raw, key)
    lend_connection()
    try:
        answer = _line.ask_in_thread(match_id, Ask(match_id, user_id, raw, key))
    except Again:
        answer = Unusual.ALONE
    except Overloaded:
        raise Busy(BUSY) from None
    return submit_action(match_id, user_id, raw, key) if isinstance(answer, Unusual) else answer
