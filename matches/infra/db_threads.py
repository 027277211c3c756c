"""Threads that keep their database connections, for work that is asked for from an event loop.

Django's own way (a thread and a connection for each request) costs more than a bid does. Here the threads stay, and a
connection that has broken (PostgreSQL was restarted) is replaced before the next job rather than closed after each.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakSet

from django.db import connections, transaction

P = ParamSpec("P")
R = TypeVar("R")

_ASK_AFTER = 5.0  # seconds: a connection that rested longer is asked whether it still lives
_MOST_TOGETHER = 32


class Overloaded(Exception):
    """More jobs wait already than could be done in reasonable time."""


class _Job(NamedTuple):
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


_Outcome = tuple[_Job, Any, BaseException | None]


_pools: WeakSet[DatabaseThreads] = WeakSet()


def close_all() -> None:
    """End all threads and give their connections back: a test's database goes away with the test."""
    for pool in list(_pools):
        pool.close()


class DatabaseThreads:
    """`size` threads; at most `waiting` jobs wait for one.

    `together`: jobs that wait are done in one transaction, each in a savepoint, and are answered when all are
    committed. One wait for the disk then serves them all.
    """

    def __init__(self, name: str, size: int, *, waiting: int = 1000, together: bool = False) -> None:
        self._name, self._size, self._waiting, self._together = name, size, waiting, together
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        _pools.add(self)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What `work` returns; it runs to its end even where nobody waits for it any more. Raises `Overloaded`."""
        if self._jobs.qsize() >= self._waiting:
            raise Overloaded
        if not self._threads:
            self._start()
        loop = asyncio.get_running_loop()
        job = _Job(lambda: work(*args, **kwargs), loop, loop.create_future())
        self._jobs.put(job)
        return await job.future  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the threads and their connections; the next job starts new ones."""
        threads, self._threads = self._threads, []
        for _ in threads:
            self._jobs.put(None)
        for thread in threads:
            thread.join()

    # -- in the threads --------------------------------------------------------------------------

    def _start(self) -> None:
        for number in range(self._size):
            thread = threading.Thread(target=self._work, name=f"{self._name}-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _work(self) -> None:
        last = monotonic()
        try:
            while (job := self._jobs.get()) is not None:
                _mend_connections(rested=monotonic() - last > _ASK_AFTER)
                jobs = [job, *self._further()] if self._together else [job]
                _deliver(_do_together(jobs) if len(jobs) > 1 else [_do(job)])
                last = monotonic()
        finally:
            connections.close_all()

    def _further(self) -> list[_Job]:
        """The jobs that wait already."""
        found: list[_Job] = []
        while len(found) < _MOST_TOGETHER - 1:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                self._jobs.put(None)  # the sign to end: for after these
                break
            found.append(job)
        return found


def _mend_connections(*, rested: bool) -> None:
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and (rested or connection.errors_occurred):
            connection.errors_occurred = False
            if not connection.is_usable():
                connection.close()


def _do(job: _Job) -> _Outcome:
    try:
        return job, job.work(), None
    except BaseException as error:
        return job, None, error


def _do_together(jobs: list[_Job]) -> list[_Outcome]:
    try:
        with transaction.atomic():
            return [_do(job) for job in jobs]
    except Exception as error:
        # Not committed, so nothing of it is true, whatever the single jobs found.
        return [(job, None, error) for job in jobs]


def _deliver(outcomes: list[_Outcome]) -> None:
    """Wake each loop once, and not once for each job."""
    for loop in {job.loop for job, _, _ in outcomes}:
        mine = [outcome for outcome in outcomes if outcome[0].loop is loop]
        try:
            loop.call_soon_threadsafe(_settle, mine)
        except RuntimeError:
            continue  # that loop has ended, and with it whoever waited


def _settle(outcomes: list[_Outcome]) -> None:
    for job, result, error in outcomes:
        if job.future.done():
            continue
        if error is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(error)
