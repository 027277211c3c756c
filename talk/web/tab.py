"""The tab of talk on a match's pages."""

from __future__ import annotations

from django.urls import reverse

from matches.pages.additions import Addition, Tab
from matches.queries.access import Viewer
from talk.queries import rights
from talk.queries.unread import takes_part, unread_in


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The tab, with how much this viewer has not read; nothing for those who could not read anything there."""
    if may_come_in(viewer):
        href = reverse("talk:talk", args=[viewer.match.public_id])
        asks = reverse("talk:unread", args=[viewer.match.public_id]) if takes_part(viewer) else ""
        return (Tab("talk", "Talk", href, unread_in(viewer), asks),)
    return ()


def may_come_in(viewer: Viewer) -> bool:
    """Whether this viewer has anything to read or to choose there."""
    return viewer.player is not None or viewer.sees or rights.chosen_for(viewer.match).public
