"""Making model objects faster than Django does: new ones, and ones for stored rows.

Stored rows are read each time, so nothing here can be out of date; only their conversion to Python values is cached.
"""

from collections.abc import Callable, Sequence
from functools import cache
from inspect import isfunction
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)


def made(model: type[M], **facts: Any) -> M:
    """A new object with these facts, by attribute names of its columns. Defaults are computed only once, so values that
    are random for each object (tokens, salts) must be among the facts."""
    row = model.__new__(model)
    row._state = ModelState()
    row.__dict__.update(_defaults(model), **facts)
    return row


@cache
def _defaults(model: type[models.Model]) -> dict[str, Any]:
    # Without functions: all objects would share what one returns, such as a random token.
    fixed = (field for field in model._meta.concrete_fields if not isfunction(field.default))
    return {field.attname: field.get_default() for field in fixed}


@cache
def _names(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)


def fetch(model: type[M], where: str, *values: Any, more: str = "") -> list[tuple[M, Sequence[Any]]]:
    """All rows for which `where` (SQL, with %s for each of the values) is true, each as an object and the raw values of
    `more` (SQL that follows the columns). The text of the statement is built only once."""
    names = _names(model)
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_select(model, where, more), values)
        found = cursor.fetchall()
    of_one = len(names)
    return [
        (model.from_db(DEFAULT_DB_ALIAS, names, _converted(model, names, row[:of_one])), row[of_one:]) for row in found
    ]


@cache
def _select(model: type[models.Model], where: str, more: str) -> str:
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in model._meta.concrete_fields)
    return f"SELECT {columns}{more} FROM {quote(model._meta.db_table)} WHERE {where}"  # noqa: S608


class RowCache(Generic[M]):
    """Remembers the last row of each of up to `most` objects of a model, by id.

    `changing`: columns that change with each action; they come last in a row and are set each time. `without`: columns
    that are not read.
    """

    def __init__(
        self, model: type[M], *, changing: tuple[str, ...] = (), without: tuple[str, ...] = (), most: int = 2000
    ) -> None:
        self._model, self._changing, self._without, self._most = model, changing, without, most
        self._known: dict[int, tuple[Sequence[Any], M]] = {}
        self._names: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The attribute names of the columns, in the order that a row must have."""
        if not self._names:
            last = (*self._changing, *self._without)
            attributes = [field.attname for field in self._model._meta.concrete_fields]
            self._names = (*(name for name in attributes if name not in last), *self._changing)
        return self._names

    @property
    def wanted(self) -> str:
        """SQL for these columns of a table `t`."""
        connection = connections[DEFAULT_DB_ALIAS]
        # The sign hides the column's type from SQLite's library, so that it does not parse every instant.
        sign = "+" if connection.vendor == "sqlite" else ""
        fields: list[Any] = [self._model._meta.get_field(name) for name in self.names]
        return ", ".join(f"{sign}t.{connection.ops.quote_name(field.column)}" for field in fields)

    def made(self, row: Sequence[Any]) -> M:
        """A new object for a row, which the caller may change."""
        stable = len(self.names) - len(self._changing)
        known = self._known.get(row[0])
        if known is None or known[0] != row[:stable]:
            if len(self._known) >= self._most:
                self._known.clear()
            values = dict(zip(self.names, _converted(self._model, self.names, row), strict=True))
            present = [field.attname for field in self._model._meta.concrete_fields if field.attname in values]
            new = self._model.from_db(DEFAULT_DB_ALIAS, present, [values[name] for name in present])
            known = self._known[row[0]] = (row[:stable], new)
            return _copied(new)
        found = _copied(known[1])
        found.__dict__.update(zip(self._changing, _converted(self._model, self._changing, row[stable:]), strict=True))
        return found


def _copied(row: M) -> M:
    """A copy of an object, so that changing one does not change the other."""
    model = type(row)
    copy = model.__new__(model)
    copy.__dict__.update(row.__dict__)
    copy._state = ModelState()
    copy._state.adding, copy._state.db = False, row._state.db
    return copy


def _converted(model: type[models.Model], names: tuple[str, ...], row: Sequence[Any]) -> list[Any]:
    """Stored values of these columns as Python values."""
    values, connection = list(row), connections[DEFAULT_DB_ALIAS]
    for place, column, convert in _conversions(model, names, connection.vendor):
        values[place] = convert(values[place], column, connection)
    return values


@cache
def _conversions(
    model: type[models.Model], names: tuple[str, ...], vendor: str
) -> list[tuple[int, Any, Callable[[Any, Any, Any], Any]]]:
    connection, found = connections[DEFAULT_DB_ALIAS], []
    for place, name in enumerate(names):
        field: Any = model._meta.get_field(name)
        column = field.get_col(model._meta.db_table)
        converters = (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
        found += [(place, column, convert) for convert in converters]
    return found
