"""Noting until when a person has read the hosts' notes of a match."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from matches.models import Match, NotesRead


def note_read(match: Match, user: Any, until: datetime) -> None:
    """This person has read what was said until then. It never goes back, whatever page sends it."""
    read, is_new = NotesRead.objects.get_or_create(match=match, user=user, defaults={"until": until})
    if not is_new and read.until < until:
        NotesRead.objects.filter(pk=read.pk, until__lt=until).update(until=until)
