"""Every address of the site, from the URL conf itself."""

import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

from seasons.models import Season
from tests.access.cast import Cast


def all_routes() -> list[str]:
    """The patterns of all addresses, in the order of the URL conf."""
    return list(dict.fromkeys(_walk(get_resolver().url_patterns, "")))


def _walk(patterns: list[Any], before: str) -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _walk(each.url_patterns, before + str(each.pattern))
        elif isinstance(each, URLPattern):
            yield before + str(each.pattern)


def address(route: str, cast: Cast, status: str) -> str:
    """A route filled with what is there: the match in this status, and rows of its books."""
    match = cast.matches[status]
    known = {
        "public_id": cast.seasons[status].public_id if "seasons/" in route else match.public_id,
        "handle": "player",
        "code": "no-such-code",
        "username": "player",
        "secret": "no-such-secret",
        "signed": "no-such-link",
        "slug": match.game,
        "name": "extend",
        "pk": str(cast.token.pk),
        "object_id": _row_of(route, cast, status),
        "id": str(cast.people["stranger"].pk),
        "uidb36": "1",
        "key": "no-such-key",
        "content_type_id": "1",
        "app_label": "matches",
        "url": "no/such/page",
        "channel": "lounge" if "seasons/" in route else "public",
        "token": "no-such-token",
        "act": "remove",
        "what": "bids",
    }
    filled = re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", lambda found: known[found[1] or found[2]], route)
    return "/" + re.sub(r"\\(.)", r"\1", filled).replace("^", "").removesuffix("$").replace("\\Z", "")


def _row_of(route: str, cast: Cast, status: str) -> str:
    found = re.match(r"admin/(\w+)/(\w+)/.*object_id", route)
    if found is None:
        return ""
    model = apps.get_model(found[1], found[2])
    if model is Season:
        return str(cast.seasons[status].pk)
    if model is type(cast.other):
        return str(cast.matches[status].pk)
    names = {field.name for field in model._meta.get_fields()}
    rows = model._default_manager.order_by("pk")
    if found[1] == "matches":
        rows = rows.filter(**{"match" if "match" in names else "player__match": cast.matches[status]})
    first = rows.first()
    return str(first.pk) if first else "1"
