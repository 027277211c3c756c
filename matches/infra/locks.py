"""Queues for work that only one thread at a time can do.

Threads wait here without a database connection, so a match that stays locked holds one connection and not all of
them.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager


class NotNow(Exception):
    """The turn did not come in time, or too many threads are already waiting."""


class _Line:
    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.people = 0


class Turns:
    """A queue for each key, with at most `most` threads in it, including the one whose turn it is."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: dict[Hashable, _Line] = {}
        self._guard = threading.Lock()

    @contextmanager
    def taken(
        self, key: Hashable, seconds: float, *, before_waiting: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Hold the turn during the block, after waiting a limited time for it. Raises `NotNow`. Cannot be nested.

        `before_waiting` is called if there is a wait: what others could use meanwhile is to be given back.
        """
        with self._guard:
            line = self._lines.setdefault(key, _Line())
            if line.people >= self._most:
                raise NotNow
            line.people += 1
        try:
            if not line.turn.acquire(blocking=False):
                if seconds:
                    before_waiting()
                if not line.turn.acquire(timeout=seconds):
                    raise NotNow
            try:
                yield
            finally:
                line.turn.release()
        finally:
            with self._guard:
                line.people -= 1
                if not line.people:
                    del self._lines[key]
