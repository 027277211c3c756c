"""Takes a match's lock and gives the writer that works under it.

Threads of this process queue up first (`infra.turns`), so that a match that somebody keeps locked costs one connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime

import structlog
from django.conf import settings
from django.db import connection, transaction

from matches.infra.db_waits import hurried, lend_connection
from matches.infra.turns import NotNow, Turns
from matches.models import Match, clock
from matches.services import faults
from matches.services.errors import Busy, MatchFault
from matches.services.storage import sql
from matches.services.storage.retry import BUSY, RuleFailure
from matches.services.writer import Writer

logger = structlog.get_logger(__name__)

_turns = Turns(most=20)


def _turn(match_id: int, wait: bool) -> AbstractContextManager[None]:
    """Wait for a turn among this process's threads, before using a connection to wait in the database."""
    if connection.in_atomic_block:
        return nullcontext()
    return _turns.taken(match_id, settings.LOCK_SECONDS if wait else 0, before_waiting=lend_connection)


def lock_row(match_id: int) -> Match:
    """As `lock_row_now`, the row alone."""
    return lock_row_now(match_id)[0]


def lock_row_now(match_id: int, *, wait: bool = True) -> tuple[Match, datetime]:
    """The match's row, locked until the transaction ends (SQLite: the transaction is the lock), and the present instant
    under the lock.

    Without `wait`, raises `Busy` if somebody else holds the lock; otherwise the database's own error if waiting takes
    too long.
    """
    for match, at in sql.locked(Match, match_id, lock=sql.LOCK if wait else sql.LOCK_FREE):
        return match, clock.now_from(at)
    if not wait and Match.objects.filter(pk=match_id).exists():
        raise Busy(BUSY)
    raise Match.DoesNotExist(f"there is no match {match_id}")


@contextmanager
def locked_match(match_id: int, *, wait: bool = True) -> Iterator[Writer]:
    """A transaction with the match locked. The caller records and then calls `save`.

    `wait=False` is for work that comes round again. Raises `Busy` where it is not one's turn, and
    `MatchFault`, with everything rolled back, where the rules fail.
    """
    try:
        with _turn(match_id, wait), transaction.atomic() if wait else hurried():
            yield Writer(*lock_row_now(match_id, wait=wait))
    except NotNow:
        raise Busy(BUSY) from None
    except RuleFailure as failure:
        # After the transaction is rolled back, so that hosts see it. Only the sweep counts failures: a
        # player's odd action must not keep the clock from going on.
        logger.exception("match_fault", match=match_id)
        faults.note(match_id, str(failure))
        raise MatchFault(
            "Something is wrong with this match. Nothing was stored; its hosts can see the fault."
        ) from failure


@contextmanager
def undisturbed(match_id: int) -> Iterator[None]:
    """Several commands, and what they depend on, with nobody between them: one transaction with the match locked, of
    which nothing stays if one of them is refused. Raises `Busy` where it is not one's turn."""
    try:
        with _turn(match_id, wait=True), transaction.atomic():
            lock_row(match_id)
            yield
    except NotNow:
        raise Busy(BUSY) from None
