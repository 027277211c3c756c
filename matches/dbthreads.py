"""Threads that keep their database connections, for work that is asked for from an event loop.

Django's own way (a thread and a connection for each request) costs more than a bid does. Here the threads stay, and a
connection that has broken (PostgreSQL was restarted) is replaced before the next job rather than closed after each.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")

_ASK_AFTER = 5.0  # seconds: a connection that rested longer is asked whether it still lives


class Overloaded(Exception):
    """More jobs wait already than could be done in reasonable time."""


class DatabaseThreads:
    """`size` threads; at most `waiting` jobs wait for one."""

    def __init__(self, name: str, size: int, waiting: int = 1000) -> None:
        self._name, self._size, self._waiting = name, size, waiting
        self._pool: ThreadPoolExecutor | None = None
        self._jobs = 0
        self._last = threading.local()

    async def run(self, job: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The job's result; it runs to its end even where nobody waits for it any more. Raises `Overloaded`."""
        if self._jobs >= self._waiting:
            raise Overloaded
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._size, self._name)
        loop = asyncio.get_running_loop()
        self._jobs += 1
        future = loop.run_in_executor(self._pool, lambda: self._with_connection(job, *args, **kwargs))
        future.add_done_callback(self._done)
        return await future

    def _done(self, future: asyncio.Future[R]) -> None:
        self._jobs -= 1

    def _with_connection(self, job: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        rested = monotonic() - getattr(self._last, "at", 0.0) > _ASK_AFTER
        for connection in connections.all(initialized_only=True):
            if connection.connection is not None and (rested or connection.errors_occurred):
                connection.errors_occurred = False
                if not connection.is_usable():
                    connection.close()
        try:
            return job(*args, **kwargs)
        finally:
            self._last.at = monotonic()

    def close(self) -> None:
        """End the threads and their connections; the next job starts new ones."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        everyone = threading.Barrier(self._size)

        def leave() -> None:
            everyone.wait(10)  # so that no thread takes the place of another
            connections.close_all()

        for future in [pool.submit(leave) for _ in range(self._size)]:
            future.result()
        pool.shutdown()
