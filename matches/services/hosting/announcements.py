"""What hosts say to players: announcements, clarifications, answers, reminders. None of it is ever edited."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from matches.engine.sentences import SAY_WHY
from matches.engine.step import EVERYONE, to_player
from matches.engine.strict_json import canonical
from matches.infra.text import moment_in_words
from matches.models import HostNote, Match, Player, Question, Submission, clock
from matches.models.log import new_token
from matches.services.absences import away_now
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.texts import plain_text
from matches.services.writer import Writer

# -- notes ---------------------------------------------------------------------------------------------------
# Announcements and clarifications are made to everybody. Hosts correct one with another, or withdraw it with a reason.
#
# All raise `CommandRefused` with a sentence if the command cannot be carried out now, `BadText` for a text that is
# empty, too long or otherwise unfit, and `NotAHost` if the person does not host the match.

LONGEST_NOTE = 2000
LONGEST_REASON = 200
MOST_NOTES = 200
"""The most in one match, corrections included, because its page shows all of them."""

SAY_SOMETHING = "Write the text for everybody to read."
WHICH_KIND = "Choose whether it is an announcement or a clarification."


@retrying
def announce(match: Match, host: Any, kind: str, text: str, *, corrects: str = "", key: str = "") -> HostNote:
    """Publish a note to everybody. `kind`: one of `HostNote.Kind`; `corrects`: the token of the note that it replaces.
    Raises `AlreadyDone` for a repeated `key`."""
    text = plain_text(text, LONGEST_NOTE, missing=SAY_SOMETHING)
    with command(match, host, key=key, settle=not is_at_fault(match), words=True) as writer:
        return say_to_everybody(writer, host, kind, text, corrects=corrects, key=key)


def say_to_everybody(
    writer: Writer, host: Any, kind: str, text: str, *, asked: str = "", corrects: str = "", key: str = ""
) -> HostNote:
    """The same inside a host's command, which stores the match. `asked`: the text of the question that it answers."""
    if kind not in HostNote.Kind.values:
        raise CommandRefused(WHICH_KIND, field="kind")
    if writer.match.notes.count() >= MOST_NOTES:
        raise CommandRefused(f"This match already has {MOST_NOTES} announcements, the most it can have.")
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
    """Withdraw a note with a reason. It stays readable."""
    reason = plain_text(reason, LONGEST_REASON, missing=SAY_WHY, field="reason")
    with command(match, host, key=key, settle=not is_at_fault(match), words=True) as writer:
        note = _present(writer.match, token)
        entry = writer.record(command_row(writer, host, "withdraw_note", key=key, note=note.token, reason=reason))
        note.withdrawn_at, note.withdrawn_by, note.withdrawn_because = writer.now, host.username, reason
        note.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])
        data = {"kind": note.kind, "note": note.token, "reason": reason}
        writer.announce(entry, EVERYONE, "note_withdrawn", host=host.username, **data)
        writer.touch(public=True)


def _present(match: Match, token: str) -> HostNote:
    """The note with this token. Raises `CommandRefused` unless it still counts."""
    note = match.notes.filter(token=token).select_related("corrected_by").first()
    if note is None:
        raise CommandRefused("There is no such announcement in this match.", field="note")
    if hasattr(note, "corrected_by"):
        raise CommandRefused(
            "Another host has corrected that since you opened this page. Look at the current text first.", field="note"
        )
    if note.withdrawn_at is not None:
        raise CommandRefused("A host has already withdrawn that. Make a new announcement instead.", field="note")
    return note


# -- answers -------------------------------------------------------------------------------------------------
# Hosts answer players' questions to the asker alone, or to everybody without saying who asked.

LONGEST_ASKED = 500
SAY_THE_ANSWER = "Write the answer."


@retrying
def answer(match: Match, host: Any, token: str, text: str, *, key: str = "") -> None:
    """Answer a question to the asker alone; hosts can read it too. Raises `CommandRefused` if it has an answer already,
    `BadText`, `NotAHost`, and `AlreadyDone` for a repeated `key`."""
    text = plain_text(text, LONGEST_NOTE, missing=SAY_THE_ANSWER)
    with command(match, host, key=key, settle=not is_at_fault(match), words=True) as writer:
        question = _open(writer.match, token)
        question.answer = text
        _close(writer, host, question, key=key, text=text)


