"""Reading and writing many rows with one statement, whose text is the same for every number of rows.

So it is prepared only once: by SQLite's own cache of statements, and by PostgreSQL, which gets the rows as arrays. This
bypasses Django's cursors, which cost more than the statements, but keeps to Django's transaction and its exceptions.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

Values = Sequence[Any]
Convert = Callable[[Any], Any]


class Columns(NamedTuple):
    """Some of a model's columns: their quoted names in the database, their PostgreSQL types, and functions that convert
    Python values to stored ones, by index, where they differ."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    conversions: tuple[tuple[int, Convert], ...]

    def stored(self, values: Values) -> list[Any]:
        """Values of these columns as the database's own library takes them."""
        found = list(values)
        for place, convert in self.conversions:
            if found[place] is not None:
                found[place] = convert(found[place])
        return found


def find(
    model: type[models.Model],
    wanted: str,
    by: tuple[str, ...],
    keys: Sequence[Values],
    *,
    where: str = "true",
    lock: str = "",
) -> Any:
    """The rows whose columns `by` equal one of the `keys`, with raw values and in no particular order.

    `wanted` and `where` are SQL for the selected columns and an extra condition; the table is `t`. `lock` is SQL for
    the end, left out if the database has no row locks.
    """
    if not keys:
        return []
    with raw() as (connection, cursor):
        columns = _columns(model, by, connection.vendor)
        keys = [columns.stored(key) for key in keys]
        if connection.vendor == "sqlite":
            text = _find_one(model, wanted, by, where)
            return [row for key in keys for row in cursor.execute(text, key)]
        text = _find_many(model, wanted, by, where, lock)
        cursor.execute(text, [list(column) for column in zip(*keys, strict=True)])
        return cursor.fetchall()


def insert(
    model: type[models.Model], rows: Sequence[Any], *, update_by: tuple[str, ...] = (), numbered: bool = False
) -> None:
    """Insert new rows in order: any objects with the model's columns as attributes. With `numbered`, each then has its
    id as `pk`. Existing rows that have the same values in the columns `update_by` are updated instead."""
    if not rows:
        return
    with raw() as (connection, cursor):
        names = _inserted(model)
        columns, values_of = _columns(model, names, connection.vendor), attrgetter(*names)
        stored = [columns.stored(values_of(row)) for row in rows]
        if connection.vendor != "sqlite":
            cursor.execute(
                _insert_many(model, update_by, numbered), [list(column) for column in zip(*stored, strict=True)]
            )
            # PostgreSQL returns them in the order of the arrays.
            ids = [pk for (pk,) in cursor.fetchall()] if numbered else []
        elif numbered:
            ids = [cursor.execute(_insert_one(model, update_by), values).lastrowid for values in stored]
        else:
            cursor.executemany(_insert_one(model, update_by), stored)
            ids = []
    for row, pk in zip(rows, ids, strict=numbered):
        row.pk = pk


def update(
    model: type[models.Model],
    names: tuple[str, ...],
    by: tuple[str, ...],
    rows: Sequence[Values],
    *,
    more: tuple[str, ...] = (),
    where: str = "",
) -> set[int]:
    """Update existing rows, and return the indexes of those `rows` that were found.

    Each of `rows` has the new values of `names`, then what to add to the columns `more`, then the values of `by`, which
    find the row together with `where` (SQL).
    """
    if not rows:
        return set()
    with raw() as (connection, cursor):
        columns = _columns(model, (*names, *more, *by), connection.vendor)
        stored = [columns.stored(row) for row in rows]
        text = _update(model, names, more, by, where, connection.vendor)
        if connection.vendor == "sqlite":
            return {place for place, values in enumerate(stored) if cursor.execute(text, values).rowcount}
        cursor.execute(text, [list(column) for column in zip(*stored, strict=True)])
        return {place - 1 for (place,) in cursor.fetchall()}


@contextmanager
def raw() -> Iterator[tuple[BaseDatabaseWrapper, Any]]:
    """This thread's connection, and a cursor of the database's own library on it that prepares its statements. Errors
    become Django's."""
    connection = connections[DEFAULT_DB_ALIAS]
    connection.ensure_connection()
    with connection.wrap_database_errors:
        if connection.vendor == "sqlite":
            yield connection, connection.connection.cursor()
            return
        with psycopg.Cursor(connection.connection) as cursor:
            yield connection, cursor


# -- texts -------------------------------------------------------------------------------------------


