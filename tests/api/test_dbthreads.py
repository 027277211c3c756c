"""Threads with connections: jobs together in one transaction, each with an outcome of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from matches.infra.db_threads import DatabaseThreads, Overloaded
from matches.models import Heartbeat
from matches.services.heartbeat import beat

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pool() -> Iterator[DatabaseThreads]:
    pool = DatabaseThreads("test", 1, together=True)
    yield pool
    pool.close()


async def together(pool: DatabaseThreads, *jobs: Any) -> list[Any]:
    """Outcomes of jobs that all wait when the thread gets to them."""
    started, gate = threading.Event(), threading.Event()

    def hold() -> None:
        started.set()
        gate.wait(10)

    first = asyncio.ensure_future(pool.run(hold))
    await asyncio.to_thread(started.wait, 10)
    rest = [asyncio.ensure_future(pool.run(job)) for job in jobs]
    await asyncio.sleep(0)
    gate.set()
    await first
    return await asyncio.gather(*rest, return_exceptions=True)


def fail() -> None:
    with transaction.atomic():
        beat("half")
        raise LookupError("half way")


async def test_what_one_job_does_is_undone_alone(pool: DatabaseThreads) -> None:
    outcomes = await together(pool, lambda: beat("one"), fail, lambda: beat("two"))
    assert outcomes[0] is outcomes[2] is None
    assert isinstance(outcomes[1], LookupError)
    assert await pool.run(lambda: set(Heartbeat.objects.values_list("name", flat=True))) == {"one", "two"}


async def test_a_job_is_answered_only_when_all_are_committed(pool: DatabaseThreads) -> None:
    seen: list[bool] = []

    def note() -> None:
        beat("one")
        transaction.on_commit(lambda: seen.append(True))
        assert not seen

    await together(pool, note, lambda: beat("two"))
    assert seen == [True]


async def test_when_the_commit_fails_nobody_is_told_that_it_worked(
    pool: DatabaseThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off() -> None:
        def broken() -> None:
            raise OperationalError("database or disk is full")

        monkeypatch.setattr(type(connections["default"]), "_commit", lambda self: broken())

    outcomes = await together(pool, lambda: beat("one"), break_off)
    monkeypatch.undo()
    assert [type(outcome) for outcome in outcomes] == [OperationalError, OperationalError]
    assert await pool.run(Heartbeat.objects.count) == 0


def raw() -> Any:
    """The database's own connection."""
    connection.ensure_connection()
    return connection.connection


async def test_one_thread_keeps_one_connection(pool: DatabaseThreads) -> None:
    assert await pool.run(raw) is await pool.run(raw)


async def test_a_broken_connection_is_replaced_before_the_next_job(
    pool: DatabaseThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> Any:
        found = raw()
        connection.errors_occurred = True
        return found

    broken = await pool.run(breaks)
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda self: False)
    assert await pool.run(raw) is not broken


async def begun(pool: DatabaseThreads) -> None:
    """Until a thread has taken everything that waits."""
    while pool._waiting:
        await asyncio.sleep(0)


async def test_what_is_stuck_under_one_key_leaves_the_other_threads_free() -> None:
    pool, gate = DatabaseThreads("test", 2), threading.Event()
    stuck = [asyncio.ensure_future(pool.run_for("a", gate.wait, 10)) for _ in range(5)]
    assert await asyncio.wait_for(pool.run_for("b", str, 1), 5) == "1"
    assert await asyncio.wait_for(pool.run(str, 2), 5) == "2"
    assert len(pool._waiting) == 4
    gate.set()
    assert await asyncio.gather(*stuck) == [True] * 5
    pool.close()
    assert (pool._waiting_by_key, pool._under_way - {None}) == ({}, set())


async def test_control_without_a_key_it_takes_them_all() -> None:
    pool, gate = DatabaseThreads("test", 2), threading.Event()
    stuck = [asyncio.ensure_future(pool.run(gate.wait, 10)) for _ in range(5)]
    other = asyncio.ensure_future(pool.run(str, 1))
    while len(pool._waiting) > 4:
        await asyncio.sleep(0)
    assert not other.done()
    gate.set()
    assert (await asyncio.gather(*stuck, other))[-1] == "1"
    pool.close()


async def test_who_has_waited_too_long_is_told_and_nothing_of_it_is_done_later() -> None:
    pool, gate, done = DatabaseThreads("test", 1, patience=0.02), threading.Event(), []
    first = asyncio.ensure_future(pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    await begun(pool)
    with pytest.raises(Overloaded):
        await pool.run(done.append, 1)
    gate.set()
    assert await first  # begun, so it is waited for
    pool.close()
    assert done == []


async def test_one_key_cannot_fill_the_line() -> None:
    pool, gate = DatabaseThreads("test", 1, waiting=10), threading.Event()
    stuck = [asyncio.ensure_future(pool.run_for("a", gate.wait, 10))]
    await asyncio.sleep(0)
    await begun(pool)
    stuck += [asyncio.ensure_future(pool.run_for("a", gate.wait, 10)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await pool.run_for("a", gate.wait, 10)
    other = asyncio.ensure_future(pool.run_for("b", str, 1))
    await asyncio.sleep(0)
    gate.set()
    assert await other == "1"
    await asyncio.gather(*stuck)
    pool.close()


async def test_more_than_can_wait_is_refused() -> None:
    pool, gate = DatabaseThreads("test", 1, waiting=1), threading.Event()
    first = asyncio.ensure_future(pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    await begun(pool)
    second = asyncio.ensure_future(pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await pool.run(gate.wait, 10)
    gate.set()
    assert await first
    assert await second
    pool.close()


async def test_closed_and_used_again_it_works_again(pool: DatabaseThreads) -> None:
    assert await pool.run(Heartbeat.objects.count) == 0
    pool.close()
    assert await pool.run(Heartbeat.objects.count) == 0
