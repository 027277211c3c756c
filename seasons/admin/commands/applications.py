"""Asking for applications to a season that has not begun, and deciding on them."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandRequest
from matches.admin.fields import LongTextField, moment_field
from matches.infra.text import moment_in_words
from seasons.admin.commands.base import DRAFT, RUNNING, SeasonForm, choose_from, member_field
from seasons.models import Application, Call, Season
from seasons.queries.access import open_places
from seasons.services import applications

_LONGEST_QUESTIONS = applications.MOST_QUESTIONS * (applications.LONGEST_QUESTION + 2)


class CallForm(SeasonForm):
    """What is asked, until when. After `is_valid`, `asked` are the questions."""

    field_order = ("questions", "places", "closes_at", "note")

    questions = LongTextField(
        label="Questions",
        most=_LONGEST_QUESTIONS,
        missing="",
        required=False,
        help_text=f"One a line, at most {applications.MOST_QUESTIONS} of {applications.LONGEST_QUESTION} characters. "
        "Answers that were given stay with the questions as they were.",
    )
    places = forms.IntegerField(
        label="Places", min_value=1, max_value=applications.MOST_PLACES, help_text="How many you want to choose."
    )
    closes_at = moment_field("Applications close", help_text="In your time zone. A moment in the past closes them now.")
    note = LongTextField(
        label="What applicants should know",
        most=applications.LONGEST_NOTE,
        missing="",
        rows=3,
        required=False,
        help_text="May be left empty.",
    )

    def prepare(self) -> None:
        if call := Call.objects.filter(season=self.season).first():
            usual = {"questions": "\n".join(call.questions), **{n: getattr(call, n) for n in ("places", "note")}}
            self.initial = {**usual, "closes_at": call.closes_at, **self.initial}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["asked"] = [line.strip() for line in cleaned.get("questions", "").splitlines() if line.strip()]
        if any(len(line) > applications.LONGEST_QUESTION for line in cleaned["asked"]):
            self.add_error("questions", f"A question has at most {applications.LONGEST_QUESTION} characters.")
        elif len(cleaned["asked"]) > applications.MOST_QUESTIONS:
            self.add_error("questions", f"Ask at most {applications.MOST_QUESTIONS} questions.")
        return cleaned


def _ask_words(request: CommandRequest) -> list[str]:
    closes = moment_in_words(request.values["closes_at"])
    return [
        f"Whoever has the link and an account can apply until {closes}. The page shows title, description, hosts, your "
        "questions and your note, and nothing else of the season.",
        "Only hosts read the answers.",
    ]


def _ask(request: CommandRequest) -> str:
    values = request.values
    rest = values["closes_at"], values["places"], values["note"]
    applications.call_for(request.season, request.host, values["asked"], *rest)
    return "Under “Applications…” you find the link to share, and who has applied."


ASK = Command(*("apply", "Ask for applications…", "users", (DRAFT,), _ask_words, _ask, CallForm))


_DECISIONS = {
    Application.Status.CHOSEN: "Choose: they are in the cast",
    Application.Status.ALTERNATE: "Make an alternate, who gets the place of the first who withdraws",
    Application.Status.DECLINED: "Decline",
}


class DecideForm(SeasonForm):
    """On whose application, and what."""

    application = forms.ChoiceField(label="Application")
    what = forms.ChoiceField(
        label="Decision",
        choices=list(_DECISIONS.items()),
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what becomes of it."},
    )
    member = member_field("Place", required=False, help_text="For somebody you choose.")
    rank = forms.IntegerField(
        label="Order among alternates", min_value=1, required=False, help_text="Empty: the last, for now."
    )

    def prepare(self) -> None:
        waiting = [each for each in _open_ones(self.season) if not each.has_place]
        self.names = {str(each.pk): f"{each.user} ({each.get_status_display().lower()})" for each in waiting}
        self.fields["application"].choices = list(self.names.items())  # type: ignore[attr-defined]
        choose_from(self, "member", open_places(self.season))
        is_draft = self.season.status == DRAFT
        place: Any = self.fields["member"]
        place.empty_label = "a new place, named after them" if is_draft else "choose"


def _open_ones(season: Season) -> Any:
    return season.applications.exclude(status=Application.Status.WITHDRAWN).select_related("user", "member")


def _decide_words(request: CommandRequest) -> list[str]:
    values = request.values
    found = _open_ones(request.season).get(pk=values["application"])
    decision, place = values["what"], values["member"]
    if decision == Application.Status.CHOSEN:
        where = place.handle if place else f"a new member, named after {found.user.username}"
        said = f"{found.user} is in the cast: {where}."
    elif decision == Application.Status.ALTERNATE:
        said = (
            f"{found.user} is an alternate. If somebody withdraws before the first match, the first one gets the place."
        )
    else:
        said = f"The application of {found.user} is declined."
    return [said, "They are told at once. You can still change the decision, unless they are already in the cast."]


def _decide(request: CommandRequest) -> str:
    values = request.values
    decided = {"place": values["member"], "rank": values["rank"]}
    applications.decide(request.season, request.host, int(values["application"]), values["what"], **decided)
    return "It is decided, and they are told."


DECIDE = Command(
    *("decide", "Decide on an application…", "gavel", (DRAFT, RUNNING), _decide_words, _decide, DecideForm),
    suits=lambda season: (
        not season.matches.filter(opened_at__isnull=False).exists()
        and any(not each.has_place for each in _open_ones(season))
    ),
)
