"""Commands of hosts that stop, start and move a match's clock. Each is one transaction and a row of the log.

All raise `CommandRefused` with a sentence if the command cannot be carried out now, `NotAHost` if the person does not
host the match, and `AlreadyDone` for a repeated `key`, so that two clicks do not do it twice.
"""

from datetime import datetime, timedelta
from typing import Any

from matches.engine.match_time import DAY, seconds
from matches.engine.step import EVERYONE
from matches.models import Match, Submission
from matches.services import outages
from matches.services.commands import AlreadyDone, command, command_row, need_status
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.hosting.undoing import Undoable, need_no_deadline_passed, refusal_of, undo_row
from matches.services.writer import Writer

LONGEST_EXTENSION = timedelta(days=30)

LONGEST_PAUSE = timedelta(days=30)
"""A paused match resumes by itself at the latest this long after the pause began or a host last changed its end.
Otherwise a forgotten pause would tie up players and their garnets for ever. Everybody is told the instant at once, and
hosts can move it as often as they like."""
_ONLY_PAUSED = "Only a paused match can resume."
NOTHING_TO_CLOSE = "There is no deadline to close."

STAY, HOUR, EARLIER = "stay", "hour", "earlier"
"""What happens to later deadlines if one is closed early: `STAY` leaves them where they are; with `HOUR` the next one
comes at the earliest usual hour; with `EARLIER` all come earlier by the same length."""


@retrying
def pause(match: Match, host: Any, reason: str = "", *, until: datetime | None = None, key: str = "") -> None:
    """Stop the match's clock: no deadline passes and no action is accepted until a host resumes it, or it resumes by
    itself at the instant `until` (by default after `LONGEST_PAUSE`)."""
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        need_status(writer, "open", otherwise="You can pause only a running match.")
        resumes_at = _checked(until, writer.now)
        stopped = writer.match.clock.stopped(writer.now).showing(writer.time)
        writer.match.set_clock(stopped, paused_at=writer.now, resumes_at=resumes_at)
        writer.match.status = Match.Status.PAUSED
        payload = {"reason": reason, "until": resumes_at.isoformat()}
        entry = writer.record(command_row(writer, host, "pause", **payload, key=key))
        told = {"latest": until is None, **_resumption(writer, resumes_at)}
        writer.announce(entry, EVERYONE, "match_paused", reason=reason, **told)
        writer.touch_all()


@retrying
def resume_at(match: Match, host: Any, at: datetime, *, key: str = "") -> None:
    """Change the instant at which a paused match resumes by itself."""
    with command(match, host, key=key) as writer:
        need_status(writer, "paused", otherwise=_ONLY_PAUSED)
        if _checked(at, writer.now) == writer.match.resumes_at:
            raise AlreadyDone("The match already resumes at that time.")
        writer.match.resumes_at = at
        entry = writer.record(command_row(writer, host, "resume_at", at=at.isoformat(), key=key))
        writer.announce(entry, EVERYONE, "match_resumes_at", **_resumption(writer, at))
        writer.touch_all()


@retrying
def resume(match: Match, host: Any, *, to_hour: bool = False, key: str = "") -> None:
    """Resume a paused match. With `to_hour` play goes on at once but the clock stands a while longer, so that the next
    deadline comes at the usual hour."""
    with command(match, host, key=key) as writer:
        need_status(writer, "paused", otherwise=_ONLY_PAUSED)
        writer.match.set_clock(writer.match.clock.started(writer.now))
        writer.match.status = Match.Status.OPEN
        entry = writer.record(command_row(writer, host, "resume", key=key))
        if to_hour:
            _move_to_hour(writer, entry)
        writer.announce(entry, EVERYONE, "match_resumed", **outages.told_of_deadline(writer))
        writer.touch_all()


def check_resumption(at: datetime, now: datetime) -> None:
    """Raise `CommandRefused` for an instant that is in the past, or further ahead than a pause may last."""
    if not now < at <= now + LONGEST_PAUSE:
        most = f"at most {LONGEST_PAUSE.days} days ahead"
        raise CommandRefused(f"Choose a time in the future, {most}.", field="at")


def _checked(until: datetime | None, now: datetime) -> datetime:
    if until is None:
        return now + LONGEST_PAUSE
    check_resumption(until, now)
    return until


def _resumption(writer: Writer, at: datetime) -> dict[str, str]:
    return {"until": at.isoformat(), "goes_on": outages.in_words(writer.match, at)}


def check_extension(by: timedelta, field: str = "by") -> None:
    """Raise `CommandRefused` for an extension (match time) that is not longer than 0, or too long."""
    if not timedelta() < by <= LONGEST_EXTENSION:
        if field == "at":
            most = f"at most {LONGEST_EXTENSION.days} days after it"
            raise CommandRefused(f"Choose a time after the current deadline, {most}.", field=field)
        raise CommandRefused(f"Extend by more than 0 and at most {LONGEST_EXTENSION.days} days.", field=field)


