"""Exceptions to the usual limits on waiting for the database, and how to recognise that a limit was reached.

Serving processes have their limits in settings.DATABASES (PostgreSQL: for a lock, a statement, an idle transaction;
SQLite: for the write lock). Different limits hold for work that is better tried again later, for deletions for which
nobody waits, for migrations, which have none, and for the health check, which must not wait for the work that it
checks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

_HURRIED_MS = 250
_ALONE = "alone"
_ALONE_SECONDS = 1

_BUSY = {
    "55P03",  # lock not available: the limit of waiting for it, or NOWAIT
    "57014",  # query canceled: the limit of a statement
}


def is_busy(error: BaseException) -> bool:
    """Whether the database was only too busy, so that a second try may succeed."""
    return getattr(error.__cause__, "sqlstate", None) in _BUSY or "database is locked" in str(error)


def lend_connection() -> None:
    """Give this thread's connection back to the pool, if it comes from a pool and is in no transaction.

    For threads that are about to wait for something else, so that they do not keep connections from others. The next
    statement takes one again.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.settings_dict["OPTIONS"].get("pool") and not connection.in_atomic_block:
        connection.close()


@contextmanager
def hurried() -> Iterator[None]:
    """Open a transaction that fails after a short wait for a lock, with an error for which `is_busy` is true.

    Inside another transaction it is a savepoint, and waits as long as that one.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
    elif connection.vendor == "sqlite":
        _execute(connection, f"PRAGMA busy_timeout = {_HURRIED_MS}")
        try:
            with transaction.atomic():
                yield
        finally:
            seconds = connection.settings_dict["OPTIONS"].get("timeout", 5)
            _execute(connection, f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    else:
        with transaction.atomic():
            _execute(connection, f"SET LOCAL lock_timeout = {_HURRIED_MS}")
            yield


@contextmanager
def unhurried() -> Iterator[None]:
    """Let this thread's connection wait without limit during the block, for migrations."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    limits = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
    for limit in limits:
        _execute(connection, f"SET {limit} = 0")
    try:
        yield
    finally:
        for limit in limits:
            _execute(connection, f"RESET {limit}")


@contextmanager
def alone() -> Iterator[str]:
    """Open a separate connection that waits at most a second for anything; gives its alias for `using()`."""
    connection = connections[DEFAULT_DB_ALIAS].copy(_ALONE)
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "postgresql":
        options.pop("pool", None)
        options["connect_timeout"] = 2  # the least that PostgreSQL's library accepts
        # After those of the site, such as its schema: of two values the last one counts.
        waits = f"-c lock_timeout={_ALONE_SECONDS}s -c statement_timeout={_ALONE_SECONDS}s"
        options["options"] = f"{options.get('options', '')} {waits}"
    else:
        options["timeout"] = _ALONE_SECONDS
    connections[_ALONE] = connection
    try:
        yield _ALONE
    finally:
        del connections[_ALONE]
        connection.close()


def _execute(connection: BaseDatabaseWrapper, sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


AT_ONCE = 500


def delete_in_batches(rows: QuerySet[Any]) -> int:
    """Delete rows a few at a time, so that nobody has to wait long. Returns how many, with the rows that cascaded."""
    total = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        deleted, _ = rows.model._default_manager.filter(pk__in=keys).delete()
        total += deleted
        if not deleted:
            break
    return total
