"""What a match's page shows of notices: a link to mute it."""

from __future__ import annotations

from django.urls import reverse

from matches.pages.additions import Link
from matches.queries.access import Viewer


def links(viewer: Viewer) -> tuple[Link, ...]:
    """For those who hear of the match: its players and hosts."""
    if not viewer.user.is_authenticated or not (viewer.player is not None or viewer.is_host):
        return ()
    return (Link("Mute its notices", reverse("notices:mute", args=[viewer.match.public_id])),)
