"""The list of seasons."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from matches.api.described import About, described
from matches.api.query import Parameter, whole
from matches.api.replies import ApiError, Reply, reply
from matches.api.requests import endpoint
from matches.queries.paging import UnknownPlace
from seasons.api import shapes
from seasons.api.views import head
from seasons.queries import lists


def _id(text: str) -> str:
    if not re.fullmatch(r"[\w-]{1,40}", text, re.ASCII):
        raise ValueError(text)
    return text


@described(GET=About("The seasons, newest first", shapes.SeasonList, codes=shapes.UNKNOWN_PLACE))
@endpoint("GET", after=Parameter("", "the id of a season", _id), limit=whole(50, 1, 200))
def seasons(request: HttpRequest, after: str, limit: int) -> Reply:
    """Public seasons, the newest first."""
    try:
        page = lists.seasons_page(after, limit)
    except UnknownPlace:
        raise ApiError(400, "unknown_place", "There is no such season to begin after.") from None
    query = urlencode({"limit": limit, "after": page.last})
    found = [_line(line) for line in page.items]
    return reply({"seasons": found, "next": f"{request.path}?{query}" if page.last else None})


def _line(line: lists.SeasonLine) -> dict[str, Any]:
    winners = [each.name for each in line.winners]
    return {**head(line.season), "members": line.members, "still_in": line.still_in, "winners": winners}
