"""The database's clock, by which everything here goes: there may be many machines, but there is one database.

Whatever takes a match's lock asks PostgreSQL for its time. All else goes on from what it told last, counting seconds by
a clock that nobody can set (`present`). So a process whose own clock is wrong shows and does everything at the right
time; `skew` says how wrong it is.

SQLite has no clock of its own: it is a file, and its time is that of the one machine which has it. There `present` is
the process's clock.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

MOST_SKEW = timedelta(seconds=1)
"""A process whose clock is further off is not to be relied on."""

_ASK_AGAIN = 5.0
_TOO_SLOW = 0.25
_TOO_OLD = 60.0
_TICKS: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # the first goes on while the machine sleeps


class _Reading(NamedTuple):
    """The database's time, and the reading of the clock that nobody can set, at one moment."""

    at: datetime
    ticks: float


_last: _Reading | None = None


def own() -> datetime:
    """What the process's own clock says."""
    return datetime.now(UTC)


def tells_time(connection: BaseDatabaseWrapper) -> bool:
    """Whether this database has a clock."""
    return connection.vendor == "postgresql"


def present() -> datetime:
    """The database's time by now, without asking it."""
    last = _last
    return own() if last is None else last.at + timedelta(seconds=_ticks() - last.ticks)


def skew() -> timedelta:
    """How far the process's own clock is ahead of the database's; behind, if it is negative. Asks nothing."""
    return timedelta() if _last is None else own() - present()


def is_skewed() -> bool:
    """Whether the process's own clock is too far off."""
    return abs(skew()) > MOST_SKEW


def ask(using: str = DEFAULT_DB_ALIAS) -> datetime:
    """Ask the database for its time, and go on from that."""
    connection = connections[using]
    if not tells_time(connection):
        return own()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return _ask(connection.connection)


def on_connection(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """A process that has a new connection asks by it, unless it has asked a moment ago."""
    if tells_time(connection) and (_last is None or _ticks() - _last.ticks > _ASK_AGAIN):
        _ask(connection.connection)


def _ask(connection: Any) -> datetime:
    """Not by Django's cursor: this is not the caller's work, who may count statements."""
    global _last
    before = _ticks()
    at: datetime = connection.execute("SELECT clock_timestamp()").fetchone()[0]
    after = _ticks()
    # An answer that took long says only that the time is somewhere in between; what was told a moment before is better.
    if _last is None or after - before < _TOO_SLOW or before - _last.ticks > _TOO_OLD:
        _last = _Reading(at.astimezone(UTC), (before + after) / 2)
    return at.astimezone(UTC)


def _ticks() -> float:
    return time.clock_gettime(_TICKS)
