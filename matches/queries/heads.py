"""Heads of logs that everybody is told: the hash of the row with which something closed stands for all rows up to it.
At the end of a match, and when it is cancelled, it is that of the row after it, which sums up the match.

They are told at closes and ends alone, which everybody sees anyway (`services.writer.closes`, `Writer.show_end`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, Submission
from matches.services.summing import SUMS

_ENDED = ("match_finished", "match_cancelled")
_CLOSING = Q(announcements__audience=EVERYONE) & (Q(kind=Submission.Kind.DEADLINE) | Q(announcements__kind__in=_ENDED))


def heads_of(rows: Iterable[int]) -> dict[int, str]:
    """Of these rows of logs, by id, those with which something closed for everybody: their hashes."""
    ids = list(rows)
    found = Submission.objects.filter(_CLOSING, pk__in=ids).annotate(head=Coalesce(_sum_after(""), "hash"))
    return dict(found.values_list("pk", "head")) if ids else {}


def _sum_after(way: str) -> Subquery:
    """The hash of the next row if it sums up the match; `way` is the way to the row, such as `submission__`."""
    after = Submission.objects.filter(SUMS, match=OuterRef(f"{way}match"), number=OuterRef(f"{way}number") + 1)
    return Subquery(after.values("hash"))


def closes_of(match: Match) -> list[tuple[int, str]]:
    """Number and hash of each row of the match's log with which something closed for everybody, or that sums up the
    match, in their order."""
    return list(match.log.filter(_CLOSING | SUMS).order_by("number").values_list("number", "hash").distinct())


def heads_told(tokens: Iterable[str]) -> Mapping[str, str]:
    """Of these announcements to everybody, by token, those that told of a close: the head of the log at it."""
    told = Announcement.objects.filter(token__in=list(tokens), audience=EVERYONE)
    closing = told.filter(Q(submission__kind=Submission.Kind.DEADLINE) | Q(kind__in=_ENDED))
    head = Coalesce(_sum_after("submission__"), "submission__hash")
    return dict(closing.annotate(head=head).values_list("token", "head"))


def in_words(head: str) -> str:
    """What is said wherever a head is told."""
    return f"Fingerprint of everything so far: {head}"