@cache
def _inserted(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(f.attname for f in model._meta.concrete_fields if not isinstance(f, models.AutoField))


@cache
def _columns(model: type[models.Model], names: tuple[str, ...], vendor: str) -> Columns:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    found = [fields[name] for name in names]
    connection = connections[DEFAULT_DB_ALIAS]
    # Without the length, because a cast would cut texts to it.
    types = tuple(str(field.db_type(connection)).partition("(")[0] for field in found)
    conversions = ((place, _conversion(field, vendor)) for place, field in enumerate(found))
    return Columns(
        tuple(connection.ops.quote_name(str(field.column)) for field in found),
        types,
        tuple((place, convert) for place, convert in conversions if convert is not None),
    )


def _conversion(field: Any, vendor: str) -> Convert | None:
    if isinstance(field, models.JSONField):
        return json.dumps
    if isinstance(field, models.DateTimeField) and vendor == "sqlite":
        return _instant_as_text
    if isinstance(field, models.DurationField) and vendor == "sqlite":
        return _microseconds
    return str if field.choices else None


@lru_cache(maxsize=256)
def _instant_as_text(instant: datetime) -> str:
    return str(instant.astimezone(UTC).replace(tzinfo=None))


def _microseconds(span: timedelta) -> int:
    return span // timedelta(microseconds=1)


def _table(model: type[models.Model]) -> str:
    return str(connections[DEFAULT_DB_ALIAS].ops.quote_name(model._meta.db_table))


@cache
def _find_one(model: type[models.Model], wanted: str, by: tuple[str, ...], where: str) -> str:
    columns = _columns(model, by, "sqlite")
    found = " AND ".join(f"t.{name} = ?" for name in columns.names)
    return f"SELECT {wanted} FROM {_table(model)} t WHERE {found} AND {where}"  # noqa: S608


@cache
def _find_many(model: type[models.Model], wanted: str, by: tuple[str, ...], where: str, lock: str) -> str:
    columns = _columns(model, by, "postgresql")
    found = " AND ".join(f"t.{name} = v.{name}" for name in columns.names)
    arrays = _arrays(columns)
    return f"SELECT {wanted} FROM {_table(model)} t JOIN {arrays} ON {found} WHERE {where}{lock}"  # noqa: S608


def _arrays(columns: Columns, and_then: str = "", ordinal: str = "") -> str:
    """The parameters' rows as a table `v`. Binary, because in a text array every quote would have to be escaped."""
    arrays = ", ".join(f"%b::{kind}[]" for kind in columns.types)
    return f"unnest({arrays}){and_then} AS v({', '.join(columns.names)}{ordinal})"


@cache
def _insert_one(model: type[models.Model], by: tuple[str, ...]) -> str:
    columns = _columns(model, _inserted(model), "sqlite")
    marks = ", ".join("?" * len(columns.names))
    start = f"INSERT INTO {_table(model)} ({', '.join(columns.names)}) VALUES ({marks})"  # noqa: S608
    return start + _on_conflict(model, by)


@cache
def _insert_many(model: type[models.Model], by: tuple[str, ...], numbered: bool) -> str:
    columns = _columns(model, _inserted(model), "postgresql")
    names = ", ".join(columns.names)
    start = f"INSERT INTO {_table(model)} ({names}) SELECT {names} FROM {_arrays(columns)}"  # noqa: S608
    return start + _on_conflict(model, by) + (" RETURNING id" if numbered else "")


def _on_conflict(model: type[models.Model], by: tuple[str, ...]) -> str:
    if not by:
        return ""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    changed = [quote(name) for name in _inserted(model) if name not in by]
    sets = ", ".join(f"{name} = excluded.{name}" for name in changed)
    return f" ON CONFLICT ({', '.join(map(quote, by))}) DO UPDATE SET {sets}"


@cache
def _update(
    model: type[models.Model],
    names: tuple[str, ...],
    more: tuple[str, ...],
    by: tuple[str, ...],
    where: str,
    vendor: str,
) -> str:
    new, added, key = (_columns(model, each, vendor).names for each in (names, more, by))
    restriction = f" AND {where}" if where else ""
    if vendor == "sqlite":
        sets = ", ".join([*(f"{name} = ?" for name in new), *(f"{name} = {name} + ?" for name in added)])
        found = " AND ".join(f"t.{name} = ?" for name in key)
        return f"UPDATE {_table(model)} AS t SET {sets} WHERE {found}{restriction}"  # noqa: S608
    sets = ", ".join([*(f"{name} = v.{name}" for name in new), *(f"{name} = t.{name} + v.{name}" for name in added)])
    found = " AND ".join(f"t.{name} = v.{name}" for name in key)
    arrays = _arrays(_columns(model, (*names, *more, *by), vendor), " WITH ORDINALITY", ", place")
    return f"UPDATE {_table(model)} AS t SET {sets} FROM {arrays} WHERE {found}{restriction} RETURNING v.place"  # noqa: S608
