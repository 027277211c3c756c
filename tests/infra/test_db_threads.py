"""Threads with connections: whose turn it is, who has waited too long, and what a broken connection costs."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections

from matches.infra.db_threads import DatabaseThreads, Overloaded

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pool() -> Iterator[DatabaseThreads]:
    pool = DatabaseThreads("test", 1)
    yield pool
    pool.close()


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
        if connection.vendor == "postgresql":  # a pool would hand a good one out again
            found.close()
        connection.errors_occurred = True
        return found

    broken = await pool.run(breaks)
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda self: False)
    assert await pool.run(raw) is not broken


async def test_a_connection_that_cannot_be_looked_at_costs_one_job_and_not_the_thread(
    pool: DatabaseThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> None:
        raw()
        connection.errors_occurred = True

    def fails(self: Any) -> bool:
        raise OSError("the line is gone")

    await pool.run(breaks)
    with monkeypatch.context() as patch:
        patch.setattr(type(connections["default"]), "is_usable", fails)
        with pytest.raises(OSError, match="the line is gone"):
            await asyncio.wait_for(pool.run(raw), 30)
    assert await asyncio.wait_for(pool.run(str, 1), 30) == "1"


async def begun(pool: DatabaseThreads) -> None:
    """Until a thread has taken everything that waits."""
    while pool._waiting:
        await asyncio.sleep(0)


async def test_what_is_stuck_under_one_key_leaves_the_other_threads_free() -> None:
    pool, gate = DatabaseThreads("test", 2), threading.Event()
    stuck = [asyncio.ensure_future(pool.run_for("a", gate.wait, 10)) for _ in range(5)]
    assert await asyncio.wait_for(pool.run_for("b", str, 1), 30) == "1"
    assert await asyncio.wait_for(pool.run(str, 2), 30) == "2"
    assert len(pool._waiting) == 4
    gate.set()
    assert await asyncio.gather(*stuck) == [True] * 5
    pool.close()
    assert (pool._waiting_by_key, pool._under_way - {None}) == ({}, set())


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
