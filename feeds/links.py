"""What this app adds to a match's pages: the links to its feed and to its calendar."""

from __future__ import annotations

from django.urls import reverse

from matches.pages.additions import Addition, Link
from matches.queries.access import Viewer

ATOM = "application/atom+xml"


def links_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The feed of a match that everybody may see, and for people with an account the way to their calendar."""
    match, links = viewer.match, []
    if match.is_public:
        links.append(Link("Feed", reverse("feeds:match", args=[match.public_id]), ATOM))
    if viewer.user.is_authenticated:
        links.append(Link("Calendar", reverse("feeds:calendars")))
    return tuple(links)
