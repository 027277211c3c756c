"""The queue in front of the group writer, one for each process."""

from collections.abc import Sequence

from django.db import connection

from matches.infra.batches import INSIST, Again, Batches
from matches.infra.db_threads import Overloaded
from matches.infra.db_waits import lend_connection
from matches.services.actions import Answer
from matches.services.errors import BUSY, Busy
from matches.services.group.batch import Ask, Locked, Outcome, alone, together
from matches.services.group.writer import Memory

_memory = Memory()
_taken = 0


def is_crowded() -> bool:
    """Whether several actions were waiting when this process last took some, so that actions delay each other."""
    return _taken > 1


def _work(asks: Sequence[Ask]) -> list[Answer | Exception]:
    global _taken
    _taken = len(asks)
    return [Again() if isinstance(outcome, Locked) else outcome for outcome in together(asks, _memory)]


_queue: Batches[Ask, Answer] = Batches("group-writer", _work)


async def ask(asked: Ask) -> Answer:
    """Submit an action, and return its answer once it is committed.

    Rejections come as answers. Raises `NotAPlayer`, `KeyConflict`, `BadKey`, `TooLarge`, `MovedOn`, `TooManyRefused`,
    `BotPlays`, `MatchFault`, `Match.DoesNotExist`, whatever a token's `admit` raised, `Busy` if somebody else keeps the
    match locked, and `Overloaded`.
    """
    try:
        return await _queue.ask(asked.match, asked)
    except Again:
        raise Busy(BUSY) from None


def submit(
    match_id: int, user_id: int | None, raw: object, key: str = "", meant_for: str = "", *, insist: float = INSIST
) -> Answer:
    """The same as `ask`, for threads. Raises `Busy` instead of `Overloaded`, and once somebody else has kept the match
    locked for `insist` seconds. Nothing is stored then, nor will be."""
    asked = Ask(match_id, user_id, raw, key, meant_for)
    if connection.in_atomic_block:  # then it must be part of the caller's transaction
        return _answer(alone(asked))
    lend_connection()
    try:
        return _queue.ask_in_thread(match_id, asked, insist=insist)
    except (Again, Overloaded):
        raise Busy(BUSY) from None


def _answer(outcome: Outcome) -> Answer:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
