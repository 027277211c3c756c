"""Taking back a host's command. The log keeps both the command and its being taken back.

Hosts can take back only commands that revealed no secret and settled nothing, only while they are the last row of the
log, so that nobody can have acted upon them, and only for a short time, because people plan by what they were told.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from matches.engine.errors import Rejected
from matches.engine.step import EVERYONE
from matches.infra.text import iso, moment_in_words
from matches.models import Match, Submission, clock
from matches.services import amending
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.hosting.corrections import book
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.storage.log import ENDS, UNDO
from matches.services.writer import Writer

UNDO_WITHIN = timedelta(minutes=10)


class Undo(NamedTuple):
    """How one kind of command is taken back. `way` does it in the transaction, or returns why the rules refuse it (the
    log records that). `what` names what is taken back, such as “the extension”; `then` says what follows, without a
    full stop; `instead` is a sentence on what a host can do if it is too late."""

    way: Callable[[Writer, Any, "Undoable", str], Rejected | None]
    what: str
    then: str
    instead: str


UNDO_OF: dict[str, Undo] = {}
"""Name of a command in the log -> how it is taken back. The declarations of commands (`admin.commands`) fill it."""

NEVER: dict[str, str] = {}
"""Name of another command in the log -> why it cannot be taken back and what to do instead, in a sentence that hosts
read both before and after the command. Filled in the same way."""


class Undoable(NamedTuple):
    """A command that can be taken back: the number of its row, its name, its payload, and until when."""

    number: int
    what: str
    payload: Mapping[str, Any]
    until: datetime


def undo_of(what: str, payload: Mapping[str, Any]) -> Undo:
    """How a command is taken back. The log calls a new start a publication, which moved it."""
    return UNDO_OF["set_start" if payload.get("moved") else what]


def last_undoable(match: Match) -> Undoable | None:
    """The command that a host could take back now; None if there is none."""
    return undoable(match.log.exclude(ENDS).order_by("-number").first(), clock.now())


def undoable(row: Submission | None, now: datetime) -> Undoable | None:
    """The command of this row as one to take back; None if hosts cannot. The row must be the last of the log."""
    if row is None or row.kind != Submission.Kind.COMMAND or not row.accepted or not row.actor.startswith("host:"):
        return None
    payload = json.loads(row.payload)
    until = row.received_at + UNDO_WITHIN
    if payload["command"] not in UNDO_OF or payload.get("kept") or now >= until:
        return None
    return Undoable(row.number, payload["command"], payload, until)


@retrying
def undo(match: Match, host: Any, number: int, *, key: str = "") -> str:
    """Take back the command with this number in the log, and return its name. Raises `CommandRefused`
    (`cannot_be_undone`) with a sentence if something has followed it, if it is too late, or if such commands cannot be
    taken back; `NotAHost`; and `AlreadyDone` for a repeated `key`."""
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        found = _to_take_back(writer, number)
        refusal = UNDO_OF[found.what].way(writer, host, found, key)
        writer.touch_all()
    if refusal is not None:
        raise refusal_of(refusal.message)
    return found.what


def _to_take_back(writer: Writer, number: int) -> Undoable:
    row = writer.match.log.filter(number=number).first()
    if row is None or row.kind != Submission.Kind.COMMAND or not row.accepted or not row.actor.startswith("host:"):
        raise refusal_of("There is no such command in the log of this match.")
    payload = json.loads(row.payload)
    what = payload["command"]
    if payload.get("kept"):
        raise refusal_of("It is part of another command, which you cannot take back.")
    if what not in UNDO_OF:
        raise refusal_of(NEVER.get(what, "You cannot take back a command of this kind."))
    instead = UNDO_OF[what].instead
    if said := taken_back(writer.match, number):
        raise refusal_of(said)
    if writer.match.log.filter(number__gt=number).exclude(ENDS).exists():
        raise refusal_of(f"Somebody has done something else since, so you can no longer take it back. {instead}")
    found = undoable(row, writer.now)
    if found is None:
        minutes = UNDO_WITHIN // timedelta(minutes=1)
        raise refusal_of(f"That was more than {minutes} minutes ago, and people may be counting on it. {instead}")
    return found


def taken_back(match: Match, number: int) -> str:
    """Say that the command with this number has been taken back; empty if it has not."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, number__gt=number)
    return "It has already been taken back." if rows.filter(payload__contains=f'"undoes":{number},').exists() else ""


def refusal_of(message: str) -> CommandRefused:
    """The error that says why a command cannot be taken back."""
    return CommandRefused(message, code="cannot_be_undone")


def undo_row(writer: Writer, host: Any, undoable: Undoable, key: str, **data: Any) -> Submission:
    """The log's row for taking a command back."""
    return command_row(writer, host, UNDO, key=key, undoes=undoable.number, what=undoable.what, **data)


def need_no_deadline_passed(writer: Writer, undoable: Undoable) -> None:
    """Raise `CommandRefused` if a deadline would lie in the past once the command is taken back."""
    with as_rule_failure():
        due = writer.game.next_deadline(writer.state)
    at = None if due is None else writer.match.clock.instant(due)
    if at is not None and at <= writer.now:
        raise refusal_of(
            "Without that command, a deadline would already have passed. " + UNDO_OF[undoable.what].instead
        )


def take_back_publication(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """Restore the start that was set before, or else make the match a draft again."""
    row = writer.match
    before, moved = undoable.payload.get("earlier"), bool(undoable.payload.get("moved"))
    starts_at = None if before is None else datetime.fromisoformat(before["starts_at"])
    if starts_at is not None and starts_at <= writer.now:
        raise refusal_of("The earlier start time has already passed. " + UNDO_OF["publish"].instead)
    told = row.starts_at
    row.status = Match.Status.DRAFT if starts_at is None else Match.Status.SCHEDULED
    row.starts_at = starts_at
    if before is not None:
        row.open_places = before["open_places"]
    again = {"moved": True} if moved else {}
    entry = writer.record(undo_row(writer, host, undoable, key, starts_at=iso(starts_at), **again))
    if starts_at is not None and told not in (None, starts_at):
        starts = {"starts_at": starts_at.isoformat(), "starts": moment_in_words(starts_at)}
        writer.announce(entry, EVERYONE, "start_moved", **starts, before=moment_in_words(told))


def take_back_correction(writer: Writer, host: Any, undoable: Undoable, key: str) -> Rejected | None:
    """Book the opposite correction. A refusal of the rules is recorded and returned."""
    said = undoable.payload
    player = writer.match.players.get(handle=said["player"])
    data = {"player": player.handle, "asset": said["asset"], "amount": -said["amount"]}
    entry = undo_row(writer, host, undoable, key, **data)
    return book(writer, entry, player, said["asset"], -said["amount"], _TAKEN_BACK)


def take_back_amendment(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """Restore the settings as they were before."""
    found = amending.amend_back(writer, undoable.payload["changes"])
    entry = writer.record(undo_row(writer, host, undoable, key, changes=found.changes), found.step)
    writer.announce(entry, EVERYONE, "amendment_taken_back", host=host.username)


_TAKEN_BACK = "the host has taken the last correction back"
