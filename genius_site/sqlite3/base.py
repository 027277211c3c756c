"""The SQLite backend (Django expects this module name), in which the threads of one process write in turn.

SQLite tells nobody that the lock is free: whoever waits looks again every tenth of a second. A thread that writes one
transaction after the other (a sweep after a restart, bots that move) frees it for less than a millisecond each time, so
others may not get it for half a minute. Here the lock is handed to whoever waits.
"""

import os
from functools import cache
from threading import Lock
from time import monotonic
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from matches.infra.private_files import make_private


class Line:
    """A fair lock: the thread that writes now, and the one that comes next, which nobody can overtake."""

    def __init__(self) -> None:
        self._turn, self._next = Lock(), Lock()

    def take(self, seconds: float) -> bool:
        """Wait at most so long for the turn; return whether it came."""
        ends = monotonic() + seconds
        if not self._next.acquire(timeout=seconds):
            return False
        try:
            return self._turn.acquire(timeout=max(ends - monotonic(), 0))
        finally:
            self._next.release()

    def leave(self) -> None:
        """Pass the turn on."""
        self._turn.release()

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody waits for the turn."""
        return self._next.locked()


_lines: dict[str, Line] = {}
os.register_at_fork(after_in_child=_lines.clear)  # the threads that waited do not exist in the child


def line_of(file: str) -> Line:
    """Return the lock for writing to this database file."""
    return _lines.setdefault(file, Line())


class DatabaseWrapper(base.DatabaseWrapper):
    """Makes the database file private before SQLite opens it, and lets the threads of a process write in turn."""

    _line: Line | None = None
    """The lock that this connection holds, while it is in a transaction."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        name = str(conn_params["database"])
        if _is_file(name):
            try:
                _make_private(name)
            except OSError as error:
                raise self.Database.OperationalError(f"unable to open database file: {error}") from error
        return super().get_new_connection(conn_params)

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.leave_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # if it fails, the transaction goes on until it is rolled back
        self.leave_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self.leave_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self.leave_turn()

    def _take_turn(self) -> None:
        """Wait for the turn, as long as this connection would wait for SQLite's lock."""
        name = str(self.settings_dict["NAME"])
        if not _is_file(name) or self._line is not None:
            return
        line = line_of(name)
        if not line.take(0):
            ((milliseconds,),) = self.connection.execute("PRAGMA busy_timeout").fetchall()
            if not line.take(milliseconds / 1000):
                raise OperationalError("database is locked")
        self._line = line

    def leave_turn(self) -> None:
        """Release the turn, if this connection has it."""
        line, self._line = self._line, None
        if line is not None:
            line.leave()


def _is_file(name: str) -> bool:
    return not name.startswith((":memory:", "file:"))


@cache
def _make_private(name: str) -> None:
    # SQLite gives its other two files the mode of the first; they are named for files of an earlier version.
    make_private(name, f"{name}-wal", f"{name}-shm")
