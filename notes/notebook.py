"""A person's notebook of a match: what stands in it, and writing into it."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction

from matches.infra.text import NUL
from matches.models import Match, clock
from matches.queries.access import Viewer
from matches.services.errors import Refused, TooLarge
from matches.services.storage.retry import retrying
from notes.models import Notebook

# -- notebook --------------------------------------------------------------------------------------------
# A person's own notes about a match.


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


# -- notebook --------------------------------------------------------------------------------------------
# A person's notes about a match.

LONGEST = 20_000


class ChangedElsewhere(Refused):
    """The notes have changed since the page was loaded."""

    code = "changed_elsewhere"
    status = 409


@retrying
def write(viewer: Viewer, text: str, seen: str) -> Notebook:
    """Keep a person's notes about a match. `seen`: `version_of` the notes that the page shows. Raises `TooLarge`, and
    `ChangedElsewhere` if another page has changed them meanwhile."""
    if len(text) > LONGEST:
        raise TooLarge(f"Notes have up to {LONGEST} characters; these have {len(text)}.", field="text")
    text = text.replace(NUL, "").replace("\r\n", "\n")
    with transaction.atomic():
        book = _locked(viewer.match, viewer.user)
        if seen != version_of(book) and text != book.text:
            raise ChangedElsewhere(
                "You have changed these notes elsewhere. Copy what you typed, and reload the page.",
                field="text",
            )
        book.text, book.changed_at = text, clock.now()
        book.save()
    return book


def version_of(book: Notebook | None) -> str:
    """Changes with every change of the text; empty before the first one."""
    return sha256(book.text.encode()).hexdigest()[:16] if book and book.text else ""


def _locked(match: Match, user: Any) -> Notebook:
    """The notebook for a change within the caller's transaction."""
    found = Notebook.objects.select_for_update().filter(match_id=match.pk, user_id=user.pk).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return Notebook.objects.create(match_id=match.pk, user_id=user.pk, changed_at=clock.now())
    except IntegrityError:  # another page of the same person was faster
        return Notebook.objects.select_for_update().get(match_id=match.pk, user_id=user.pk)
