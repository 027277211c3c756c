"""Leafing through lists whose pages begin after a row that the reader has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest

from matches.queries.paging import Page, UnknownPlace

T = TypeVar("T")


def leaf(request: HttpRequest, read: Callable[[str], Page[T]]) -> tuple[Page[T], dict[str, Any]]:
    """The page that begins after what the address names in `after`, and the context of includes/older.html and
    includes/lost_place.html. If the list has no such row, it is the first page, which says so."""
    after = request.GET.get("after", "")
    try:
        page, is_lost = read(after), False
    except UnknownPlace:
        page, is_lost = read(""), True
    return page, {"older": page.last, "is_first": not after or is_lost, "is_lost": is_lost}
