"""Announcements and clarifications of hosts: said to everybody, corrected by another one, withdrawn with a reason.

Nothing that was said is edited. All raise `CommandRefused` with a sentence where the command cannot be carried out now,
`BadText` for words that are not taken, and `NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from typing import Any

from matches.engine.step import EVERYONE
from matches.models import HostNote, Match
from matches.models.announcement import new_token
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.plain_text import plain_text
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

LONGEST_NOTE = 2000
LONGEST_REASON = 200
MOST_NOTES = 200
"""In one match, corrections included: all of them are on its page."""

_SAY_SOMETHING = "Write what everybody is to read."


@retrying
def announce(match: Match, host: Any, kind: str, text: str, *, corrects: str = "", key: str = "") -> HostNote:
    """Say something to everybody. `kind`: one of `HostNote.Kind`; `corrects`: the token of the note whose place it
    takes. The same `key` a second time raises `AlreadyDone`."""
    text = plain_text(text, LONGEST_NOTE, missing=_SAY_SOMETHING)
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        note = say_to_everybody(writer, host, kind, text, corrects=corrects, key=key)
        writer.save_words()
        return note


def say_to_everybody(
    writer: Writer, host: Any, kind: str, text: str, *, asked: str = "", corrects: str = "", key: str = ""
) -> HostNote:
    """The same inside a command of the host's, which stores the match. `asked`: the question that it answers."""
    if kind not in HostNote.Kind.values:
        raise CommandRefused("Choose whether it is an announcement or a clarification.", field="kind")
    if writer.match.notes.count() >= MOST_NOTES:
        raise CommandRefused(f"This match has {MOST_NOTES} notes already; it takes no more.")
    before = _present(writer.match, corrects) if corrects else None
    token = new_token()
    said = {"kind": kind, "note": token, "text": text, **({"question": asked} if asked else {})}
    data = {**said, **({"corrects": before.token} if before else {})}
    entry = writer.record(command_row(writer, host, "announce", key=key, **data))
    note = HostNote.objects.create(
        match=writer.match,
        submission=entry,
        token=token,
        kind=kind,
        host=host.username,
        asked=asked,
        text=text,
        at=writer.now,
        corrects=before,
    )
    writer.announce(entry, EVERYONE, "note_corrected" if before else _TOLD[kind], host=host.username, **data)
    writer.touch(public=True)
    return note


_TOLD = {HostNote.Kind.ANNOUNCEMENT.value: "host_announced", HostNote.Kind.CLARIFICATION.value: "clarified"}


@retrying
def withdraw(match: Match, host: Any, token: str, reason: str, *, key: str = "") -> None:
    """Say that a note no longer counts, and why. It stays readable."""
    reason = plain_text(reason, LONGEST_REASON, missing="Say why; everybody reads it.", field="reason")
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        note = _present(writer.match, token)
        entry = writer.record(command_row(writer, host, "withdraw_note", key=key, note=note.token, reason=reason))
        note.withdrawn_at, note.withdrawn_by, note.withdrawn_because = writer.now, host.username, reason
        note.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])
        data = {"kind": note.kind, "note": note.token, "reason": reason}
        writer.announce(entry, EVERYONE, "note_withdrawn", host=host.username, **data)
        writer.touch(public=True)
        writer.save_words()


def _present(match: Match, token: str) -> HostNote:
    """A note that counts now."""
    note = match.notes.filter(token=token).select_related("corrected_by").first()
    if note is None:
        raise CommandRefused("There is no such note in this match.", field="note")
    if hasattr(note, "corrected_by"):
        raise CommandRefused("That has been corrected meanwhile. Look at the current words first.", field="note")
    if note.withdrawn_at is not None:
        raise CommandRefused("That has been withdrawn already. Say something new instead.", field="note")
    return note
