"""What happens to a match's clock without a host: a pause ends at its time, and deadlines keep their time of day when
the civil clocks change.

Both are part of bringing a match up to now (`Writer.pass_due`), under its lock, and happen at their own instants,
however late a worker is. The functions take the `Writer`, which calls them.

The next change of the clocks is planned up to `AHEAD` before it comes. From then on every page, reminder and calendar
has the right instants of later deadlines. So no deadline ever comes earlier than was shown, and where a plan itself
would bring one forward, it is made at least `NOTICE` before, or not at all.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.engine.match_time import seconds
from matches.engine.step import EVERYONE
from matches.infra.moments import moment_in_words
from matches.models import Match
from matches.models.usual_hour import Shift, next_change

AHEAD = timedelta(days=60)
NOTICE = timedelta(days=1)
ROOM = timedelta(hours=1)
"""In spring an hour is skipped. A deadline that comes within that hour, or this long after it, passes first: nobody
loses an hour of a short timer."""


def is_due(match: Match, now: datetime) -> bool:
    """Whether one of these things is to be done by now."""
    return _ends_pause(match, now) or (match.shift_at is not None and match.shift_at <= now)


# -- the end of a pause --------------------------------------------------------------------------------


def _ends_pause(match: Match, now: datetime) -> bool:
    return match.status == Match.Status.PAUSED and match.resumes_at is not None and match.resumes_at <= now


def resume_due(writer: Any) -> bool:
    """Let a paused match go on if its time has come; whether that was so. It goes on from that time, not from now."""
    match, at = writer.match, writer.match.resumes_at
    if not _ends_pause(match, writer.now):
        return False
    row = writer.row({"command": "resume", "at": at.isoformat()})
    match.resume_clock(at)
    match.status = Match.Status.OPEN
    writer.record(row)
    plan(writer, at)
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


# -- changes of the civil clocks -----------------------------------------------------------------------


def plan(writer: Any, since: datetime, *, told: bool = False) -> None:
    """Let an open match with a usual hour follow the next change of its zone's clocks after `since`, if that is near.

    `told`: players know the deadlines already, so that none may come earlier at short notice.
    """
    match = writer.match
    if not match.usual_hour or match.shift_at is not None or match.speed != 1 or not writer.is_open:
        return
    if (hour := match.hour) is None:
        return
    shift = next_change(hour.zone, since, AHEAD)
    if shift is not None and not (told and shift.by < timedelta() and shift.at - writer.now < NOTICE):
        follow(writer, shift, writer.row(follow_facts(shift, hour.zone.key)))


def follow_facts(shift: Shift, zone: str) -> dict[str, Any]:
    """What the log keeps of a plan."""
    return {"command": "follow_clocks", "at": shift.at.isoformat(), "by": seconds(shift.by), "zone": zone}


def follow(writer: Any, shift: Shift, row: Any, *, reason: str = "") -> None:
    """Plan a change, and tell everybody."""
    zone = writer.match.usual_zone
    writer.match.follow_shift(shift)
    writer.record(row)
    data = {"at": shift.at.isoformat(), "starts": moment_in_words(shift.at), "by": seconds(shift.by), "zone": zone}
    writer.announce(row, EVERYONE, "clocks_will_change", **data, **told_of_deadline(writer), reason=reason)
    writer.touch_all()


def pass_shift(writer: Any, due: timedelta | None) -> bool:
    """Pass the change of the clocks if it is the next thing that happens, before the deadline `due` (match time);
    whether anything was done."""
    match = writer.match
    shift = match.shift
    if shift is None or shift.at > writer.now:
        return False
    match.follow_shift(None)  # where the deadline would be without it
    at = None if due is None else match.clock.instant(due)
    match.follow_shift(shift)
    if at is not None and at <= shift.at:
        return False
    if at is not None and shift.by < timedelta() and at < shift.at - shift.by + ROOM:
        later = Shift(at, shift.by)
        match.follow_shift(later)
        writer.record(writer.row(follow_facts(later, match.usual_zone), time=match.clock.time(shift.at)))
    else:
        time = match.clock.time(shift.at)
        match.pass_shift()
        payload = {"command": "clocks_changed", "at": shift.at.isoformat(), "by": seconds(shift.by)}
        row = writer.record(writer.row(payload, time=time))
        zone = match.usual_zone
        writer.announce(row, EVERYONE, "clocks_changed", by=seconds(shift.by), zone=zone, **told_of_deadline(writer))
        plan(writer, shift.at)
    writer.touch_all()
    return True
