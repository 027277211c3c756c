"""People who may know a match's secrets: its present and former hosts, and everybody who has opened its console.

They can never play in it. The record stays when somebody stops hosting, because they still know the secrets.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from matches.models import Insider, Match


def is_insider(match: Match, user: Any) -> bool:
    """Whether a person may know more of this match than its players."""
    return user.pk is not None and match.insiders.filter(user_id=user.pk).exists()


def why_not_play(match: Match, user: Any) -> str:
    """Why a person may not have a place in this match, in a sentence that names them; empty if they may."""
    if match.hosts.filter(pk=user.pk).exists():
        return f"{user} hosts this match, and a host never plays in it."
    if is_insider(match, user):
        return f"{user} has hosted this match or seen its settings, and can never play in it."
    return ""


def note_insiders(match: Match, people: Iterable[Any], now: datetime) -> None:
    """Note for good that these people may know more; for a locked match."""
    found = [Insider(match=match, user_id=person.pk, since=now) for person in people]
    Insider.objects.bulk_create(found, ignore_conflicts=True)
