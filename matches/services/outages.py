"""What moves a match's clock without a host: the end of a pause, and outages of the site, which delay deadlines. Also
the heartbeats of regular tasks, which show that there was an outage."""

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
    """Note that a regular task has completed a run."""
    if not Heartbeat.objects.filter(name=name).update(at=clock.now()):
        Heartbeat.objects.update_or_create(name=name, defaults={"at": clock.now()})


def last_beat(name: str, *, using: str = DEFAULT_DB_ALIAS) -> datetime | None:
    """When a regular task last completed a run; None if never."""
    return Heartbeat.objects.using(using).filter(name=name).values_list("at", flat=True).first()


# -- by itself -----------------------------------------------------------------------------------------------
# A pause ends at its time. `Writer.pass_due` calls these functions, under the match's lock, and passes itself. The
# pause ends at its own instant, however late a worker is.


def is_due(match: Match, now: datetime) -> bool:
    """Whether the match is paused but should have resumed by now."""
    return match.status == Match.Status.PAUSED and match.resumes_at is not None and match.resumes_at <= now


def resume_due(writer: Any) -> bool:
    """Resume a paused match if its time has come, from that time and not from now. Returns whether it did."""
    match, at = writer.match, writer.match.resumes_at
    if not is_due(match, writer.now):
        return False
    row = writer.row({"command": "resume", "at": at.isoformat()})
    match.set_clock(match.clock.started(at))
    match.status = Match.Status.OPEN
    writer.record(row)
    writer.announce(row, EVERYONE, "match_resumed", by_itself=moment_in_words(at), **told_of_deadline(writer))
    writer.touch_all()
    return True


def told_of_deadline(writer: Any) -> dict[str, str]:
    """The next deadline as data of an announcement (the instant, and in words); empty if there is none."""
    at = writer.next_deadline_at()
    return {} if at is None else {"next_at": at.isoformat(), "next": in_words(writer.match, at)}


def in_words(match: Match, at: datetime) -> str:
    """An instant in words for everybody: in UTC and, if the match has a usual hour, in its time zone."""
    said, hour = moment_in_words(at), match.hour
    if hour is None or (here := at.astimezone(hour.zone)).utcoffset() == timedelta():
        return said
    return f"{said} ({here:%a %H:%M} in {hour.zone.key})"


# -- outages -------------------------------------------------------------------------------------------------
# If the site did not sweep for long, deadlines that fell into that time come later.
#
# The first to do anything afterwards (the sweep, a page, an action) finds that the last sweep is
# `settings.OUTAGE_AFTER` ago or more, and stores the outage once for all. Whoever then brings a match up to now first
# extends its deadlines. Nobody need note that this was done, since afterwards no deadline lies in the outage any more.
#
# The match's clock stands still from the beginning of the outage (or from the last event of the match), so every
# deadline is delayed by the length of the outage. A daily deadline, one that comes `settings.OUTAGE_LEAST` or more
# after the one before it, comes at least `OUTAGE_LEAST` after the end of the outage. So does a daily deadline that
# comes soon after it: within the outage's length, or within `OUTAGE_LEAST` if that is shorter. A deadline at the usual
# hour stays at that hour. Demo matches ignore outages.

logger = structlog.get_logger(__name__)

ANNOUNCED = "outage"
EXTEND, START = "outage", "outage_start"
"""Names of commands in the log."""


_ignored: ContextVar[bool] = ContextVar("outages_ignored", default=False)


@contextmanager
def ignored() -> Iterator[None]:
    """Ignore outages within the block, for programs that set the time, with which no sweep keeps up."""
    token = _ignored.set(True)
    try:
        yield
    finally:
        _ignored.reset(token)


def _counts() -> bool:
    return bool(settings.OUTAGE_AFTER) and not _ignored.get()


