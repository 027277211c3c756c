"""Until when people can predict who goes out next, and who wins."""

from __future__ import annotations

from django import forms

from matches.admin.commands.base import Command, CommandRequest, Payload
from matches.admin.fields import moment_field
from matches.infra.text import moment_in_words
from seasons.admin.commands.base import RUNNING, SeasonForm
from seasons.services import predictions


class CloseForm(SeasonForm):
    """Which question, and until when it can be answered at the latest."""

    question = forms.TypedChoiceField(label="Question", coerce=int, widget=forms.RadioSelect)
    until = moment_field(
        "Closes",
        required=False,
        help_text="The latest time. If empty: when the next match begins, or the third for who wins.",
    )

    def prepare(self) -> None:
        number = len(predictions.exits_so_far(self.season)) + 1
        choices = [(number, "Who goes out next"), (predictions.WINNER, "Who wins the season")]
        self.fields["question"].choices = choices  # type: ignore[attr-defined]
        self.initial.setdefault("question", number)


def _closes(request: CommandRequest) -> list[str]:
    until = request.values["until"]
    when = f"closes {moment_in_words(until)}, or earlier if a match begins" if until else "closes as usual"
    asked = "Who wins" if request.values["question"] == predictions.WINNER else "Who goes out next"
    return [f"“{asked}” {when}. Everybody can see that under Predictions."]


def _close(request: CommandRequest) -> str:
    values = request.values
    predictions.close_at(request.season, request.host, values["question"], values["until"], key=request.key)
    return "The closing time is set."


def _said(payload: Payload) -> str:
    what = "who wins" if payload["question"] == predictions.WINNER else "who goes out next"
    return f"Predictions of {what} close {payload['until'] or 'as usual'}"


CLOSE = Command(
    *("predictions", "Close predictions…", "hourglass", (RUNNING,), _closes, _close, CloseForm),
    said={"predictions": _said},
)
