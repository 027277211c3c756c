"""Reads and writes single rows with SQL text that is built only once.

Django builds the SQL of a query each time it runs, which takes several times as long as the database needs to answer.
The few statements that every action needs are kept here, with Django's own conversion of values. No signals are sent.
For anything more complicated use the models.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

from matches.infra import database_time

M = TypeVar("M", bound=models.Model)
Conversion = Callable[[Any, Any, Any], Any]


class _Table(NamedTuple):
    """A model's table: attribute names, columns quoted and joined, what turns stored values into Python's."""

    attributes: list[str]
    columns: str
    conversions: list[tuple[int, list[Conversion], Any]]


def _connection() -> BaseDatabaseWrapper:
    """This thread's connection itself: Django's proxy for it looks it up again for every attribute."""
    return connections[DEFAULT_DB_ALIAS]


LOCK, LOCK_FREE = " FOR UPDATE", " FOR UPDATE SKIP LOCKED"
"""For `locked`: keep the rows until the transaction ends; all of them, or those that nobody else keeps."""


def fetch(model: type[M], where: str, *values: Any) -> list[M]:
    """All rows for which `where` (SQL, with %s for each of the values) is true, in no particular order."""
    connection = _connection()
    table = _table(model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(_select(model, where), values)
        found = cursor.fetchall()
    return [model.from_db(connection.alias, table.attributes, _converted(table, row, connection)) for row in found]


def locked(model: type[M], pk: int, *, lock: str = LOCK) -> list[tuple[M, datetime | None]]:
    """The row with this id, if there is one, locked, with the database's time once it was: for `clock.now_from`.

    Where the database has no row locks, the transaction is the lock; it has no clock either, and the time is None.
    """
    connection = _connection()
    if not connection.features.has_select_for_update:
        return [(row, None) for row in fetch(model, "id = %s", pk)]
    table = _table(model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(_locked(model, lock), (pk,))
        found = cursor.fetchall()
    return [
        (model.from_db(connection.alias, table.attributes, _converted(table, row[:-1], connection)), row[-1])
        for row in found
    ]


def fetch_with(model: type[M], more: str, where: str, *values: Any) -> list[tuple[M, Sequence[Any]]]:
    """As `fetch`, and with each row what `more` (SQL: expressions, with commas between them) gives for it, as it is
    stored."""
    connection = _connection()
    table = _table(model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(_select(model, where, f", {more}"), values)
        found = cursor.fetchall()
    count = len(table.attributes)
    return [
        (model.from_db(connection.alias, table.attributes, _converted(table, row[:count], connection)), row[count:])
        for row in found
    ]


def select(model: type[models.Model], names: tuple[str, ...], where: str, *values: Any) -> list[tuple[Any, ...]]:
    """Columns of rows, as they are stored: for texts and whole numbers, which need no conversion."""
    with _connection().cursor() as cursor:
        cursor.execute(_select_columns(model, names, where), values)
        return list(cursor.fetchall())


def update(row: models.Model, names: Sequence[str]) -> None:
    """Store these fields of a row that is there."""
    model, connection = type(row), _connection()
    fields = [_field(model, name) for name in names]
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    execute(_update(model, tuple(names)), *values, row.pk)


def execute(sql: str, *values: Any) -> int:
    """Run a statement; how many rows it changed."""
    with _connection().cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def stored(model: type[models.Model], name: str, value: Any) -> Any:
    """A value as the database stores it in a field, for handwritten statements."""
    return _field(model, name).get_db_prep_save(value, _connection())


# -- for statements written elsewhere ----------------------------------------------------------------


@cache
def columns(model: type[models.Model], names: tuple[str, ...], table: str) -> str:
    """These columns as SQL, of a table that goes by this name in the statement, for `converted` and `made`."""
    # With a sign SQLite does not know their types, and its library parses no instant that nobody may need.
    sign = "+" if _connection().vendor == "sqlite" else ""
    return ", ".join(f"{sign}{table}.{_quoted(_field(model, name).column)}" for name in names)


def converted(model: type[models.Model], names: tuple[str, ...], row: Sequence[Any]) -> list[Any]:
    """Stored values of these columns as Python's."""
    connection = _connection()
    values = list(row)
    for place, conversions, expression in _conversions(model, names, connection.vendor):
        for convert in conversions:
            values[place] = convert(values[place], expression, connection)
    return values


def made(model: type[M], names: tuple[str, ...], row: Sequence[Any]) -> M:
    """An object of stored values of these columns; the others are read when they are needed."""
    values = dict(zip(names, converted(model, names, row), strict=True))
    present = [field.attname for field in model._meta.concrete_fields if field.attname in values]
    return model.from_db(_connection().alias, present, [values[name] for name in present])


# -- texts -------------------------------------------------------------------------------------------


def _field(model: type[models.Model], name: str) -> Any:
    """One of the model's own columns; for Django's types it might as well be a relation back, which has none."""
    return model._meta.get_field(name)


def _quoted(name: str | None) -> str:
    return str(_connection().ops.quote_name(str(name)))


@cache
def _table(model: type[models.Model], vendor: str) -> _Table:
    compiler = model._default_manager.all().query.get_compiler(connection=_connection())
    expressions = [column for column, _, _ in compiler.setup_query() or compiler.select]
    converters = compiler.get_converters(expressions)
    fields = model._meta.concrete_fields
    conversions = [(place, found, expression) for place, (found, expression) in converters.items()]
    return _Table([f.attname for f in fields], ", ".join(_quoted(f.column) for f in fields), conversions)


@cache
def _conversions(
    model: type[models.Model], names: tuple[str, ...], vendor: str
) -> list[tuple[int, list[Conversion], Any]]:
    table = _table(model, vendor)
    found = {table.attributes[place]: (each, expression) for place, each, expression in table.conversions}
    return [(place, *found[name]) for place, name in enumerate(names) if name in found]


def _converted(table: _Table, row: Sequence[Any], connection: BaseDatabaseWrapper) -> list[Any]:
    values = list(row)
    for place, conversions, expression in table.conversions:
        for convert in conversions:
            values[place] = convert(values[place], expression, connection)
    return values


@cache
def _select(model: type[models.Model], where: str, more: str = "") -> str:
    columns = _table(model, _connection().vendor).columns
    return f"SELECT {columns}{more} FROM {_quoted(model._meta.db_table)} WHERE {where}"  # noqa: S608


@cache
def _locked(model: type[models.Model], lock: str) -> str:
    return with_time(_select(model, "id = %s") + lock)


def with_time(select: str) -> str:
    """A statement of PostgreSQL that takes locks, with the time at which each row's was taken as one more column. In
    the statement itself the time would be read before it waits for the lock."""
    return f"SELECT locked.*, {database_time.SQL} FROM ({select}) AS locked"  # noqa: S608


@cache
def _select_columns(model: type[models.Model], names: tuple[str, ...], where: str) -> str:
    columns = ", ".join(_quoted(_field(model, name).column) for name in names)
    return f"SELECT {columns} FROM {_quoted(model._meta.db_table)} WHERE {where}"  # noqa: S608


@cache
def _update(model: type[models.Model], names: tuple[str, ...]) -> str:
    columns = [_quoted(_field(model, name).column) for name in names]
    pk = _quoted(model._meta.pk.column)
    sets = ", ".join(f"{column} = %s" for column in columns)
    return f"UPDATE {_quoted(model._meta.db_table)} SET {sets} WHERE {pk} = %s"  # noqa: S608
