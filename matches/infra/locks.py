"""Queues in which threads of this process take turns at something that only one of them can do at a time.

Threads wait here without a database connection, so a match that stays locked ties up one connection, not all of them.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager


class NotNow(Exception):
    """The turn did not come in time, or too many threads are already waiting."""


class _Queue:
    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.size = 0


class Turns:
    """A queue for each key, with at most `most` threads in it, including the one whose turn it is."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._queues: dict[Hashable, _Queue] = {}
        self._guard = threading.Lock()

    @contextmanager
    def taken(
        self, key: Hashable, seconds: float, *, before_waiting: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Hold the turn of a key during the block, after waiting at most `seconds` for it. Raises `NotNow`. Cannot be
        nested. If it has to wait, it first calls `before_waiting`, to give back what others could use meanwhile.
        """
        with self._guard:
            queue = self._queues.setdefault(key, _Queue())
            if queue.size >= self._most:
                raise NotNow
            queue.size += 1
        try:
            if not queue.turn.acquire(blocking=False):
                if seconds:
                    before_waiting()
                if not queue.turn.acquire(timeout=seconds):
                    raise NotNow
            try:
                yield
            finally:
                queue.turn.release()
        finally:
            with self._guard:
                queue.size -= 1
                if not queue.size:
                    del self._queues[key]
