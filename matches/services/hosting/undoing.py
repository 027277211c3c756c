"""Takes a command of a host back that nothing has followed yet. It stays in the log, and so does taking it back.

Only commands that opened no secret and settled nothing can be taken back, only while they are the last row of the log,
so that nobody can have acted upon them, and only for a short time, because people plan by what they were told.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from matches.engine.errors import Rejected
from matches.engine.step import EVERYONE
from matches.infra.text import iso, moment_in_words
from matches.models import Match, Submission, clock
from matches.services import amending, outages
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused
from matches.services.hosting.corrections import book
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.storage.log import ENDS, UNDO
from matches.services.storage.retry import as_rule_failure, retrying
from matches.services.writer import Writer

UNDO_WITHIN = timedelta(minutes=10)


class Undoable(NamedTuple):
    """A command that can be taken back: its row in the log, what it was, and until when."""

    number: int
    what: str
    payload: Mapping[str, Any]
    until: datetime


def can_be_undone(what: str) -> bool:
    """Whether commands of this kind (their name in the log) can ever be taken back."""
    return what in _WAYS


def last_undoable(match: Match) -> Undoable | None:
    """What a host could take back now, as the log stands; None if nothing."""
    return undoable(match.log.exclude(ENDS).order_by("-number").first(), clock.now())


def undoable(row: Submission | None, now: datetime) -> Undoable | None:
    """What this row is to those who would take it back, if it is the last one of the log; None if they cannot."""
    if row is None or row.kind != Submission.Kind.COMMAND or not row.accepted or not row.actor.startswith("host:"):
        return None
    payload = json.loads(row.payload)
    until = row.received_at + UNDO_WITHIN
    if payload["command"] not in _WAYS or payload.get("kept") or now >= until:
        return None
    return Undoable(row.number, payload["command"], payload, until)


@retrying
def undo(match: Match, host: Any, number: int, *, key: str = "") -> str:
    """Take back the command with this number in the log; which kind it was. Raises `CommandRefused`
    (`cannot_be_undone`) with a sentence where something has followed it, where it is too late, and for commands that
    cannot be taken back; `NotAHost`; and for the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        found = _to_take_back(writer, number)
        refusal = _WAYS[found.what](writer, host, found, key)
        writer.touch_all()
    if refusal is not None:
        raise _refusal(refusal.message)
    return found.what


def _to_take_back(writer: Writer, number: int) -> Undoable:
    row = writer.match.log.filter(number=number).first()
    if row is None or row.kind != Submission.Kind.COMMAND or not row.accepted or not row.actor.startswith("host:"):
        raise _refusal("There is no such command in the log of this match.")
    payload = json.loads(row.payload)
    what = payload["command"]
    if payload.get("kept"):
        raise _refusal("It is part of another command, which you cannot take back.")
    if what not in _WAYS:
        raise _refusal(WHY_NOT_UNDONE.get(what, "You cannot take back a command of this kind."))
    if writer.match.log.filter(number__gt=number).exclude(ENDS).exists():
        raise _refusal("Somebody has done something else since, so you can no longer take it back. " + INSTEAD[what])
    found = undoable(row, writer.now)
    if found is None:
        minutes = UNDO_WITHIN // timedelta(minutes=1)
        raise _refusal(f"That was more than {minutes} minutes ago, and people may be counting on it. " + INSTEAD[what])
    return found


def _refusal(message: str) -> CommandRefused:
    return CommandRefused(message, code="cannot_be_undone")


def _row(writer: Writer, host: Any, undoable: Undoable, key: str, **data: Any) -> Submission:
    return command_row(writer, host, UNDO, key=key, undoes=undoable.number, what=undoable.what, **data)


