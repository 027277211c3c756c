"""Heads of logs that everybody is told: the hash of the row with which something closed stands for all rows up to it.
Where play ends it is that of the row after it, which everybody may read (`special_rows.ENDED`).

They are told at closes and ends alone, which everybody sees anyway (`services.writer.closes`). When a match is over its
log is open, and so each further row that everybody may read gives a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, Submission
from matches.services.special_rows import ENDS

_ENDED = ("match_finished", "match_cancelled")
_CLOSING = Q(announcements__audience=EVERYONE) & (Q(kind=Submission.Kind.DEADLINE) | Q(announcements__kind__in=_ENDED))


def heads_of(rows: Iterable[int]) -> dict[int, str]:
    """Of these rows of logs, by id, those with which something closed for everybody: their hashes."""
    ids = list(rows)
    found = Submission.objects.filter(_CLOSING, pk__in=ids).annotate(head=Coalesce(_end_after(""), "hash"))
    return dict(found.values_list("pk", "head")) if ids else {}


def _end_after(way: str) -> Subquery:
    """The hash of the next row if it ends the match; `way` is the way to the row, such as `submission__`."""
    after = Submission.objects.filter(ENDS, match=OuterRef(f"{way}match"), number=OuterRef(f"{way}number") + 1)
    return Subquery(after.values("hash"))


def closes_of(match: Match) -> list[tuple[int, str]]:
    """Number and hash of each row of the match's log by which everybody was told a head, in their order."""
    found = match.log.filter(_CLOSING | ENDS).annotate(ends=_end_after("")).filter(ends=None)
    return list(found.order_by("number").values_list("number", "hash").distinct())


def heads_told(tokens: Iterable[str]) -> Mapping[str, str]:
    """Of these announcements to everybody, by token, those that told of a close: the head of the log at it."""
    told = Announcement.objects.filter(token__in=list(tokens), audience=EVERYONE)
    closing = told.filter(Q(submission__kind=Submission.Kind.DEADLINE) | Q(kind__in=_ENDED))
    head = Coalesce(_end_after("submission__"), "submission__hash")
    return dict(closing.annotate(head=head).values_list("token", "head"))


def in_words(head: str) -> str:
    """What is said wherever a head is told."""
    return f"Fingerprint of everything so far: {head}"
