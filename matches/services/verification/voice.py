"""Checks the notes and questions of a match against its log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from matches.models import Match, Submission

PRIVATE_COMMANDS = frozenset({"question", "reply"})
"""Commands whose rows stay private when the log is published: what a player asked the hosts, and what these replied."""

_COMMANDS = PRIVATE_COMMANDS | {"announce", "withdraw_note"}


def is_private_command(row: Submission) -> bool:
    """Whether a row of the log belongs to a private question."""
    return row.kind == Submission.Kind.COMMAND and json.loads(row.payload).get("command") in PRIVATE_COMMANDS


def compare(match: Match) -> list[str]:
    """The differences between what the log says was said and what is stored, a sentence each."""
    notes, questions = _from_the_log(match)
    found = []
    if notes != dict(_stored_notes(match)):
        found.append("The hosts' notes are not what the log gives.")
    if questions != dict(_stored_questions(match)):
        found.append("The questions to the hosts are not what the log gives.")
    return found


_Fields = dict[str, Any]


def _from_the_log(match: Match) -> tuple[dict[str, _Fields], dict[str, _Fields]]:
    notes: dict[str, _Fields] = {}
    questions: dict[str, _Fields] = {}
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, accepted=True).order_by("number")
    for row in rows.iterator():
        said = json.loads(row.payload)
        if said.get("command") not in _COMMANDS:
            continue
        who = row.actor.partition(":")[2]
        match said["command"]:
            case "announce":
                notes[said["note"]] = {
                    "row": row.pk,
                    "said": (said["kind"], said["text"], said.get("question", ""), said.get("corrects"), who),
                    "at": row.received_at,
                    "withdrawn": None,
                }
            case "withdraw_note":
                notes.setdefault(said["note"], {})["withdrawn"] = (row.received_at, who, said["reason"])
            case "question":
                asked = {"row": row.pk, "said": (who, row.user_id, said["text"]), "at": row.received_at}
                questions[said["question"]] = {**asked, "reply": None}
            case "reply":
                reply = (row.received_at, who, said.get("text", ""), said.get("note"))
                questions.setdefault(said["question"], {})["reply"] = reply
    return notes, questions


def _stored_notes(match: Match) -> Iterator[tuple[str, _Fields]]:
    for note in match.notes.select_related("corrects"):
        corrects = note.corrects.token if note.corrects else None
        withdrawn = (note.withdrawn_at, note.withdrawn_by, note.withdrawn_because)
        fields = {
            "row": note.submission_id,
            "said": (note.kind, note.text, note.asked, corrects, note.host),
            "at": note.at,
            "withdrawn": withdrawn if any(withdrawn) else None,
        }
        yield note.token, fields


def _stored_questions(match: Match) -> Iterator[tuple[str, _Fields]]:
    for each in match.questions.select_related("note"):
        reply = (each.answered_at, each.answered_by, each.answer, each.note.token if each.note else None)
        fields = {
            "row": each.submission_id,
            "said": (each.handle, each.user_id, each.text),
            "at": each.at,
            "reply": reply if any(reply) else None,
        }
        yield each.token, fields
