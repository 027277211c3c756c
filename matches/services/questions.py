"""Texts of several lines that people write for others: what is taken, and what is refused with a sentence."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.engine.step import HOSTS
from matches.models import Match, NotesRead, Player, Question, Submission
from matches.models.log import new_token
from matches.services.actions import check_key, find_player
from matches.services.errors import KeyConflict, Refused
from matches.services.locking import locked_match
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

_EMPTY_LINES = re.compile(r"\n{3,}")


class BadText(Refused):
    """A text that is not taken: `text_missing`, `text_too_long` or `text_not_visible`."""

    status = 422


def plain_text(text: str, most: int, *, missing: str, field: str = "text") -> str:
    """The text as it is stored: `\\n` ends a line, no blanks at the ends, no more than one empty line in a row.

    Raises `BadText` where nothing is left (with the sentence `missing`), where it has more than `most` characters, and
    where it has characters that nobody sees, that turn the writing direction, or that cannot be stored.
    """
    _check_length(text, most, field, allowed=2 * most)  # browsers send two characters for the end of a line
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    text = _EMPTY_LINES.sub("\n\n", "\n".join(line.rstrip(" \t") for line in lines).strip())
    if not text:
        raise BadText(missing, code="text_missing", field=field)
    _check_length(text, most, field, allowed=most)
    try:
        for line in text.split("\n"):
            if line:
                # Unlike Python's own line ends, only these two characters are taken: others are invisible.
                validate_visible(line)
        if len(text.splitlines()) != text.count("\n") + 1:
            raise ValidationError("other line ends")
    except ValidationError:
        raise BadText(
            "There are characters in it that nobody can see, or that turn the writing direction. Please type it again, "
            "with letters, digits, symbols, spaces and line ends only.",
            code="text_not_visible",
            field=field,
        ) from None
    return text


def _check_length(text: str, most: int, field: str, *, allowed: int) -> None:
    if len(text) > allowed:
        raise BadText(
            f"That is {len(text)} characters long, and at most {most} are allowed. Please shorten it.",
            code="text_too_long",
            field=field,
        )


# -- private questions of players to the hosts of their match ------------------------------------------------

LONGEST_QUESTION = 1000
MOST_OPEN = 5
"""Unanswered questions of one person in one match."""

QUOTAS = ((5, timedelta(minutes=10)), (20, timedelta(days=1)))
"""At most so many questions of one person in one match in this time."""


class TooManyQuestions(Refused):
    code = "too_many_questions"
    status = 429


class Asked(NamedTuple):
    """A stored question; `again`: the same was sent before, and nothing more was done."""

    question: Question
    again: bool


@retrying
def ask_hosts(match_id: int, user_id: int | None, text: str, key: str = "") -> Asked:
    """Store a question of one of the match's players, which only they and the hosts will read.

    `key`: the same key with the same text stores one question only. Raises `NotAPlayer`, `BadText`, `BadKey`,
    `KeyConflict`, `TooManyQuestions`.
    """
    text = plain_text(text, LONGEST_QUESTION, missing="Write your question.")
    check_key(key)
    with locked_match(match_id) as writer:
        player, asker = find_player(match_id, user_id, writer.match), user_id or 0
        if key and (known := writer.known(asker, key)):
            return Asked(_known_question(known, text), True)
        _refuse_beyond_quota(writer, asker)
        question = _store(writer, player, asker, text, key)
        writer.save_words()
        return Asked(question, False)


def _actor(player: Player) -> str:
    return f"player:{player.handle}"


def _known_question(row: Submission, text: str) -> Question:
    known = Question.objects.filter(submission=row).first()
    if known is None or known.text != text:
        raise KeyConflict("This Idempotency-Key was used for something else. Take a new key for a new question.")
    return known


def _refuse_beyond_quota(writer: Writer, asker: int) -> None:
    own = Question.objects.filter(match=writer.match, user_id=asker)
    if own.filter(answered_at=None).count() >= MOST_OPEN:
        raise TooManyQuestions(f"{MOST_OPEN} of your questions wait for an answer. Ask more once the hosts reply.")
    for most, span in QUOTAS:
        moments = list(own.filter(at__gt=writer.now - span).order_by("-at").values_list("at", flat=True)[:most])
        if len(moments) == most:
            raise _too_many(most, span, moments[-1], writer.now)


def _too_many(most: int, span: timedelta, first: datetime, now: datetime) -> TooManyQuestions:
    in_words = "10 minutes" if span < timedelta(hours=1) else "a day"
    refusal = TooManyQuestions(f"At most {most} questions in {in_words} are allowed. Wait a while and ask again.")
    refusal.retry_after = max(1, round((first + span - now).total_seconds()))
    return refusal


def _store(writer: Writer, player: Player, asker: int, text: str, key: str) -> Question:
    """The row of the log is a command, as those about joining: it names no player by id, because one who leaves before
    the start is deleted."""
    token = new_token()
    payload = {"command": "question", "question": token, "text": text}
    entry = writer.record(writer.row(payload, actor=_actor(player), user_id=asker, key=key))
    question = Question.objects.create(
        match=writer.match,
        submission=entry,
        token=token,
        user_id=asker,
        handle=player.handle,
        text=text,
        at=writer.now,
    )
    writer.announce(entry, HOSTS, "question_asked", player=player.handle)
    writer.touch(players={player.pk})
    return question


def open_questions(match: Match) -> int:
    """How many questions wait for an answer: for hosts only."""
    return match.questions.filter(answered_at=None).count() if match.voice else 0


# -- noting until when a person has read the hosts' notes of a match -----------------------------------------


def note_read(match: Match, user: Any, until: datetime) -> None:
    """This person has read what was said until then. It never goes back, whatever page sends it."""
    read, is_new = NotesRead.objects.get_or_create(match=match, user=user, defaults={"until": until})
    if not is_new and read.until < until:
        NotesRead.objects.filter(pk=read.pk, until__lt=until).update(until=until)
