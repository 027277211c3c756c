"""Plays a match's clock again from its log: every pause and extension stands there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from matches.models import Match, Submission
from matches.models.clock import MatchClock
from matches.services import special_rows

_MICROSECOND = timedelta(microseconds=1)
_MOVES = {
    "open",
    "pause",
    "resume",
    "resume_at",
    "extend",
    "close_deadline",
    "outage",
    "cancel",
}
BY_HAND = "scenario"
"""The command of a row after which a program moves the clock, and no instants follow from the log."""

_TAKEN_BACK = {"pause", "extend"}


@dataclass(frozen=True, slots=True)
class ClockThen:
    """A match's clock as the log has it: when it was paused, if it was, and when it goes on by itself."""

    clock: MatchClock
    paused_at: datetime | None = None
    resumes_at: datetime | None = None


def compare(match: Match) -> list[str]:
    """The differences between the stored clock and what the log gives, a sentence each."""
    found = last(match)
    if found is None:
        return []
    stored = ClockThen(match.clock, match.paused_at, match.resumes_at)
    return [] if found == stored else ["The match's clock is not what the log gives."]


def last(match: Match) -> ClockThen | None:
    """The clock at the end of the log; None before the opening, and where a program moves it by hand."""
    found = _all(match)
    return found[-1][1] if found and not _is_by_hand(match) else None


def _is_by_hand(match: Match) -> bool:
    """Scenarios set the clock of their match to each step."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, actor="site")
    return rows.filter(payload__startswith=f'{{"command":"{BY_HAND}"').exists()


def _all(match: Match) -> list[tuple[int, ClockThen]]:
    found: ClockThen | None = None
    kept = []
    for row, payload, following in _rows(match):
        found = _after(found, match, row, payload, following)
        kept.append((row.number, found))
    return kept


def clocks(match: Match) -> list[tuple[int, ClockThen]]:
    """Number of a row -> the clock from then on, in order. The first one is there from the opening on."""
    kept = _all(match)
    if len(kept) < 2:  # nothing has moved it since, so it is still as stored; scenarios set it
        return [(0, ClockThen(match.clock))]
    return kept


def _rows(match: Match) -> Iterator[tuple[Submission, Any, Submission | None]]:
    """The rows that move the clock, each with what it says and the row after it."""
    for row, following in pairwise([*match.log.exclude(kind=Submission.Kind.ACTION).order_by("number"), None]):
        if row is not None and row.kind == Submission.Kind.COMMAND and row.accepted:
            payload = json.loads(row.payload)
            if payload.get("command") in _MOVES or special_rows.command_of(payload) in _TAKEN_BACK:
                yield row, payload, following


def _after(
    found: ClockThen | None, match: Match, row: Submission, payload: Any, following: Submission | None
) -> ClockThen:
    """The clock after a row."""
    time, now = row.match_time, row.received_at
    if found is None or payload["command"] == "open":
        return ClockThen(MatchClock(match.opened_at, timedelta(), match.speed))
    clock = found.clock
    match payload["command"]:
        case "pause":
            return ClockThen(clock.stopped(now).showing(time), now, _instant(payload.get("until")))
        case "resume_at":
            return ClockThen(clock, found.paused_at, _instant(payload["at"]))
        case "resume":
            return ClockThen(clock.started(_instant(payload.get("at")) or now))
        case "extend":
            return ClockThen(clock.held(now, timedelta(seconds=payload["by"])).showing(time))
        case "close_deadline" if following is not None and following.kind == Submission.Kind.DEADLINE:
            return ClockThen(clock.jumped(now, json.loads(following.payload)["deadline"] * _MICROSECOND))
        case special_rows.UNDO if payload["what"] == "extend":
            return replace(found, clock=clock.released(timedelta(seconds=payload["by"])))
        case special_rows.UNDO if found.paused_at is not None:
            return ClockThen(clock.started(found.paused_at))
        case "outage":
            by, held = timedelta(seconds=payload["by"]), datetime.fromisoformat(payload["from"])
            return ClockThen(clock.held(held, by).showing(time))
        case "cancel":
            return ClockThen(MatchClock(None, time, match.speed))
    return found


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
