"""The way for a match's hosts to its webhooks."""

from __future__ import annotations

from django.urls import reverse

from matches.pages.additions import Addition, Link
from matches.queries.access import Viewer


def links_of(viewer: Viewer) -> tuple[Addition, ...]:
    """A link on the match page, for its hosts alone."""
    if not viewer.is_host:
        return ()
    return (Link("Webhooks of this match", reverse("match_webhooks:list", args=[viewer.match.public_id])),)
