"""What happens to a match's clock without a host: a pause ends at its time.

This is part of bringing a match up to now (`Writer.pass_due`), under its lock, and happens at its own instant, however
late a worker is. The functions take the `Writer`, which calls them.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.engine.step import EVERYONE
from matches.infra.moments import moment_in_words
from matches.models import Match


def is_due(match: Match, now: datetime) -> bool:
    """Whether the match is paused and goes on by now."""
    return match.status == Match.Status.PAUSED and match.resumes_at is not None and match.resumes_at <= now


def resume_due(writer: Any) -> bool:
    """Let a paused match go on if its time has come; whether that was so. It goes on from that time, not from now."""
    match, at = writer.match, writer.match.resumes_at
    if not is_due(match, writer.now):
        return False
    row = writer.row({"command": "resume", "at": at.isoformat()})
    match.resume_clock(at)
    match.status = Match.Status.OPEN
    writer.record(row)
    writer.announce(row, EVERYONE, "match_resumed", by_itself=moment_in_words(at), **told_of_deadline(writer))
    writer.touch_all()
    return True


def told_of_deadline(writer: Any) -> dict[str, str]:
    """The next deadline for an announcement: the instant, and in words; nothing where there is none."""
    at = writer.next_deadline_at()
    return {} if at is None else {"next_at": at.isoformat(), "next": in_words(writer.match, at)}


def in_words(match: Match, at: datetime) -> str:
    """An instant for everybody: in UTC and, if the match has a usual hour, in its zone."""
    said, hour = moment_in_words(at), match.hour
    if hour is None or (here := at.astimezone(hour.zone)).utcoffset() == timedelta():
        return said
    return f"{said} ({here:%a %H:%M} in {hour.zone.key})"
