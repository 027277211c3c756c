"""Fingerprints of seasons that everybody is told: the hash of the row of the log by which everybody was told something
stands for all rows up to it.

What only some are told changes no fingerprint, so it tells nobody that there was something. When a season has ended its
log is open to everybody, and so its fingerprint is the hash of the last row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from matches.engine.step import EVERYONE
from seasons.models import Season, SeasonNews


class Fingerprint(NamedTuple):
    """A hash, and as of when."""

    hash: str
    at: datetime


def latest(season: Season) -> Fingerprint | None:
    """That of a season now; None where there is none yet."""
    rows = season.log.order_by("-number")
    if season.status != Season.Status.ENDED:
        rows = rows.filter(news__audience=EVERYONE)
    for digest, time, stored_at in rows.values_list("hash", "season_time", "received_at")[:1]:
        return Fingerprint(digest, season.instant(time) or stored_at)
    return None


def heads_of(news: Iterable[int]) -> dict[int, str]:
    """Of these pieces of news, by id, those that everybody was told: the hash of the log as of each."""
    told = SeasonNews.objects.filter(pk__in=list(news), audience=EVERYONE)
    return dict(told.values_list("pk", "row__hash"))


def heads_of_sources(sources: Collection[str]) -> dict[str, str]:
    """The same by the sources of notices (`seasons.telling`)."""
    news = {int(number): source for source in sources if (number := source.rpartition(":")[2]).isdecimal()}
    return {news[pk]: head for pk, head in heads_of(news).items()}