@retrying
def answer_to_everybody(match: Match, host: Any, token: str, text: str, *, asked: str = "", key: str = "") -> HostNote:
    """Answer a question by a clarification to everybody, without its text or who asked. `asked`: the question in the
    host's words, if they want to repeat it. Raises as `answer`."""
    text = plain_text(text, LONGEST_NOTE, missing=SAY_THE_ANSWER)
    asked = plain_text(asked, LONGEST_ASKED, missing="", field="asked") if asked.strip() else ""
    with command(match, host, key=key, settle=not is_at_fault(match), words=True) as writer:
        question = _open(writer.match, token)
        note = say_to_everybody(writer, host, HostNote.Kind.CLARIFICATION, text, asked=asked)
        question.note = note
        _close(writer, host, question, key=key, note=note.token)
        return note


def _open(match: Match, token: str) -> Question:
    question = match.questions.filter(token=token).first()
    if question is None:
        raise CommandRefused("There is no such question in this match.", field="question")
    if question.answered_at is not None:
        raise CommandRefused(f"{question.answered_by} has answered that question already.", field="question")
    return question


def _close(writer: Writer, host: Any, question: Question, *, key: str, **data: str) -> None:
    """Record a question's answer in a private row of the log, and tell the asker, if they still play in the match."""
    entry = writer.record(command_row(writer, host, "reply", key=key, question=question.token, **data))
    question.answered_at, question.answered_by = writer.now, host.username
    question.save(update_fields=["answered_at", "answered_by", "answer", "note"])
    _tell_asker(writer, entry, question)


def asker_of(question: Question) -> Player | None:
    """Who asked; None if they have left the match, so that they read no answer that is for them alone."""
    return Player.objects.filter(match_id=question.match_id, user_id=question.user_id).first()


def _tell_asker(writer: Writer, entry: Submission, question: Question) -> None:
    if (asker := asker_of(question)) is not None:
        data = {"question": question.token, "to_everybody": question.note is not None}
        writer.announce(entry, to_player(asker.handle), "question_answered", **data)
        writer.touch(players={asker.pk})


# -- reminding the players from whom the match still waits for something -------------------------------------

NOT_AGAIN_FOR = timedelta(hours=6)

_PAYLOAD = canonical({"command": "remind"})


@retrying
def remind(match: Match, host: Any, *, key: str = "") -> list[str]:
    """Remind each player who is asked for something and is not away, and return their handles. The log says that hosts
    sent a reminder but not to whom, which would show who had acted.

    Raises `CommandRefused` if nobody is missing, or if the last reminder was less than six hours ago; `NotAHost`; and
    `AlreadyDone` for a repeated `key`.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="You can remind players only while a match is running.")
        missing = _missing(writer.match, writer.state, writer.time)
        if why_not := why_not_remind(writer.match, writer.now, missing):
            raise CommandRefused(why_not)
        entry = writer.record(command_row(writer, host, "remind", key=key))
        for player, until in missing:
            closes = {} if until is None else {"until": until.isoformat(), "closes": moment_in_words(until)}
            writer.announce(entry, to_player(player.handle), "reminded", host=host.username, **closes)
        writer.touch(players={player.pk for player, _ in missing})
        return [player.handle for player, _ in missing]


def why_not_remind(match: Match, now: datetime, missing: Sequence[Any]) -> str:
    """Why hosts cannot send a reminder now; empty if they can. `missing`: the players who would get it."""
    again = next_reminder(match)
    if again and again > now:
        return f"These players have just had a reminder. You can send another on {moment_in_words(again)}."
    return "" if missing else "There is nobody to remind: everybody has done their part."


def next_reminder(match: Match) -> datetime | None:
    """When hosts may send the next reminder; None if they have sent none."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, payload=_PAYLOAD).order_by("-number")
    last = rows.values_list("received_at", flat=True).first()
    return None if last is None else last + NOT_AGAIN_FOR


def who_is_missing(match: Match) -> list[Player]:
    """The people from whom the match waits for something and who are not away; for hosts only."""
    if not match.state or match.status != Match.Status.OPEN:
        return []
    with as_rule_failure():
        state = match.rules.decode_state(match.state)
        time = max(match.clock.time(clock.now()), state.core.time)
    return [player for player, _ in _missing(match, state, time)]


def _missing(match: Match, state: Any, time: timedelta) -> list[tuple[Player, datetime | None]]:
    """These people, each with the instant of their earliest deadline, if there is one."""
    found = []
    with as_rule_failure():
        people = match.players.filter(user__isnull=False, is_bot=False).exclude(pk__in=away_now(match))
        for player in people.order_by("position", "pk"):
            asked = match.rules.private_view(state, player.handle, time).asked
            if asked:
                found.append((player, _until(match, [ask.until for ask in asked if ask.until is not None])))
    return found


def _until(match: Match, times: list[int | float]) -> datetime | None:
    return match.clock.instant(timedelta(seconds=min(times))) if times else None
