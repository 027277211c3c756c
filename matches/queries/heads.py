"""Heads of logs that everybody is told: the hash of the row with which something closed stands for all rows up to it.

They are told at closes alone, which everybody sees anyway (`services.writer.closes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, Submission

_ENDED = "match_finished"
_CLOSING = Q(announcements__audience=EVERYONE) & (Q(kind=Submission.Kind.DEADLINE) | Q(announcements__kind=_ENDED))


def heads_of(rows: Iterable[int]) -> dict[int, str]:
    """Of these rows of logs, by id, those with which something closed for everybody: their hashes."""
    ids = list(rows)
    return dict(Submission.objects.filter(_CLOSING, pk__in=ids).values_list("pk", "hash")) if ids else {}


def closes_of(match: Match) -> list[tuple[int, str]]:
    """Number and hash of each row of the match's log with which something closed for everybody, in their order."""
    return list(match.log.filter(_CLOSING).order_by("number").values_list("number", "hash").distinct())


def heads_told(tokens: Iterable[str]) -> Mapping[str, str]:
    """Of these announcements to everybody, by token, those that told of a close: the head of the log at it."""
    told = Announcement.objects.filter(token__in=list(tokens), audience=EVERYONE)
    closing = told.filter(Q(submission__kind=Submission.Kind.DEADLINE) | Q(kind=_ENDED))
    return dict(closing.values_list("token", "submission__hash"))


def in_words(head: str) -> str:
    """What is said wherever a head is told."""
    return f"Fingerprint of everything so far: {head}"
