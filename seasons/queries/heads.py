"""Fingerprints of seasons that everybody is told: the hash of the row of the log by which everybody was told something
stands for all rows up to it. At the end it is that of a row that sums up the season.

What only some are told changes no fingerprint, so it tells nobody that there was something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from matches.engine.step import EVERYONE
from seasons.models import Season, SeasonNews, SeasonRow
from seasons.services.summing import SUMS

_SALTED = ~Q(salt="")


class Fingerprint(NamedTuple):
    """A hash, and as of when."""

    hash: str
    at: datetime


def latest(season: Season) -> Fingerprint | None:
    """That of a season now; None where there is none yet."""
    rows = season.log.filter(_SALTED, Q(news__audience=EVERYONE) | SUMS).order_by("-number")
    for digest, time, stored_at in rows.values_list("hash", "season_time", "received_at")[:1]:
        return Fingerprint(digest, season.instant(time) or stored_at)
    return None


def heads_of(news: Iterable[int]) -> dict[int, str]:
    """Of these pieces of news, by id, those that everybody was told: the hash of the log as of each."""
    after = SeasonRow.objects.filter(_SALTED, SUMS, season=OuterRef("season"), number=OuterRef("row__number") + 1)
    told = SeasonNews.objects.filter(pk__in=list(news), audience=EVERYONE).exclude(row__salt="")
    return dict(told.annotate(head=Coalesce(Subquery(after.values("hash")), "row__hash")).values_list("pk", "head"))


def heads_of_sources(sources: Collection[str]) -> dict[str, str]:
    """The same by the sources of notices (`seasons.telling`)."""
    news = {int(number): source for source in sources if (number := source.rpartition(":")[2]).isdecimal()}
    return {news[pk]: head for pk, head in heads_of(news).items()}
