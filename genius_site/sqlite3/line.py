"""Threads of one process that wait for SQLite's write lock, in the order in which they came.

SQLite lets nobody know that the lock is free: whoever waits looks again every tenth of a second. A thread that writes
one transaction after the other (a sweep after a restart, bots that move) frees it for less than a millisecond each
time, so others may not find it free for half a minute. Here whoever has waited longest is handed the lock.
"""

from __future__ import annotations

import os
from collections import deque
from threading import Lock


class Line:
    """Who writes now, and who waits."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._waiting: deque[Lock] = deque()

    def take(self, seconds: float) -> bool:
        """Wait so long for one's turn; whether it came."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            if seconds <= 0:
                return False
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=seconds):
            return True
        with self._lock:
            if turn not in self._waiting:  # it came at this very moment
                return True
            self._waiting.remove(turn)
            return False

    def leave(self) -> None:
        """Hand the turn to whoever has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)


_lines: dict[str, Line] = {}
os.register_at_fork(after_in_child=_lines.clear)  # those who stand in them are not there any more


def line_of(file: str) -> Line:
    """The line before this database."""
    return _lines.setdefault(file, Line())