@retrying
def extend(
    match: Match,
    host: Any,
    by: timedelta | None = None,
    reason: str = "",
    *,
    until: datetime | None = None,
    expected: timedelta | None = None,
    key: str = "",
) -> None:
    """Make every deadline come `by` (match time) later, or by as much as brings the next one to the instant `until`:
    the clock stands still that long while play goes on.

    `expected` is the match time of the deadline that the host means: if another one is next by now, it raises
    `CommandRefused`.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="You can extend deadlines only while a match is running.")
        if until is not None or expected is not None:
            due = _due(writer, "There is no deadline to move.", expected)
        if until is not None:
            by = writer.match.clock.hold_until(due, until)
        by = timedelta() if by is None else by
        check_extension(by, "by" if until is None else "at")
        writer.match.extend_clock(writer.now, writer.time, by)
        entry = writer.record(command_row(writer, host, "extend", by=seconds(by), reason=reason, key=key))
        takes = {"by": seconds(by), "takes": seconds(by / writer.match.speed)}
        told = outages.told_of_deadline(writer)
        writer.announce(entry, EVERYONE, "deadline_extended", **takes, **told, reason=reason)
        writer.touch_all()


@retrying
def close_deadline(
    match: Match,
    host: Any,
    reason: str = "",
    *,
    expected: timedelta | None = None,
    later: str = EARLIER,
) -> None:
    """Let the next deadline pass now. `later` is what happens to those after it: `STAY`, `HOUR` or `EARLIER`.

    `expected` is the match time of the deadline that the host means: if another one is next by now, it raises
    `CommandRefused`.
    """
    with command(match, host) as writer:
        need_status(writer, "open", otherwise="Only a running match has a deadline to close.")
        due = _due(writer, NOTHING_TO_CLOSE, expected)
        close_now(writer, command_row(writer, host, "close_deadline", reason=reason), due, later, reason=reason)


def close_now(writer: Writer, row: Submission, due: timedelta, later: str, **told: Any) -> None:
    """Let the deadline `due` pass now, inside a command or the sweep, which store the match. `row` is its row in the
    log, `told` the data of the announcement to everybody."""
    early = writer.match.clock.hold_until(due, writer.now)
    writer.match.set_clock(writer.match.clock.jumped(writer.now, due))
    entry = writer.record(row)
    writer.announce(entry, EVERYONE, "deadline_closed_early", **told)
    writer.touch_all()
    writer.closing = due
    writer.pass_due()
    if later == STAY and writer.is_open:
        _move(writer, row, -early)
    elif later == HOUR and writer.is_open:
        _move_to_hour(writer, row)


def sensible_later(match: Match, due: timedelta, now: datetime) -> str:
    """What should usually happen to later deadlines if `due` passes now. A match with daily deadlines keeps to the
    usual hour, unless that would make the next day longer by more than half a day."""
    hour = match.hour
    if hour is None or not outages.is_days(match, due):
        return EARLIER
    next_at = now + DAY / match.speed
    return HOUR if hour.first_from(next_at) - next_at <= DAY / 2 else EARLIER


@retrying
def close_when_sent(match: Match, host: Any, on: bool, *, key: str = "") -> None:
    """Choose whether deadlines of sealed rounds pass as soon as everybody has submitted. Raises `AlreadyDone` if they
    already do, or do not."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.BEFORE, *Match.RUNNING, otherwise="There are no more deadlines.")
        row = writer.match
        if row.closes_when_sent == on:
            how = "as soon as everybody has submitted" if on else "at their set times"
            raise AlreadyDone(f"Deadlines already pass {how}.")
        row.closes_when_sent = on
        entry = writer.record(command_row(writer, host, "close_when_sent", on=on, key=key))
        if row.has_begun:  # an earlier choice is announced at the opening
            writer.announce(entry, EVERYONE, "closing_switched", on=on)
        writer.touch_all()


def _due(writer: Writer, otherwise: str, expected: timedelta | None) -> timedelta:
    with as_rule_failure():
        due: timedelta | None = writer.game.next_deadline(writer.state)
    if due is None:
        raise CommandRefused(otherwise)
    if expected is not None and expected != due:
        raise CommandRefused(
            "That deadline has moved or passed since you opened this page. Look at the current one first."
        )
    return due


def _move_to_hour(writer: Writer, cause: Submission) -> None:
    """Move the next deadline to the first usual hour that is not earlier."""
    hour = writer.match.hour
    if hour is None:
        raise CommandRefused("This match has no usual hour.")
    with as_rule_failure():
        due = writer.game.next_deadline(writer.state)
    if due is not None and (at := writer.match.clock.instant(due)) is not None:
        _move(writer, cause, writer.match.clock.hold_until(due, hour.first_from(at)))


def _move(writer: Writer, cause: Submission, by: timedelta) -> None:
    """Stop the clock for the span `by` (match time) while play goes on, as part of the command whose row is `cause`."""
    if by <= timedelta() or writer.next_deadline_at() is None:
        return
    writer.match.extend_clock(writer.now, writer.time, by)
    payload = {"command": "extend", "by": seconds(by), "kept": True}
    entry = writer.record(writer.row(payload, actor=cause.actor, user_id=cause.user_id))
    writer.announce(entry, EVERYONE, "deadlines_kept", **outages.told_of_deadline(writer))


# -- taking back ---------------------------------------------------------------------------------------------


def take_back_pause(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """Let the clock run as if it had never been paused."""
    match = writer.match
    if match.paused_at is None:
        raise refusal_of("The match is no longer paused.")
    match.set_clock(match.clock.started(match.paused_at))
    need_no_deadline_passed(writer, undoable)
    match.status = Match.Status.OPEN
    entry = writer.record(undo_row(writer, host, undoable, key))
    writer.announce(entry, EVERYONE, "pause_taken_back", **outages.told_of_deadline(writer))


def take_back_extension(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """Move every deadline back to where it was before the extension."""
    by = timedelta(seconds=undoable.payload["by"])
    writer.match.set_clock(writer.match.clock.released(by))
    need_no_deadline_passed(writer, undoable)
    entry = writer.record(undo_row(writer, host, undoable, key, by=undoable.payload["by"]))
    writer.announce(entry, EVERYONE, "extension_taken_back", **outages.told_of_deadline(writer))
