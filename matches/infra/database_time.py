"""The database's clock, which all processes use, because there may be many machines but only one database.

Code that locks a match asks PostgreSQL for its time (`ask`). All other code adds to the last answer the time that has
passed by a monotonic clock (`present`). So even a process whose own clock is wrong does everything at the right time;
`skew` says how wrong its clock is.

SQLite has no clock of its own, and only one machine uses the file, so there the process's own clock is used.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

MOST_SKEW = timedelta(seconds=1)
"""A process whose clock is off by more than this does not sweep."""

_ASK_AGAIN = 5.0
_TOO_SLOW = 0.25
_TOO_OLD = 60.0
_TICKS: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # the former also counts while the machine sleeps


class _Reading(NamedTuple):
    """The database's time and the monotonic clock's reading at one moment."""

    at: datetime
    ticks: float


_last: _Reading | None = None


def own() -> datetime:
    """The process's own clock, in UTC."""
    return datetime.now(UTC)


def tells_time(connection: BaseDatabaseWrapper) -> bool:
    """Whether this database has a clock."""
    return connection.vendor == "postgresql"


def present() -> datetime:
    """The database's time now, computed from the last answer."""
    last = _last
    return own() if last is None else last.at + timedelta(seconds=_ticks() - last.ticks)


def skew() -> timedelta:
    """How far the process's own clock is ahead of the database's (negative if behind), without asking the database."""
    return timedelta() if _last is None else own() - present()


def is_skewed() -> bool:
    """Whether the process's own clock is too far off."""
    return abs(skew()) > MOST_SKEW


def ask(using: str = DEFAULT_DB_ALIAS) -> datetime:
    """Ask the database for its time, from which `present` then counts."""
    connection = connections[using]
    if not tells_time(connection):
        return own()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return _ask(connection.connection)


def on_connection(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Ask for the time by a new connection, unless this process has asked a moment ago; a receiver of a signal."""
    if tells_time(connection) and (_last is None or _ticks() - _last.ticks > _ASK_AGAIN):
        _ask(connection.connection)


def _ask(connection: Any) -> datetime:
    # Not by Django's cursor, so that a caller who counts statements does not count this one.
    global _last
    before = _ticks()
    at: datetime = connection.execute("SELECT clock_timestamp()").fetchone()[0]
    after = _ticks()
    # A slow answer is inexact, because the time may be from anywhere in between; a recent previous one is better then.
    if _last is None or after - before < _TOO_SLOW or before - _last.ticks > _TOO_OLD:
        _last = _Reading(at.astimezone(UTC), (before + after) / 2)
    return at.astimezone(UTC)


def _ticks() -> float:
    return time.clock_gettime(_TICKS)
