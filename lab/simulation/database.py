"""The world's database: one SQLite file, put back to what was prepared before each run; and how runs fail.

Each thing that runs at the same moment as others, inside of which others run, has a connection of its own: a seat. The
seats watch for the moments at which something else could happen in another thread or process.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


class Failed(BaseException):
    """An invariant does not hold. `rule` names it, the text says what was seen.

    No `Exception`, because the product's own code, inside of which it may be raised, handles those.
    """

    def __init__(self, rule: str, seen: str) -> None:
        super().__init__(f"{rule}: {seen}")
        self.rule, self.seen = rule, seen


class Died(BaseException):
    """The simulated process that runs has been killed here. Nothing that it does on its way out counts."""


def need(holds: object, rule: str, seen: object = "") -> None:
    """Raise `Failed` unless it holds."""
    if not holds:
        raise Failed(rule, str(seen))


SEATS = 4

Notice = Callable[[str], None]


class Seats:
    """The connections. `tell` is told of every moment at which others may run; it may raise `Died`."""

    def __init__(self, path: Path, prepared: Path) -> None:
        self._prepared = sqlite3.connect(prepared)
        self.tell: Notice = lambda _: None
        self._wrappers = [self._made(path) for _ in range(SEATS)]
        self._dead: set[int] = set()
        self.probe = sqlite3.connect(path, isolation_level=None)
        """Sees what is committed, and nothing else."""

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
            return None  # real time, of which there is none here
        if id(context["connection"]) in self._dead:
            raise Died
        if not context["connection"].in_atomic_block:
            self.tell("statement")
        return execute(sql, params, many, context)

    def restore(self) -> None:
        """What was prepared, and nothing else. All connections are at rest."""
        for seat in range(SEATS):
            self.revive(seat)
        self._prepared.backup(self._wrappers[0].connection)

    def take(self, seat: int) -> None:
        """Let the product use this connection from now on."""
        connections[DEFAULT_DB_ALIAS] = self._wrappers[seat]

    def kill(self, seat: int) -> None:
        """The process on this seat is dead: what it has not committed never happened, and it does nothing more."""
        wrapper = self._wrappers[seat]
        self._dead.add(id(wrapper))
        if wrapper.connection.in_transaction:
            wrapper.connection.rollback()
        wrapper.leave_turn()

    def revive(self, seat: int) -> None:
        """Another process takes this seat."""
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
        """What is committed by now."""
        return self.probe.execute(sql, values).fetchall()
