"""Answers of hosts to players' questions: to the asker alone, or to everybody without saying who asked."""

from __future__ import annotations

from typing import Any

from matches.engine.step import to_player
from matches.models import HostNote, Match, Player, Question, Submission
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.hosting.notes import LONGEST_NOTE, say_to_everybody
from matches.services.plain_text import plain_text
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

LONGEST_ASKED = 500
_SAY_SOMETHING = "Write the answer."


@retrying
def answer(match: Match, host: Any, token: str, text: str, *, key: str = "") -> None:
    """Answer a question; only the asker and the hosts read it. Raises `CommandRefused` if it is answered already,
    `BadText`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    text = plain_text(text, LONGEST_NOTE, missing=_SAY_SOMETHING)
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        question = _open(writer.match, token)
        question.answer = text
        _close(writer, host, question, key=key, text=text)
        writer.save_words()


@retrying
def answer_to_everybody(match: Match, host: Any, token: str, text: str, *, asked: str = "", key: str = "") -> HostNote:
    """Answer a question by a clarification. `asked`: the question in the host's own words; neither its own words nor
    who asked are told. Raises as `answer`."""
    text = plain_text(text, LONGEST_NOTE, missing=_SAY_SOMETHING)
    asked = plain_text(asked, LONGEST_ASKED, missing="", field="asked") if asked.strip() else ""
    with command(match, host, key=key, settle=not is_at_fault(match)) as writer:
        question = _open(writer.match, token)
        note = say_to_everybody(writer, host, HostNote.Kind.CLARIFICATION, text, asked=asked)
        question.note = note
        _close(writer, host, question, key=key, note=note.token)
        writer.save_words()
        return note


def _open(match: Match, token: str) -> Question:
    question = match.questions.filter(token=token).first()
    if question is None:
        raise CommandRefused("There is no such question in this match.", field="question")
    if question.answered_at is not None:
        raise CommandRefused(f"{question.answered_by} has answered that question already.", field="question")
    return question


def _close(writer: Writer, host: Any, question: Question, *, key: str, **data: str) -> None:
    """Note in a private row of the log what answers a question, and tell the asker, if they still play."""
    entry = writer.record(command_row(writer, host, "reply", key=key, question=question.token, **data))
    question.answered_at, question.answered_by = writer.now, host.username
    question.save(update_fields=["answered_at", "answered_by", "answer", "note"])
    _tell_asker(writer, entry, question)


def _tell_asker(writer: Writer, entry: Submission, question: Question) -> None:
    asker = Player.objects.filter(match=writer.match, user_id=question.user_id).first()
    if asker is not None:
        data = {"question": question.token, "to_everybody": question.note is not None}
        writer.announce(entry, to_player(asker.handle), "question_answered", **data)
        writer.touch(players={asker.pk})
