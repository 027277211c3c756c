"""The world's database (one SQLite file, restored before each run), and the exceptions by which runs end.

Each of the things that run within each other has a connection of its own, a seat. The seats report the moments at which
another thread or process could run.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


class Failed(BaseException):
    """An invariant does not hold. `rule` names it, `seen` says what was seen.

    Not an `Exception`, because the site's code, within which it may be raised, handles those.
    """

    def __init__(self, rule: str, seen: str) -> None:
        super().__init__(f"{rule}: {seen}")
        self.rule, self.seen = rule, seen


class Died(BaseException):
    """The simulated process has been killed here. Nothing that it does on its way out counts."""


def need(holds: object, rule: str, seen: object = "") -> None:
    """Raise `Failed` unless it holds."""
    if not holds:
        raise Failed(rule, str(seen))


SEATS = 4

Notice = Callable[[str], None]


class Seats:
    """The connections. `tell` is called at every moment at which others may run; it may raise `Died`."""

    def __init__(self, path: Path, prepared: Path) -> None:
        self._prepared = sqlite3.connect(prepared)
        self.tell: Notice = lambda _: None
        self._wrappers = [self._made(path) for _ in range(SEATS)]
        self._dead: set[int] = set()
        self.probe = sqlite3.connect(path, isolation_level=None)
        """A connection that sees only what is committed."""

    def _made(self, path: Path) -> Any:
        wrapper: Any = connections.create_connection(DEFAULT_DB_ALIAS)
        wrapper.settings_dict["NAME"] = str(path)
        wrapper.connect()
        wrapper.execute_wrappers.append(self._around)
        begin, commit = wrapper._start_transaction_under_autocommit, wrapper._commit

        def begin_here() -> None:
            self.tell("begin")
            begin()

        def commit_here() -> None:
            self.tell("commit")
            commit()
            self.tell("committed")

        wrapper._start_transaction_under_autocommit, wrapper._commit = begin_here, commit_here
        return wrapper

    def _around(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("PRAGMA busy_timeout"):
            return None  # it is real time, which does not exist here
        if id(context["connection"]) in self._dead:
            raise Died
        if not context["connection"].in_atomic_block:
            self.tell("statement")
        return execute(sql, params, many, context)

    def restore(self) -> None:
        """Restore the prepared database. All connections are at rest."""
        for seat in range(SEATS):
            self.revive(seat)
        self._prepared.backup(self._wrappers[0].connection)

    def take(self, seat: int) -> None:
        """Let the site's code use this connection from now on."""
        connections[DEFAULT_DB_ALIAS] = self._wrappers[seat]

    def kill(self, seat: int) -> None:
        """Kill the process on this seat: its uncommitted work is lost, and it does nothing more."""
        wrapper = self._wrappers[seat]
        self._dead.add(id(wrapper))
        if wrapper.connection.in_transaction:
            wrapper.connection.rollback()
        wrapper.leave_turn()

    def revive(self, seat: int) -> None:
        """Give this seat to another process."""
        wrapper = self._wrappers[seat]
        self._dead.discard(id(wrapper))
        if wrapper.connection.in_transaction:
            wrapper.connection.rollback()
        wrapper.leave_turn()
        wrapper.in_atomic_block = wrapper.needs_rollback = wrapper.closed_in_transaction = False
        wrapper.commit_on_exit = True
        wrapper.savepoint_ids, wrapper.atomic_blocks, wrapper.run_on_commit = [], [], []
        wrapper.run_commit_hooks_on_set_autocommit_on = False
        wrapper.autocommit, wrapper.savepoint_state, wrapper.errors_occurred = True, 0, False

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Query what is committed now."""
        return self.probe.execute(sql, values).fetchall()
