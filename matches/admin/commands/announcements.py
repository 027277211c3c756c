"""Commands to announce, clarify and withdraw, to answer questions, and to remind players."""

from django import forms

from matches.admin.commands.base import OPEN, Command, CommandForm, CommandRequest
from matches.admin.fields import LongTextField as TextField
from matches.admin.fields import reason_field
from matches.engine.sentences import Name, counted, joined
from matches.infra.text import moment_in_words
from matches.models import HostNote, Match, Question, clock
from matches.queries.announcements import NoteVersion, notes_of, questions_for_hosts
from matches.services import hosting
from matches.services.commands import Payload
from matches.services.questions import open_questions

# -- announcements and clarifications: saying something to everybody, correcting it, withdrawing it ----------

_LABEL = 60


class AnnounceForm(CommandForm):
    """The text of an announcement, and what it replaces."""

    field_order = ("kind", "corrects", "text")

    kind = forms.ChoiceField(
        label="Kind",
        choices=HostNote.Kind.choices,
        initial=HostNote.Kind.ANNOUNCEMENT,
        widget=forms.RadioSelect,
        help_text="A clarification explains how to read the rules.",
        error_messages={"required": hosting.WHICH_KIND},
    )
    text = TextField(
        label="Text",
        most=hosting.LONGEST_NOTE,
        missing=hosting.SAY_SOMETHING,
        help_text="Everybody can read it at once, above the board. Web addresses become links. You cannot "
        "edit it, but you can replace or withdraw it.",
    )
    corrects = forms.ChoiceField(label="Replaces", required=False)

    def prepare(self) -> None:
        present = [("", "nothing (this is new)"), *_choices(self.match)]
        self.fields["corrects"].choices = present  # type: ignore[attr-defined]
        if len(present) == 1:
            del self.fields["corrects"]


class WithdrawForm(CommandForm):
    """The note to withdraw, and the reason."""

    field_order = ("note", "reason")

    note = forms.ChoiceField(label="What to withdraw", error_messages={"required": "Choose what to withdraw."})
    reason = reason_field("Everybody reads your reason beside the announcement, which stays readable.")

    def prepare(self) -> None:
        self.fields["note"].choices = _choices(self.match)  # type: ignore[attr-defined]


def _choices(match: Match) -> list[tuple[str, str]]:
    """The notes that count now: their tokens and labels."""
    return [(note.now.token, _in_short(note.now)) for note in notes_of(match) if not note.now.is_withdrawn]


def _in_short(version: NoteVersion) -> str:
    text = " ".join(version.text.split())
    text = text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}…"
    return f"{HostNote.Kind(version.kind).label} of {moment_in_words(version.at)}: {text}"


def _announce_words(request: CommandRequest) -> list[str]:
    what = HostNote.Kind(request.values["kind"]).label.lower()
    said = [f"Everybody can read this {what} at once, with your name, above the board and in the feed:"]
    said.append(f"“{request.values['text']}”")
    if corrects := request.values.get("corrects"):
        before = dict(_choices(request.match)).get(corrects, "an earlier one")
        said.append(f"It replaces: {before}. The earlier text stays readable, but is struck out.")
    return said


def _announce(request: CommandRequest) -> str:
    values = request.values
    hosting.announce(
        request.match,
        request.host,
        values["kind"],
        values["text"],
        corrects=values.get("corrects") or "",
        key=request.key,
    )
    return f"Everybody can read your {HostNote.Kind(values['kind']).label.lower()} now."


def _withdraw_words(request: CommandRequest) -> list[str]:
    shown = dict(_choices(request.match)).get(request.values["note"], "an announcement")
    return [
        f"This no longer counts, but stays readable, struck out: {shown}",
        f"Everybody can read your reason beside it: “{request.values['reason']}”.",
    ]


def _withdraw(request: CommandRequest) -> str:
    hosting.withdraw(request.match, request.host, request.values["note"], request.values["reason"], key=request.key)
    return "Withdrawn."


_ALWAYS = tuple(Match.Status)


def _announced(match: Match, payload: Payload, name: Name) -> str:
    what = "a clarification" if payload["kind"] == "clarification" else "an announcement"
    return f"corrected {what}: “{payload['text']}”" if "corrects" in payload else f"made {what}: “{payload['text']}”"


ANNOUNCE = Command(
    "announce",
    "Announce…",
    "megaphone",
    _ALWAYS,
    _announce_words,
    _announce,
    AnnounceForm,
    often=True,
    history={"announce": _announced},
    never={"announce": "Everybody can read it at once, so you can only correct or withdraw it."},
)
WITHDRAW = Command(
    "withdraw",
    "Withdraw an announcement…",
    "x",
    _ALWAYS,
    _withdraw_words,
    _withdraw,
    WithdrawForm,
    suits=lambda match: bool(_choices(match)),
    history={"withdraw_note": lambda match, payload, name: "withdrew an announcement or clarification"},
    never={"withdraw_note": "You cannot take this back, but you can announce the text again."},
)


