"""What moves a match's clock without a host: the end of a pause, and outages, which cost nobody a deadline; and when
regular tasks last ran, by which outages are found."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, transaction

from matches.engine.match_time import seconds
from matches.engine.step import EVERYONE
from matches.infra.text import moment_in_words
from matches.models import Heartbeat, Match, Outage, Submission, clock

SWEEP = "sweep"


def beat(name: str) -> None:
    """Note that a regular task ran to its end."""
    if not Heartbeat.objects.filter(name=name).update(at=clock.now()):
        Heartbeat.objects.update_or_create(name=name, defaults={"at": clock.now()})


def last_beat(name: str, *, using: str = DEFAULT_DB_ALIAS) -> datetime | None:
    """When a regular task last ran to its end; None if never."""
    return Heartbeat.objects.using(using).filter(name=name).values_list("at", flat=True).first()


# -- by itself -----------------------------------------------------------------------------------------------
# What happens to a match's clock without a host: a pause ends at its time.
#
# This is part of bringing a match up to now (`Writer.pass_due`), under its lock, and happens at its own instant,
# however late a worker is. The functions take the `Writer`, which calls them.


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


# -- outages -------------------------------------------------------------------------------------------------
# Outages: where the site did not sweep for long, a deadline that fell into that time comes later.
#
# Who is first to do anything afterwards (the sweep, a page, an action) finds that the last sweep is
# `settings.OUTAGE_AFTER` ago or more, and notes it, once for all. Whoever then brings a match up to now extends its
# deadlines before they pass. That needs no mark that it was done: after it no deadline lies in the outage any more.
#
# The match's clock stands still from the beginning of the outage (or from what was done in the match last), so every
# deadline comes later by the same: by as long as the outage was. A day's deadline, one that came
# `settings.OUTAGE_LEAST` or more after the one before it, comes at least that long after the end of the outage; so
# does one that would have come soon after it, that is as long as the outage was, or `OUTAGE_LEAST` if that is
# shorter. If it was at the usual hour, it still is. Demos, played by bots, go on as if nothing had been.

logger = structlog.get_logger(__name__)

ANNOUNCED = "outage"
EXTEND, START = "outage", "outage_start"
"""The commands of the log's rows."""


_ignored: ContextVar[bool] = ContextVar("outages_ignored", default=False)


@contextmanager
def ignored() -> Iterator[None]:
    """Within the block no outage is noted or counts: where time is told by a program, no sweep keeps up with it."""
    token = _ignored.set(True)
    try:
        yield
    finally:
        _ignored.reset(token)


def _counts() -> bool:
    return bool(settings.OUTAGE_AFTER) and not _ignored.get()


def note(now: datetime) -> Outage | None:
    """Note the outage that ends now, if there is one that nobody has noted; the latest one that is known."""
    if not _counts():
        return None
    latest = _latest()
    if not _is_new(latest, Heartbeat.objects.filter(name=SWEEP).first(), now):
        return latest
    with transaction.atomic():
        beat = Heartbeat.objects.select_for_update().filter(name=SWEEP).first()  # two may have noticed
        latest = _latest()
        if beat is not None and _is_new(latest, beat, now):
            latest = Outage.objects.create(since=_last_sign(latest, beat), until=now)
            logger.error("outage", since=latest.since.isoformat(), until=latest.until.isoformat())
    return latest


def _latest() -> Outage | None:
    return Outage.objects.order_by("-until").first()


def _last_sign(latest: Outage | None, beat: Heartbeat) -> datetime:
    return beat.at if latest is None else max(beat.at, latest.until)


def _is_new(latest: Outage | None, beat: Heartbeat | None, now: datetime) -> bool:
    """Whether the last sweep is long ago. A site that has never swept was not away."""
    return beat is not None and now - _last_sign(latest, beat) >= settings.OUTAGE_AFTER


def soon_after(outage: Outage) -> datetime:
    """Until when a day's deadline came so soon after an outage that it comes later, too."""
    return outage.until + min(outage.length, settings.OUTAGE_LEAST)


def over(at: datetime, now: datetime) -> Outage | None:
    """The outage that an instant fell into, by now."""
    if not _counts():
        return None
    note(now)
    return next((each for each in _around(at) if at <= each.until), None)


# -- deadlines -----------------------------------------------------------------------------------------------


