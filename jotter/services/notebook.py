"""A person's notes about a match, and their marks on players and lots."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction

from jotter.models import Notebook
from matches.infra.nul import NUL
from matches.models import Match, clock
from matches.queries.access import Viewer
from matches.services.errors import Refused, TooLarge
from matches.services.storage.retry import retrying

LONGEST = 20_000
MOST_MARKS = 100
LONGEST_TARGET = 80
MARKS = ("star", "circle", "triangle", "square")
"""Each with a shape and a colour of its own. What they mean is up to who sets them."""


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
                "You have changed these notes elsewhere. Copy what you have typed, and load the page again.",
                field="text",
            )
        book.text, book.changed_at = text, clock.now()
        book.save()
    return book


@retrying
def mark(viewer: Viewer, target: str, kind: str) -> Notebook:
    """Mark a player (by name or handle) or a lot with one of `MARKS`, for this person alone; with an empty `kind` take
    the mark away. Raises `Refused`."""
    target = " ".join(target.split())
    if kind:
        target = _meant(viewer.match, target)
    if not target or len(target) > LONGEST_TARGET or NUL in target:
        raise Refused("Say which player or lot, as the board writes it.", code="no_target", field="target")
    if kind and kind not in MARKS:
        raise Refused(f"Choose one of these marks: {', '.join(MARKS)}.", code="no_mark", field="mark")
    with transaction.atomic():
        book = _locked(viewer.match, viewer.user)
        book.marks.pop(target, None)
        if kind:
            book.marks[target] = kind
        if len(book.marks) > MOST_MARKS:
            raise Refused(
                f"There is room for {MOST_MARKS} marks. Take one away first.", code="too_many", field="target"
            )
        book.save()
    return book


def _meant(match: Match, target: str) -> str:
    """The handle of the one player who is called so; else it is a handle already, or a lot."""
    players = match.players.all()
    called = [player.handle for player in players if player.shown_name.casefold() == target.casefold()]
    return called[0] if len(called) == 1 and target not in {player.handle for player in players} else target


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
