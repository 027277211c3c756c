"""Private questions of players to the hosts of their match; and how far a person has read the hosts' notes."""

import math
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from matches.engine.step import HOSTS
from matches.models import Match, NotesRead, Player, Question, Submission
from matches.models.log import new_token
from matches.services.actions import check_key, find_player
from matches.services.errors import KeyConflict, Refused, retrying
from matches.services.locking import locked_match
from matches.services.refusal_quota import roughly, wait
from matches.services.texts import plain_text
from matches.services.writer import Writer

LONGEST_QUESTION = 1000
MOST_OPEN = 5
"""The most unanswered questions of one person in one match."""

QUOTAS = ((5, timedelta(minutes=10)), (20, timedelta(days=1)))
"""The most questions of one person in one match within each of these times."""


class TooManyQuestions(Refused):
    code = "too_many_questions"
    status = 429
    retry_after: int | None = 3600


class Asked(NamedTuple):
    """A stored question. `again`: it was sent before with the same key, and nothing more was done."""

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
        player, asker = find_player(writer.match, user_id), user_id or 0
        if key and (known := writer.known(asker, key)):
            return Asked(_known_question(known, text), True)
        _refuse_beyond_quota(writer, asker)
        question = _store(writer, player, asker, text, key)
        writer.save_words()
        return Asked(question, False)


def _known_question(row: Submission, text: str) -> Question:
    known = Question.objects.filter(submission=row).first()
    if known is None or known.text != text:
        raise KeyConflict
    return known


def _refuse_beyond_quota(writer: Writer, asker: int) -> None:
    own = Question.objects.filter(match=writer.match, user_id=asker)
    if own.filter(answered_at=None).count() >= MOST_OPEN:
        raise TooManyQuestions(f"{MOST_OPEN} of your questions are waiting for an answer. Ask more once hosts answer.")
    if (left := wait(own, "at", QUOTAS, writer.now)) is not None:
        refusal = TooManyQuestions(f"You have asked too many questions lately. Ask again in {roughly(left)}.")
        refusal.retry_after = math.ceil(left.total_seconds())
        raise refusal


def _store(writer: Writer, player: Player, asker: int, text: str, key: str) -> Question:
    """Store a question. Its row in the log is a command and names no player by id, because a player who leaves before
    the start is deleted."""
    token = new_token()
    payload = {"command": "question", "question": token, "text": text}
    entry = writer.record(writer.row(payload, actor=f"player:{player.handle}", user_id=asker, key=key))
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
    """How many questions wait for an answer; for hosts only."""
    return match.questions.filter(answered_at=None).count() if match.announcements_version else 0


# -- reading the hosts' notes --------------------------------------------------------------------------------


def note_read(match: Match, user: Any, until: datetime) -> None:
    """Note that a person has read the hosts' notes up to an instant. An earlier instant than before changes nothing."""
    read, is_new = NotesRead.objects.get_or_create(match=match, user=user, defaults={"until": until})
    if not is_new and read.until < until:
        NotesRead.objects.filter(pk=read.pk, until__lt=until).update(until=until)
