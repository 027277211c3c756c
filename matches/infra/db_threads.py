"""Worker threads that keep their database connections, for work started from an event loop.

Django's own way (a thread and a connection for each request) costs more than a bid does. These threads stay alive, and
replace a broken connection (after a restart of PostgreSQL) before the next job.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from time import monotonic
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")

_ASK_AFTER = 5.0  # seconds: a connection idle for longer is tested before it is used


class Overloaded(Exception):
    """Too many jobs are waiting, or this one has waited too long."""


class Job:
    """A job of a coroutine that waits in an event loop, or without one of a thread that waits."""

    __slots__ = ("future", "key", "loop", "until", "work")

    def __init__(self, key: Hashable, work: Any, loop: asyncio.AbstractEventLoop | None, until: float = 0) -> None:
        self.key, self.work, self.loop, self.until = key, work, loop, until
        self.future: asyncio.Future[Any] | Future[Any] = Future() if loop is None else loop.create_future()


Outcome = tuple[Job, Any, BaseException | None]
"""A job, its result, and the exception if it raised one."""


_pools: WeakSet[DatabaseThreads] = WeakSet()


def close_all() -> None:
    """End all threads and close their connections, because a test's database is deleted with the test."""
    for pool in list(_pools):
        pool.close()


class DatabaseThreads:
    """A pool of `size` threads with a queue of at most `waiting` jobs, of which at most a fifth may have the same key.
    A job waits at most `patience` seconds."""

    def __init__(self, name: str, size: int, *, waiting: int = 1000, patience: float = 20.0) -> None:
        self._name, self._size = name, size
        self._most, self._most_of_one, self._patience = waiting, max(waiting // 5, 1), patience
        self._waiting: deque[Job] = deque()
        self._waiting_by_key: Counter[Hashable] = Counter()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._generation = 0
        _pools.add(self)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run `work` in a thread, and return its result. Once begun it is finished even if nobody waits for it any
        more. Raises `Overloaded` if it was not begun."""
        loop = asyncio.get_running_loop()
        return await self._wait_for(Job(None, lambda: work(*args, **kwargs), loop), loop)  # type: ignore[no-any-return]

    async def _wait_for(self, job: Job, loop: asyncio.AbstractEventLoop) -> Any:
        self._enqueue(job)
        impatience = loop.call_later(self._patience, self._give_up, job)
        try:
            return await job.future  # type: ignore[misc]
        finally:
            impatience.cancel()

    def _enqueue(self, job: Job) -> None:
        with self._changed:
            if len(self._waiting) >= self._most or (job.key and self._waiting_by_key[job.key] >= self._most_of_one):
                raise Overloaded
            if not self._threads:
                self._start()
            self._waiting.append(job)
            self._waiting_by_key[job.key] += 1
            self._changed.notify()

    def close(self) -> None:
        """End the threads and their connections when all waiting jobs are done; the next job starts new ones."""
        with self._changed:
            threads, self._threads = self._threads, []
            self._generation += 1
            self._changed.notify_all()
        for thread in threads:
            thread.join()

    def _give_up(self, job: Job) -> None:
        with self._changed:
            if job not in self._waiting:
                return
            self._dequeue(job)
        if not job.future.done():
            job.future.set_exception(Overloaded())

    def _dequeue(self, job: Job) -> None:
        self._waiting.remove(job)
        self._waiting_by_key[job.key] -= 1
        if not self._waiting_by_key[job.key]:
            del self._waiting_by_key[job.key]

    # -- in the threads --------------------------------------------------------------------------

    def _start(self) -> None:
        for number in range(self._size):
            name = f"{self._name}-{number}"
            thread = threading.Thread(target=self._work, args=(self._generation,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _work(self, generation: int) -> None:
        last = monotonic()
        try:
            while jobs := self._next(generation):
                deliver(self._outcomes(jobs, rested=monotonic() - last > _ASK_AFTER))
                last = monotonic()
        finally:
            connections.close_all()

    def _next(self, generation: int) -> list[Job]:
        """Wait for jobs, and return those to do now; none if the thread should end."""
        with self._changed:
            while not (jobs := self._free_jobs()):
                if generation != self._generation:
                    return []
                self._changed.wait()
            for job in jobs:
                self._dequeue(job)
            return jobs

    def _free_jobs(self) -> list[Job]:
        """The jobs that one thread may begin now: one, or none."""
        return [self._waiting[0]] if self._waiting else []

    def _outcomes(self, jobs: list[Job], *, rested: bool) -> list[Outcome]:
        try:
            _mend_connections(rested=rested)
            return self._do(jobs)
        except BaseException as error:  # otherwise the thread would end, and the jobs would wait for ever
            return [(job, None, error) for job in jobs]

    def _do(self, jobs: list[Job]) -> list[Outcome]:
        return [_outcome(job) for job in jobs]


def _mend_connections(*, rested: bool) -> None:
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and (rested or connection.errors_occurred):
            connection.errors_occurred = False
            if not connection.is_usable():
                connection.close()


def _outcome(job: Job) -> Outcome:
    try:
        return job, job.work(), None
    except BaseException as error:
        return job, None, error


def deliver(outcomes: list[Outcome]) -> None:
    """Give the outcomes to those who wait, waking each event loop only once."""
    for loop in {job.loop for job, _, _ in outcomes}:
        mine = [outcome for outcome in outcomes if outcome[0].loop is loop]
        if loop is None:
            _settle(mine)
            continue
        try:
            loop.call_soon_threadsafe(_settle, mine)
        except RuntimeError:
            continue  # the loop has ended


def _settle(outcomes: list[Outcome]) -> None:
    for job, result, error in outcomes:
        if job.future.done():
            continue
        if error is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(error)