class _Later(NamedTuple):
    outage: Outage
    at: datetime


def extend(writer: Any, due: timedelta | None, *, ahead: bool = False) -> bool:
    """Let the next deadline (match time) come later if it fell into an outage; whether that was so. `ahead`: also
    where it is still to come, soon after one."""
    match = writer.match
    if due is None or match.is_demo or not _counts():
        return False
    at = match.clock.instant(due)
    if at is None or (at > writer.now and not ahead):  # then nothing is asked: most actions come here
        return False
    later = _later(match, due, at, writer.now)
    if later is None:
        return False
    writer.clock_moves()
    by = match.clock.hold_until(due, later.at)
    held = _held_from(writer, later.outage, at)
    time = max(match.clock.time(held), writer.state.core.time)
    span = {"since": later.outage.since.isoformat(), "until": later.outage.until.isoformat()}
    row = writer.row({"command": EXTEND, "by": seconds(by), "from": held.isoformat(), **span}, time=time)
    match.extend_clock(held, time, by)
    writer.record(row)
    said = {"soon": at > later.outage.until, "by": seconds(by), "takes": seconds(by / match.speed)}
    writer.announce(row, EVERYONE, ANNOUNCED, **_dated(later.outage), **said, **told_of_deadline(writer))
    writer.touch_all()
    return True


def _later(match: Match, due: timedelta, at: datetime, now: datetime) -> _Later | None:
    """The outage for which a deadline comes later, and when it then comes."""
    note(now)
    for outage in _around(at):
        if match.opened_at is not None and match.opened_at >= outage.until:
            continue  # it began after that, even if at the very same instant
        by_days = is_days(match, due)
        if at <= outage.until:
            least = at + outage.length
        elif by_days and at < soon_after(outage):
            least = at
        else:
            continue
        if not by_days:
            return _Later(outage, least)
        least = max(least, outage.until + settings.OUTAGE_LEAST)
        hour = match.hour_at(at)
        return _Later(outage, least if hour is None else hour.first_from(least))
    return None


def _around(at: datetime) -> list[Outage]:
    """The outages that an instant lies in, or soon after which it comes."""
    return list(Outage.objects.filter(since__lt=at, until__gt=at - settings.OUTAGE_LEAST).order_by("since"))


def is_days(match: Match, due: timedelta) -> bool:
    """Whether a deadline is a day's: as long after the one before, or the opening, as it then comes later at least."""
    passed = match.log.filter(kind=Submission.Kind.DEADLINE, player=None).order_by("-number")
    before = passed.values_list("match_time", flat=True).first() or timedelta()
    return bool((due - before) / match.speed >= settings.OUTAGE_LEAST)


def _held_from(writer: Any, outage: Outage, at: datetime) -> datetime:
    """From when the clock stands still: now, for a deadline that is still to come; otherwise from the beginning of the
    outage, or from what was done in it last."""
    if at > writer.now:
        return writer.now  # type: ignore[no-any-return]
    last = writer.match.clock.instant(writer.state.core.time)
    return outage.since if last is None else max(outage.since, last)


# -- starts --------------------------------------------------------------------------------------------------


def put_off(writer: Any) -> bool:
    """Let a match whose start fell into an outage begin later; whether that was so. At its usual hour, or as much later
    as the outage was long."""
    match = writer.match
    if not _counts() or match.is_demo:
        return False
    at = match.starts_at
    outage = over(at, writer.now)
    if outage is None or at == outage.until:  # a host begins it now
        return False
    hour = match.hour_at(at)
    match.starts_at = at + outage.length if hour is None else hour.after(outage.until)
    starts = {"starts_at": match.starts_at.isoformat()}
    span = {"since": outage.since.isoformat(), "until": outage.until.isoformat()}
    row = writer.record(writer.row({"command": START, **starts, **span}, time=timedelta()))
    starts["starts"] = in_words(match, match.starts_at)
    writer.announce(row, EVERYONE, ANNOUNCED, **_dated(outage), **starts)
    writer.touch_all()
    return True


# -- what is told and kept -----------------------------------------------------------------------------------


def _dated(outage: Outage) -> dict[str, str]:
    return {
        "since": outage.since.isoformat(),
        "until": outage.until.isoformat(),
        "from": moment_in_words(outage.since),
        "to": moment_in_words(outage.until),
    }
