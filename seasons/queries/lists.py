"""Lists of seasons, a page at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from matches.queries.paging import Page, UnknownPlace, page_of
from seasons.models import Member, Season

A_PAGE = 24


class Winner(NamedTuple):
    """Somebody in the first place. `username`: empty for bots and open places."""

    name: str
    username: str


class SeasonLine(NamedTuple):
    """A season in a list: how many are in, of how many, and who has won."""

    season: Season
    members: int
    still_in: int
    winners: tuple[Winner, ...]


def seasons_page(after: str, most: int = A_PAGE) -> Page[SeasonLine]:
    """Public seasons, the newest first, beginning after the one of this id. Raises `UnknownPlace`."""
    found = Season.objects.exclude(status=Season.Status.DRAFT).order_by("-created_at", "-pk")
    if after:
        last = Season.objects.filter(public_id=after).first()
        if last is None:
            raise UnknownPlace
        same = Q(created_at=last.created_at, pk__lt=last.pk)
        found = found.filter(Q(created_at__lt=last.created_at) | same)
    return page_of(_lines(found, most + 1), most, lambda line: line.season.public_id)


def _lines(found: QuerySet[Season], most: int) -> list[SeasonLine]:
    counted = found.annotate(members=Count("cast"), still_in=Count("cast", filter=Q(cast__status=Member.Status.IN)))
    rows: list[Any] = list(counted[:most])
    winners: dict[int, list[Winner]] = {}
    for member in Member.objects.filter(season__in=rows, place=1).select_related("user"):
        found_as = Winner(member.shown_name, member.user.username if member.user else "")
        winners.setdefault(member.season_id, []).append(found_as)
    return [SeasonLine(row, row.members, row.still_in, tuple(winners.get(row.pk, ()))) for row in rows]
