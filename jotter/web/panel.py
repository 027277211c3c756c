"""A person's notebook on the match page."""

from __future__ import annotations

from typing import Any

from jotter.queries.notebook import notebook_of
from jotter.services.notebook import LONGEST, version_of
from matches.pages.additions import Addition, Panel
from matches.queries.access import Viewer


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The panel, for everybody with an account."""
    if not viewer.user.is_authenticated:
        return ()
    return (Panel("notebook", "Your notes", template="jotter/panel.html", own=panel_context(viewer)),)


def panel_context(viewer: Viewer) -> dict[str, Any]:
    """A person's notes. `kept_as`: under which name a player's browser keeps what they have typed and not sent."""
    book = notebook_of(viewer)
    return {
        "text": book.text if book else "",
        "seen": version_of(book),
        "longest": LONGEST,
        "kept_as": f"{viewer.match.public_id}:{viewer.player.handle}:{viewer.user.pk}" if viewer.player else "",
    }
