"""The way for a match's hosts to its webhooks."""

from __future__ import annotations

from django.urls import reverse

from matches.models import Match
from matches.pages.additions import Addition, Link
from matches.queries.access import Viewer


def page_of(match: Match) -> str:
    """Where a match's hosts look after its webhooks."""
    return reverse("match_webhooks:list", args=[match.public_id])


def links_of(viewer: Viewer) -> tuple[Addition, ...]:
    """A link on the match page, for its hosts alone."""
    if not viewer.is_host:
        return ()
    return (Link("Webhooks of this match", page_of(viewer.match)),)
