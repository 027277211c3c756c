"""The link to a player's own place, on the page of a match."""

from __future__ import annotations

from django.urls import reverse

from matches.pages.additions import Link
from matches.queries.access import Viewer


def links(viewer: Viewer) -> tuple[Link, ...]:
    """For players of a match that is not over."""
    if viewer.player is None or viewer.match.is_over:
        return ()
    return (Link("Your place: being away, more time", reverse("matches:place", args=[viewer.match.public_id])),)
