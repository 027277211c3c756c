"""One command for all matches that a person hosts: an outage, a holiday. Each match has its own transaction, so one
that cannot be paused keeps none of the others from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db.models import QuerySet

from matches.models import Match
from matches.services.errors import Refused
from matches.services.hosting.clock import pause, resume, resume_at

logger = structlog.get_logger(__name__)

MOST = 200
"""Matches at a time: more would keep the host waiting for too long."""


class Done(NamedTuple):
    """What became of one match. `refused`: why nothing was done, empty if it was."""

    match: Match
    refused: str = ""


def going_on(host: Any) -> QuerySet[Match]:
    """The published matches of a host that are not over, the running ones first."""
    statuses = (*Match.RUNNING, Match.Status.SCHEDULED)
    return Match.objects.filter(hosts=host, status__in=statuses).order_by("status", "title", "pk")


def pause_all(host: Any, reason: str, *, until: datetime | None = None, key: str = "") -> list[Done]:
    """Pause every match of a host that runs. The answer has the others too, each with the reason why it was not."""
    return _each(going_on(host)[:MOST], lambda match: pause(match, host, reason, until=until, key=key, together=True))


def resume_all(
    host: Any, match_ids: Iterable[int], *, at: datetime | None = None, to_hour: bool = False, key: str = ""
) -> list[Done]:
    """Let these matches of a host go on: now, with the next deadline at the usual hour of those that have one
    (`to_hour`), or by themselves at an instant."""

    def go_on(match: Match) -> None:
        if at is not None:
            resume_at(match, host, at, key=key)
        else:
            resume(match, host, to_hour=to_hour and match.hour is not None, key=key)

    return _each(Match.objects.filter(hosts=host, pk__in=list(match_ids)[:MOST]).order_by("title", "pk"), go_on)


def paused_together(match: Match) -> bool:
    """Whether a paused match was paused by `pause_all`."""
    row = match.log.filter(kind="command", payload__contains='"command":"pause"').order_by("-number").first()
    return row is not None and bool(json.loads(row.payload).get("together"))


def _each(matches: Iterable[Match], command: Callable[[Match], None]) -> list[Done]:
    found = []
    for match in matches:
        try:
            command(match)
        except Refused as refusal:
            found.append(Done(match, refusal.message))
        except Exception:  # the others must not depend on it
            logger.exception("not_done_together", match=match.pk)
            found.append(Done(match, "Something went wrong with this one; the site's log says what."))
        else:
            found.append(Done(match))
    return found
