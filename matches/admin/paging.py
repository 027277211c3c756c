"""Lists of the admin whose cost does not grow with the number of rows."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from matches.queries.paging import count_up_to, first_of, in_order

_MOST = 10_000
_LATEST = 1000


class BoundedPaginator(Paginator):
    """Counts and shows no more than the first 10,000 rows. Only keys are sorted, and a page's rows are read by them."""

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than it shows."""
        return self._found > _MOST

    @cached_property
    def _found(self) -> int:
        return count_up_to(self._rows, _MOST)

    @property
    def _rows(self) -> QuerySet[Any]:
        return cast("QuerySet[Any]", self.object_list)

    @property
    def count(self) -> int:
        return min(self._found, _MOST)

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        return Page(first_of(self._rows, self.per_page, (number - 1) * self.per_page), number, self)


class SortedPaginator(BoundedPaginator):
    """For lists in an order that no index has: to find one page all their rows are read, so they are counted, too."""

    @cached_property
    def _keys(self) -> list[Any]:
        return list(self._rows.prefetch_related(None).values_list("pk", flat=True)[: _MOST + 1])

    @cached_property
    def _found(self) -> int:
        return len(self._keys)

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        keys = self._keys[: self.count][(number - 1) * self.per_page : number * self.per_page]
        return Page(in_order(self._rows, keys), number, self)


class LatestValues(admin.AllValuesFieldListFilter):
    """Offers the values of the latest rows, because finding all values would read every row."""

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        latest = model_admin.get_queryset(request).order_by("-pk").values_list(field.name, flat=True)[:_LATEST]
        self.lookup_choices: Any = sorted(set(latest))
