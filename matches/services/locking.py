"""Locking a match for a `Writer`, and noting that a match's rules have failed.

Threads of this process first queue for each match (`infra.locks`), so that a locked match ties up only one connection.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime

import structlog
from django.conf import settings
from django.db import connection, transaction

from matches.engine.step import HOSTS
from matches.infra.db_waits import hurried, lend_connection
from matches.infra.locks import NotNow, Turns
from matches.models import Match, clock
from matches.services.errors import BUSY, Busy, MatchFault, RuleFailure
from matches.services.writer import Writer

_LONGEST = 500


def note(match_id: int, failure: str) -> None:
    """Note a fault of a match whose transaction was rolled back. Only hosts see what failed: the log, which becomes
    public, says only that something did. Hosts are not told again while the match is still at fault."""
    with transaction.atomic():
        for match in Match.objects.select_for_update().filter(pk=match_id):
            if not match.fault:
                _tell_hosts(Writer(match, clock.ask()))
            Match.objects.filter(pk=match_id).update(fault=failure[:_LONGEST])


def _tell_hosts(writer: Writer) -> None:
    row = writer.record(writer.row({"command": "fault"}, actor="site"))
    writer.announce(row, HOSTS, "match_fault")
    writer.save_words()


# -- under the lock --------------------------------------------------------------------------------------

logger = structlog.get_logger(__name__)

_turns = Turns(most=20)


def _turn(match_id: int, wait: bool) -> AbstractContextManager[None]:
    """Wait for a turn among this process's threads, before using a connection to wait in the database."""
    if connection.in_atomic_block:
        return nullcontext()
    return _turns.taken(match_id, settings.LOCK_SECONDS if wait else 0, before_waiting=lend_connection)


def lock_row(match_id: int) -> Match:
    """Lock the match's row, waiting for the lock, and return it."""
    return lock_row_now(match_id)[0]


def lock_row_now(match_id: int, *, wait: bool = True) -> tuple[Match, datetime]:
    """Lock the match's row until the transaction ends (on SQLite the transaction is the lock). Returns it, and the
    instant read under the lock.

    Without `wait`, raises `Busy` if somebody else holds the lock; otherwise the database's own error if waiting takes
    too long. Raises `Match.DoesNotExist`.
    """
    for match in Match.objects.select_for_update(skip_locked=not wait).filter(pk=match_id):
        return match, clock.ask()
    if not wait and Match.objects.filter(pk=match_id).exists():
        raise Busy(BUSY)
    raise Match.DoesNotExist(f"there is no match {match_id}")


@contextmanager
def locked_match(match_id: int, *, wait: bool = True) -> Iterator[Writer]:
    """Open a transaction with the match locked. The caller records things and then calls `save`, or nothing is stored.

    `wait=False` is for work that will be tried again. Raises `Busy` if it does not get the lock, and
    `MatchFault`, with everything rolled back, if the rules fail.
    """
    try:
        with _turn(match_id, wait), transaction.atomic() if wait else hurried():
            writer = Writer(*lock_row_now(match_id, wait=wait))
            yield writer
            if writer.is_unsaved:  # rows without the match's new count of them would break its log
                raise RuntimeError(f"what was recorded in match {match_id} has not been saved")
    except NotNow:
        raise Busy(BUSY) from None
    except RuleFailure as failure:
        # Noted after the rollback, or it would be lost. Only the sweep counts failures, so that a player's odd action
        # cannot stop the clock.
        logger.exception("match_fault", match=match_id)
        note(match_id, str(failure))
        raise MatchFault(
            "Something is wrong with this match, so what you sent was not saved. Its hosts can see the fault."
        ) from failure


@contextmanager
def undisturbed(match_id: int) -> Iterator[None]:
    """Lock the match for several commands in one transaction, so that nobody comes between them, and nothing stays if
    one of them is refused. Raises `Busy` if it does not get the lock."""
    try:
        with _turn(match_id, wait=True), transaction.atomic():
            lock_row(match_id)
            yield
    except NotNow:
        raise Busy(BUSY) from None
