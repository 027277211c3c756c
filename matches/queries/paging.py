"""Reading lists a page at a time."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, overload

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class UnknownPlace(LookupError):
    """The list does not contain the row after which a page should begin."""


class Page(NamedTuple, Generic[T]):
    """A page of a list. `last` names the row after which the next page begins; empty on the last page."""

    items: list[T]
    last: str


def page_of(found: list[T], most: int, name: Callable[[T], str]) -> Page[T]:
    """Make a page from its rows and, if there are more, one extra row. `name` gives the name of a row."""
    return Page(found[:most], name(found[most - 1]) if len(found) > most else "")


def place_of(found: QuerySet[Any, tuple[Any, ...]]) -> tuple[Any, ...]:
    """The values of the row after which a page begins. Raises `UnknownPlace` if there is no such row."""
    place = found.first()
    if place is None:
        raise UnknownPlace
    return place


def first_of(rows: QuerySet[M], most: int, start: int = 0) -> list[M]:
    """At most `most` rows from `start` on. The database sorts and skips only keys; the rows are read by key."""
    return in_order(rows, list(rows.prefetch_related(None).values_list("pk", flat=True)[start : start + most]))


def in_order(rows: QuerySet[M], keys: list[Any]) -> list[M]:
    """The rows with these keys, in the order of the keys."""
    if not keys:
        return []
    found = {row.pk: row for row in rows.order_by().filter(pk__in=keys)}
    return [found[key] for key in keys if key in found]


def count_up_to(rows: QuerySet[Any], most: int = 100) -> int:
    """How many rows there are; `most` + 1 if there are more than `most`."""
    return rows.order_by().values("pk")[: most + 1].count()


class PagedRows(Sequence[T]):
    """A sequence of `count` rows for a paginator, which reads only the page that is needed, by `read(start, count)`."""

    def __init__(self, count: int, read: Callable[[int, int], list[T]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, int):
            (row,) = self._read(range(self._count)[place], 1)
            return row
        start, stop, _ = place.indices(self._count)
        return self._read(start, stop - start)
