"""Answering players' questions: the asker alone, or everybody without saying who asked."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandForm, CommandRequest, Payload, Sentences
from matches.admin.text_fields import TextField
from matches.infra.moments import moment_in_words
from matches.models import Match, Question
from matches.queries.voice import questions_for_hosts
from matches.services import hosting
from matches.services.questions import open_questions

_ALONE, _EVERYBODY = "asker", "everybody"


class AnswerForm(CommandForm):
    """Which question, the answer, and who reads it."""

    field_order = ("question", "text", "to", "asked")

    question = forms.ChoiceField(label="Question", error_messages={"required": "Choose a question."})
    text = TextField(
        label="Answer",
        most=hosting.LONGEST_NOTE,
        missing="Write the answer.",
        help_text="Web addresses become links. An answer is never edited.",
    )
    to = forms.ChoiceField(
        label="Who reads it",
        choices=[(_ALONE, "Only who asked"), (_EVERYBODY, "Everybody, as a clarification; nobody is told who asked")],
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
        help_text="In your own words: those of the question may show who asked, so they are not copied. May be left "
        "empty. Nobody reads it if only the asker gets the answer.",
    )

    def prepare(self) -> None:
        waiting = [each for each in questions_for_hosts(self.match) if each.answered_at is None]
        self.fields["question"].choices = [(each.token, _in_words(each)) for each in waiting]  # type: ignore[attr-defined]


def _in_words(question: Question) -> str:
    return f"{question.handle}, {moment_in_words(question.at)}: {' '.join(question.text.split())}"


def _question(request: CommandRequest) -> Any:
    return request.match.questions.filter(token=request.values["question"]).first()


def _answer_words(request: CommandRequest) -> list[str]:
    question, values = _question(request), request.values
    asked = f"{question.handle} asked: “{question.text}”" if question else "The question"
    if values["to"] == _ALONE:
        reads = f"Only {question.handle} and the hosts read your answer:" if question else "Only the asker reads:"
        return [asked, reads, f"“{values['text']}”"]
    said = [asked, "Everybody reads this clarification at once. Nobody is told who asked, now or after the match."]
    if values["asked"]:
        said.append(f"The question, in your words: “{values['asked']}”")
    else:
        said.append("The question is not shown, only the answer.")
    return [*said, f"“{values['text']}”"]


def _answer(request: CommandRequest) -> str:
    values = request.values
    if values["to"] == _EVERYBODY:
        hosting.answer_to_everybody(
            request.match, request.host, values["question"], values["text"], asked=values["asked"], key=request.key
        )
        return "Everybody can read the answer now."
    hosting.answer(request.match, request.host, values["question"], values["text"], key=request.key)
    return "The answer is sent. Only the asker and the hosts can read it."


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
)

SENTENCES: Sentences = {"question": lambda payload: "Asked the hosts a question", "reply": _replied}