# -- answering players' questions, to the asker alone or to everybody without saying who asked ---------------

_ALONE, _EVERYBODY = "asker", "everybody"


class AnswerForm(CommandForm):
    """The question, the answer, and who reads it."""

    field_order = ("question", "text", "to", "asked")

    question = forms.ChoiceField(label="Question", error_messages={"required": "Choose a question."})
    text = TextField(
        label="Answer",
        most=hosting.LONGEST_NOTE,
        missing=hosting.SAY_THE_ANSWER,
        help_text="Web addresses become links. You cannot edit an answer.",
    )
    to = forms.ChoiceField(
        label="Who reads it",
        choices=[(_ALONE, "Only the asker"), (_EVERYBODY, "Everybody, as a clarification that does not say who asked")],
        initial=_ALONE,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who reads it."},
    )
    asked = TextField(
        label="The question, for everybody",
        most=hosting.LONGEST_ASKED,
        missing="",
        rows=2,
        required=False,
        help_text="Use your own words: the asker's wording may show who asked, so the site does not copy it. You can "
        "leave this empty. Nobody reads this if only the asker gets the answer.",
    )

    def prepare(self) -> None:
        waiting = [each for each in questions_for_hosts(self.match) if each.answered_at is None]
        said = {
            each.token: f"{each.handle}, {moment_in_words(each.at)}: {' '.join(each.text.split())}" for each in waiting
        }
        self.fields["question"].choices = list(said.items())  # type: ignore[attr-defined]


def _who_reads(question: Question | None) -> str:
    """Who reads an answer to the asker alone."""
    if question is not None and hosting.asker_of(question) is None:
        return "Whoever asked has left, so only the hosts and their observers can read the answer."
    return f"Only {question.handle if question else 'the asker'}, the hosts and their observers can read the answer."


def _question_of(request: CommandRequest) -> Question | None:
    return Question.objects.filter(match=request.match, token=request.values["question"]).first()


def _answer_words(request: CommandRequest) -> list[str]:
    question, values = _question_of(request), request.values
    asked = f"{question.handle} asked: “{question.text}”" if question else "The question"
    if values["to"] == _ALONE:
        instead = "" if question is None or hosting.asker_of(question) else " Answer everybody instead."
        return [asked, f"{_who_reads(question)}{instead}", f"“{values['text']}”"]
    said = [asked, "Everybody can read this clarification at once. Nobody learns who asked, now or after the match."]
    if values["asked"]:
        said.append(f"The question, in your words: “{values['asked']}”")
    else:
        said.append("Everybody sees only the answer, not the question.")
    return [*said, f"“{values['text']}”"]


def _answer(request: CommandRequest) -> str:
    values = request.values
    if values["to"] == _EVERYBODY:
        hosting.answer_to_everybody(
            request.match, request.host, values["question"], values["text"], asked=values["asked"], key=request.key
        )
        return "Everybody can read the answer now."
    hosting.answer(request.match, request.host, values["question"], values["text"], key=request.key)
    return f"You have answered. {_who_reads(_question_of(request))}"


def _replied(payload: Payload) -> str:
    return "Answered a question for everybody" if "note" in payload else "Answered a question in private"


ANSWER = Command(
    "answer",
    "Answer a question…",
    "mail",
    tuple(Match.Status),
    _answer_words,
    _answer,
    AnswerForm,
    suits=lambda match: open_questions(match) > 0,
    said={"reply": _replied},
    often=True,
    never={"reply": "People can read the answer at once, so you cannot take it back."},
)


# -- reminding those from whom the match still waits for something -------------------------------------------


def _remind_words(request: CommandRequest) -> list[str]:
    missing = hosting.who_is_missing(request.match)
    return [
        f"{counted(len(missing), 'player')} will get a reminder: {joined(player.handle for player in missing)}.",
        "Each of them gets a notice with your name and the deadline. Nobody else gets one.",
        "Players who act before you confirm get no reminder.",
        "You can remind players once every 6 hours. "
        "After the match everybody can read that you reminded players, but not whom.",
    ]


def _remind(request: CommandRequest) -> str:
    told = hosting.remind(request.match, request.host, key=request.key)
    return f"You have reminded {counted(len(told), 'player')}: {joined(told)}."


REMIND = Command(
    "remind",
    "Remind players who have not acted",
    "hourglass",
    (OPEN,),
    _remind_words,
    _remind,
    refusal=lambda request: hosting.why_not_remind(request.match, clock.now(), hosting.who_is_missing(request.match)),
    often=True,
    history={"remind": lambda match, payload, name: "reminded the players who had not acted yet"},
    never={"remind": "You cannot take back a reminder."},
)