def note(now: datetime) -> Outage | None:
    """Store the outage that ends now, if there is one that is not stored yet. Returns the latest known outage."""
    if not _counts():
        return None
    latest = _latest()
    if not _is_new(latest, Heartbeat.objects.filter(name=SWEEP).first(), now):
        return latest
    with transaction.atomic():
        # Look again under a lock, since two processes may have noticed.
        beat = Heartbeat.objects.select_for_update().filter(name=SWEEP).first()
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
    """Whether the last sweep is too long ago. A site that has never swept had no outage."""
    return beat is not None and now - _last_sign(latest, beat) >= settings.OUTAGE_AFTER


def soon_after(outage: Outage) -> datetime:
    """The instant until which a daily deadline after an outage is delayed, too."""
    return outage.until + min(outage.length, settings.OUTAGE_LEAST)


def over(at: datetime, now: datetime) -> Outage | None:
    """The outage, among those up to now, into which an instant fell."""
    if not _counts():
        return None
    note(now)
    return next((each for each in _around(at) if at <= each.until), None)


# -- deadlines -----------------------------------------------------------------------------------------------


class _Later(NamedTuple):
    outage: Outage
    at: datetime


def extend(writer: Any, due: timedelta | None, *, ahead: bool = False) -> bool:
    """Delay the next deadline, at match time `due`, if it fell into an outage, or what closes before it did. Returns
    whether it did. `ahead`: also delay what is still to come soon after an outage."""
    match = writer.match
    if due is None or match.is_demo or not _counts():
        return False
    closes = writer.game.closes_before(writer.state)
    # What closed before the clock was last set has been examined then.
    is_ahead = closes is not None and closes > match.anchor_time
    return (is_ahead and _extend(writer, closes, ahead, due - closes)) or _extend(writer, due, ahead)


def _extend(writer: Any, due: timedelta, ahead: bool, before: timedelta = timedelta()) -> bool:
    """`extend` for what comes at match time `due`, which is `before` the next deadline."""
    match = writer.match
    at = match.clock.instant(due)
    if at is None or (at > writer.now and not ahead):  # most actions end here, without a query
        return False
    later = _later(match, due, at, writer.now, before / match.speed)
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


def _later(match: Match, due: timedelta, at: datetime, now: datetime, before: timedelta) -> _Later | None:
    """The outage that delays what comes `before` the next deadline, and when it then comes; None if none does."""
    note(now)
    for outage in _around(at):
        if match.opened_at is not None and match.opened_at >= outage.until:
            continue  # the match began after the outage
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
        hour = match.hour_at(at + before)
        return _Later(outage, least if hour is None else hour.first_from(least + before) - before)
    return None


def _around(at: datetime) -> list[Outage]:
    """The outages into which an instant falls, or after which it may come too soon."""
    return list(Outage.objects.filter(since__lt=at, until__gt=at - settings.OUTAGE_LEAST).order_by("since"))


def is_days(match: Match, due: timedelta) -> bool:
    """Whether a deadline is a daily one: `OUTAGE_LEAST` or more (real time) after the one before, or the opening."""
    passed = match.log.filter(kind=Submission.Kind.DEADLINE, player=None).order_by("-number")
    before = passed.values_list("match_time", flat=True).first() or timedelta()
    return bool((due - before) / match.speed >= settings.OUTAGE_LEAST)


def _held_from(writer: Any, outage: Outage, at: datetime) -> datetime:
    """The instant from which the clock stands still: now, for a deadline that is still to come; otherwise the beginning
    of the outage, or the match's last event if that is later."""
    if at > writer.now:
        return writer.now  # type: ignore[no-any-return]
    last = writer.match.clock.instant(writer.state.core.time)
    return outage.since if last is None else max(outage.since, last)


# -- starts --------------------------------------------------------------------------------------------------


def put_off(writer: Any) -> bool:
    """Postpone the start of a match if it fell into an outage, and return whether it did: to the usual hour after it,
    or by the length of the outage."""
    match = writer.match
    if not _counts() or match.is_demo:
        return False
    at = match.starts_at
    outage = over(at, writer.now)
    if outage is None or at == outage.until:  # the latter if a host starts the match now
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
