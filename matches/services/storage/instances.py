"""Model objects made from stored rows, without making again what is the same as the last time.

A row is read each time, so nothing here can be out of date; only turning it into Python's values is spared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models.base import ModelState

from matches.services.storage import sql

M = TypeVar("M", bound=models.Model)


class RowCache(Generic[M]):
    """Remembers the last row of each of up to `most` objects of a model, by id.

    `changing`: names of columns that change with each action; they come last and are set each time. `without`: names
    of columns that are not read.
    """

    def __init__(
        self, model: type[M], *, changing: tuple[str, ...] = (), without: tuple[str, ...] = (), most: int = 2000
    ) -> None:
        self._model, self._changing, self._without, self._most = model, changing, without, most
        self._known: dict[int, tuple[Sequence[Any], M]] = {}
        self._names: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' attributes, in the order in which a row must bring them."""
        if not self._names:
            last = (*self._changing, *self._without)
            attributes = [field.attname for field in self._model._meta.concrete_fields]
            self._names = (*(name for name in attributes if name not in last), *self._changing)
        return self._names

    @property
    def wanted(self) -> str:
        """SQL of these columns, of a table `t`."""
        return sql.columns(self._model, self.names, "t")

    def made(self, row: Sequence[Any]) -> M:
        """An object of its own for a row."""
        stable = len(self.names) - len(self._changing)
        known = self._known.get(row[0])
        if known is None or known[0] != row[:stable]:
            if len(self._known) >= self._most:
                self._known.clear()
            known = self._known[row[0]] = (row[:stable], sql.made(self._model, self.names, row))
            return copied(known[1])
        found = copied(known[1])
        found.__dict__.update(
            zip(self._changing, sql.converted(self._model, self._changing, row[stable:]), strict=True)
        )
        return found


def copied(row: M) -> M:
    """Another object of the same row; changing one does not change the other."""
    model = type(row)
    copy = model.__new__(model)
    copy.__dict__.update(row.__dict__)
    copy._state = ModelState()
    copy._state.adding, copy._state.db = False, row._state.db
    return copy
