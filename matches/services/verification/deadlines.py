"""Deadlines that passed before their time, and extensions for outages that nobody noted, as far as the log shows it.

All that is received is dated by one clock, under the match's lock. So a deadline passed too early if something in the
log came after it and before its time: then who closed it went by another clock.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from datetime import datetime

from matches.models import Match, Outage, Submission
from matches.services import outages
from matches.services.verification import clock_replay


def compare(match: Match) -> list[str]:
    """What is wrong, a sentence each."""
    return [*_passed_early(match), *_without_an_outage(match)]


def _passed_early(match: Match) -> list[str]:
    if clock_replay.last(match) is None:
        return []
    clocks = clock_replay.clocks(match)
    numbers = [number for number, _ in clocks]
    latest: tuple[datetime, int] | None = None
    for row in _rows(match):
        if row.kind == Submission.Kind.DEADLINE:
            then = clocks[max(bisect_right(numbers, row.number) - 1, 0)][1].clock
            due = then.instant(row.match_time)
            if due is not None and (latest is None or due > latest[0]):
                latest = due, row.number
        if latest is not None and row.received_at < latest[0]:
            return [f"Row {latest[1]} passes a deadline before its time: row {row.number} was received before that."]
    return []


def _rows(match: Match) -> list[Submission]:
    """Those that were dated when they were received. Growth is dated at its own instant."""
    rows = match.log.exclude(kind=Submission.Kind.COMMAND, payload__startswith='{"command":"grow_blood_garnets"')
    return list(rows.order_by("number").only("match", "number", "kind", "received_at", "match_time"))


def _without_an_outage(match: Match) -> list[str]:
    found = []
    for row in match.log.filter(kind=Submission.Kind.COMMAND, actor="clock", payload__contains='"command":"outage'):
        said = json.loads(row.payload)
        span = {name: datetime.fromisoformat(said[name]) for name in ("since", "until")}
        if said["command"] in (outages.EXTEND, outages.START) and not Outage.objects.filter(**span).exists():
            found.append(f"Row {row.number} moves deadlines for an outage that was not noted.")
    return found