def _unpause(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """The clock goes on as if it had never stood still."""
    match = writer.match
    if match.paused_at is None:
        raise _refusal("The match is no longer paused.")
    match.resume_clock(match.paused_at)
    _need_no_deadline_passed(writer, undoable)
    match.status = Match.Status.OPEN
    entry = writer.record(_row(writer, host, undoable, key))
    writer.announce(entry, EVERYONE, "pause_taken_back", **outages.told_of_deadline(writer))


def _unextend(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    writer.match.unextend_clock(timedelta(seconds=undoable.payload["by"]))
    _need_no_deadline_passed(writer, undoable)
    entry = writer.record(_row(writer, host, undoable, key, by=undoable.payload["by"]))
    writer.announce(entry, EVERYONE, "extension_taken_back", **outages.told_of_deadline(writer))


def _need_no_deadline_passed(writer: Writer, undoable: Undoable) -> None:
    with as_rule_failure():
        due = writer.game.next_deadline(writer.state)
    at = None if due is None else writer.match.clock.instant(due)
    if at is not None and at <= writer.now:
        raise _refusal("Without that command, a deadline would already have passed. " + INSTEAD[undoable.what])


def _unpublish(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    """The start that was set before, or a draft again."""
    row = writer.match
    before = _published_before(row, undoable.number)
    starts_at = None if before is None else datetime.fromisoformat(before["starts_at"])
    if starts_at is not None and starts_at <= writer.now:
        raise _refusal("The earlier start time has already passed. " + INSTEAD["publish"])
    told = row.starts_at
    row.status = Match.Status.DRAFT if starts_at is None else Match.Status.SCHEDULED
    row.starts_at = starts_at
    if before is not None:
        row.open_places = before["open_places"]
    entry = writer.record(_row(writer, host, undoable, key, starts_at=iso(starts_at)))
    if starts_at is not None and told not in (None, starts_at):
        moved = {"starts_at": starts_at.isoformat(), "starts": moment_in_words(starts_at)}
        writer.announce(entry, EVERYONE, "start_moved", **moved, before=moment_in_words(told))


def _published_before(match: Match, number: int) -> Mapping[str, Any] | None:
    """How the match was published before that row; None if it was a draft then."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, number__lt=number).order_by("-number")
    for row in rows.filter(payload__contains='"command":"'):
        payload: dict[str, Any] = json.loads(row.payload)
        name = payload["what"] if payload["command"] == UNDO else payload["command"]
        if name == "unpublish" or (payload["command"] == UNDO and name == "publish" and payload["starts_at"] is None):
            return None
        if name == "publish" and payload["command"] != UNDO:
            return payload
    return None


def _uncorrect(writer: Writer, host: Any, undoable: Undoable, key: str) -> Rejected | None:
    said = undoable.payload
    player = writer.match.players.get(handle=said["player"])
    data = {"player": player.handle, "asset": said["asset"], "amount": -said["amount"]}
    entry = _row(writer, host, undoable, key, **data)
    return book(writer, entry, player, said["asset"], -said["amount"], _TAKEN_BACK)


def _unamend(writer: Writer, host: Any, undoable: Undoable, key: str) -> None:
    found = amending.amend_back(writer, undoable.payload["changes"])
    entry = writer.record(_row(writer, host, undoable, key, changes=found.changes), found.step)
    writer.announce(entry, EVERYONE, "amendment_taken_back", host=host.username)


_TAKEN_BACK = "the host has taken the last correction back"

_Way = Callable[[Writer, Any, Undoable, str], Rejected | None]
"""Takes a command back, or gives why the rules refuse it, which the log keeps."""

_WAYS: Mapping[str, _Way] = {
    "pause": _unpause,
    "extend": _unextend,
    "publish": _unpublish,
    "correct": _uncorrect,
    "amend": _unamend,
}

INSTEAD: Mapping[str, str] = {
    "pause": "Resume the match instead.",
    "extend": "Close the deadline early instead.",
    "publish": "Until the match begins, unpublish it or publish it with another start time instead.",
    "correct": "Make the opposite correction instead, with a reason.",
    "amend": "Amend the settings again instead.",
}
"""What a host can do where it is too late, by command."""

WHY_NOT_UNDONE: Mapping[str, str] = {
    "who_plays": "It takes effect at once. Use the same command again instead.",
    "resume_at": "Choose another time instead.",
    "resume": "Players may have acted since. Pause again instead.",
    "close_deadline": "Closing opens and settles what was sealed, so you cannot take it back.",
    "cancel": "It makes the log and the seed public, so you cannot take it back.",
    "announce": "People may have read it already. Correct it or withdraw it instead.",
    "withdraw_note": "People read at once that it no longer counts. Announce it again instead.",
    "reply": "People can read the answer at once. Answer again or announce something instead.",
    "decide": "It counts at once, so you cannot take it back.",
    "act": "It counts at once under the rules. Hosts can follow it with another action.",
    "peek": "Nobody can unsee what they have seen.",
    "remind": "You cannot take back a reminder.",
    "hosts": "The people you named know what hosts know. Change the roles again instead.",
    "blood_garnets": "Switch it back instead. Everybody hears about that.",
    "close_when_sent": "Switch it back instead. Everybody hears about that.",
    "unpublish": "Publish it again instead.",
    "start": "The site draws everything at the start, so you cannot take it back.",
    UNDO: "You cannot undo that. Give the command again instead.",
}
"""Why other commands cannot be taken back, in a sentence with what to do instead. It is read before the command is
confirmed as well as after it."""
