"""What a group's transaction does only on PostgreSQL: its matches are locked, and its commit waits for the disk."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from matches.models import clock
from matches.services.errors import Busy
from matches.services.group import batch, queue
from matches.services.locking import lock_row_now
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def bid_and_look(patch: pytest.MonkeyPatch, look: Callable[[Table], str]) -> list[str]:
    """What is seen from inside of a group's transaction, when all has been judged and written."""
    table = Table(clock.FixedTime(clock.now())).open()  # the group's own thread knows no fixed time
    right, seen = batch._Batch.store, list[str]()

    def store(self: batch._Batch) -> None:
        right(self)
        seen.append(look(table))

    patch.setattr(batch._Batch, "store", store)
    assert queue.submit(table.match_id, table.users["ann"].pk, {"type": "bid", "amount": 1}).accepted
    return seen


def test_people_are_answered_once_it_is_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(table: Table) -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            return str(cursor.fetchone()[0])

    assert bid_and_look(monkeypatch, look) == ["on"]


def test_nobody_else_gets_the_match_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before anything of it is written."""
    right, seen = batch._Batch.judge, list[str]()

    def try_to_lock(match_id: int) -> None:
        try:
            with transaction.atomic():
                lock_row_now(match_id, wait=False)
                seen.append("got it")
        except Busy:
            seen.append("busy")
        finally:
            connection.close()

    def judge(self: batch._Batch) -> None:
        right(self)
        (ask,) = self._asks
        other = threading.Thread(target=try_to_lock, args=(ask.match,))
        other.start()
        other.join()

    monkeypatch.setattr(batch._Batch, "judge", judge)
    bid_and_look(monkeypatch, lambda table: "")
    assert seen == ["busy"]
