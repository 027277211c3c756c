"""Commands of hosts that stop, start and move a match's clock. Each is one transaction and a row of the log.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match. A `key` a second time raises `AlreadyDone`: two clicks must not
do it twice.
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
"""A match goes on by itself at the latest so long after it was paused, or after a host has last said until when. A
pause that nobody ends would keep people, and what they have in the match, waiting for ever; everybody is told the
instant at once, and hosts can put it off as often as they like."""
_ONLY_PAUSED = "Only a paused match can resume."
NOTHING_TO_CLOSE = "There is no deadline to close."

STAY, HOUR, EARLIER = "stay", "hour", "earlier"
"""What becomes of later deadlines where one is closed early: they stay where they are; the next one comes at the usual
hour, as early as that allows; all come earlier by the same length."""


@retrying
def pause(match: Match, host: Any, reason: str = "", *, until: datetime | None = None, key: str = "") -> None:
    """Stop the match's clock; nothing is due and nothing is taken until it goes on: when a host resumes it, or by
    itself at the instant `until`, which is after `LONGEST_PAUSE` if it is not given."""
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        need_status(writer, "open", otherwise="You can pause only a running match.")
        resumes_at = _checked(until, writer.now)
        writer.match.pause_clock(writer.now, writer.time, resumes_at)
        writer.match.status = Match.Status.PAUSED
        payload = {"reason": reason, "until": resumes_at.isoformat()}
        entry = writer.record(command_row(writer, host, "pause", **payload, key=key))
        told = {"latest": until is None, **_resumption(writer, resumes_at)}
        writer.announce(entry, EVERYONE, "match_paused", reason=reason, **told)
        writer.touch_all()


@retrying
def resume_at(match: Match, host: Any, at: datetime, *, key: str = "") -> None:
    """Choose when a paused match goes on by itself, instead of the instant that was said before."""
    with command(match, host, key=key) as writer:
        need_status(writer, "paused", otherwise=_ONLY_PAUSED)
        if _checked(at, writer.now) == writer.match.resumes_at:
            raise AlreadyDone("The match already resumes at that time.")
        writer.match.resume_later(at)
        entry = writer.record(command_row(writer, host, "resume_at", at=at.isoformat(), key=key))
        writer.announce(entry, EVERYONE, "match_resumes_at", **_resumption(writer, at))
        writer.touch_all()


@retrying
def resume(match: Match, host: Any, *, to_hour: bool = False, key: str = "") -> None:
    """Let the clock go on from where it stood. With `to_hour` it stands a while longer, though play goes on, so that
    the next deadline comes at the usual hour."""
    with command(match, host, key=key) as writer:
        need_status(writer, "paused", otherwise=_ONLY_PAUSED)
        writer.match.resume_clock(writer.now)
        writer.match.status = Match.Status.OPEN
        entry = writer.record(command_row(writer, host, "resume", key=key))
        if to_hour:
            _move_to_hour(writer, entry)
        writer.announce(entry, EVERYONE, "match_resumed", **outages.told_of_deadline(writer))
        writer.touch_all()


def check_resumption(at: datetime, now: datetime) -> None:
    """Raise `CommandRefused` for an instant that is past, or further ahead than a pause may last."""
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
    """Raise `CommandRefused` for an extension (match time) that is no longer than 0, or too long."""
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
    """Make every deadline come `by` later, or as much later as the next one needs to come at the instant `until`: the
    clock stands still that long, play goes on.

    `expected` is the match time of the deadline that the host means: if another one is the next by now, nothing is
    extended.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="You can extend deadlines only while a match is running.")
        if until is not None:
            due = _due(writer, "There is no deadline to move.", expected)
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
    """Jump to the present deadline, so that it passes now. What becomes of those after it: `later`, which is `STAY`,
    `HOUR` or `EARLIER`.

    `expected` is the match time of the deadline that the host means: if another one is the next by
    now, nothing is closed.
    """
    with command(match, host) as writer:
        need_status(writer, "open", otherwise="Only a running match has a deadline to close.")
        due = _due(writer, NOTHING_TO_CLOSE, expected)
        close_now(writer, command_row(writer, host, "close_deadline", reason=reason), due, later, reason=reason)


def close_now(writer: Writer, row: Submission, due: timedelta, later: str, **told: Any) -> None:
    """Part of a command or of the sweep, which store the match: the deadline `due` passes now, by this row of the log,
    which everybody is told with the data `told`."""
    early = writer.match.clock.hold_until(due, writer.now)
    writer.match.jump_clock(writer.now, due)
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
    """What usually becomes of later deadlines if `due` passes now. Those of a match that goes by days stay at the usual
    hour, unless the next day would become longer by more than half of one."""
    hour = match.hour
    if hour is None or not outages.is_days(match, due):
        return EARLIER
    next_at = now + DAY / match.speed
    return HOUR if hour.first_from(next_at) - next_at <= DAY / 2 else EARLIER


@retrying
def close_when_sent(match: Match, host: Any, on: bool, *, key: str = "") -> None:
    """Let deadlines pass as soon as everybody has sent what they ask, from now on, or not any more. Raises
    `CommandRefused`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.BEFORE, *Match.RUNNING, otherwise="There are no more deadlines.")
        row = writer.match
        changed, row.closes_when_sent = row.closes_when_sent != on, on
        row.save(update_fields=["closes_when_sent"])
        entry = writer.record(command_row(writer, host, "close_when_sent", on=on, key=key))
        if changed and row.has_begun:  # before that it is a setting, and told when the match opens
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
    """Let the next deadline come at the usual hour, as early as that allows without making it earlier."""
    hour = writer.match.hour
    if hour is None:
        raise CommandRefused("This match has no usual hour.")
    with as_rule_failure():
        due = writer.game.next_deadline(writer.state)
    if due is not None and (at := writer.match.clock.instant(due)) is not None:
        _move(writer, cause, writer.match.clock.hold_until(due, hour.first_from(at)))


def _move(writer: Writer, cause: Submission, by: timedelta) -> None:
    """Part of another command, whose row is `cause`: let the clock stand for a while (match time), so that later
    deadlines stay."""
    if by <= timedelta() or writer.next_deadline_at() is None:
        return
    writer.match.extend_clock(writer.now, writer.time, by)
    payload = {"command": "extend", "by": seconds(by), "kept": True}
    entry = writer.record(writer.row(payload, actor=cause.actor, user_id=cause.user_id))
    writer.announce(entry, EVERYONE, "deadlines_kept", **outages.told_of_deadline(writer))


# -- taking back ---------------------------------------------------------------------------------------------


def take_back_pause(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """The clock goes on as if it had never stood still."""
    match = writer.match
    if match.paused_at is None:
        raise refusal_of("The match is no longer paused.")
    match.resume_clock(match.paused_at)
    need_no_deadline_passed(writer, undoable)
    match.status = Match.Status.OPEN
    entry = writer.record(undo_row(writer, host, undoable, key))
    writer.announce(entry, EVERYONE, "pause_taken_back", **outages.told_of_deadline(writer))


def take_back_extension(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """Every deadline comes when it would have come."""
    writer.match.unextend_clock(timedelta(seconds=undoable.payload["by"]))
    need_no_deadline_passed(writer, undoable)
    entry = writer.record(undo_row(writer, host, undoable, key, by=undoable.payload["by"]))
    writer.announce(entry, EVERYONE, "extension_taken_back", **outages.told_of_deadline(writer))
