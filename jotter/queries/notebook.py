"""A person's own notes about a match."""

from __future__ import annotations

from typing import Any

from jotter.models import Notebook
from matches.queries.access import Viewer


def notebook_of(viewer: Viewer) -> Notebook | None:
    """The notebook of this person for this match; None for visitors, and where nothing was noted."""
    if not viewer.user.is_authenticated:
        return None
    return Notebook.objects.filter(match_id=viewer.match.pk, user_id=viewer.user.pk).first()


def as_json(viewer: Viewer) -> dict[str, Any]:
    """All of it for its owner, as JSON values."""
    book = notebook_of(viewer)
    return {
        "match": {"id": viewer.match.public_id, "title": viewer.match.title},
        "text": book.text if book else "",
        "changed_at": book.changed_at.isoformat() if book else None,
    }
