"""Hosts' commands for announcements, predictions, trusted viewers and applications."""

from datetime import datetime
from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandRequest
from matches.admin.fields import LongTextField, PersonField, moment_field
from matches.infra.text import moment_in_words
from matches.services import hosting
from matches.services.commands import Payload
from seasons.admin.commands.base import BEGUN, DRAFT, RUNNING, SeasonForm, choose_from, member_field
from seasons.models import Call, Member, Season
from seasons.queries.access import open_places
from seasons.services import applications, predictions, running, viewers
from seasons.services.applications import Decision, Status

# -- announcements -------------------------------------------------------------------------------------------


class AnnounceForm(SeasonForm):
    """The text of an announcement."""

    text = LongTextField(
        label="Text",
        most=running.LONGEST_ANNOUNCEMENT,
        missing=hosting.SAY_SOMETHING,
        help_text="Everybody can read it at once, at the top of the season's page. Web addresses become links. You "
        "cannot edit it.",
    )


def _announce_words(request: CommandRequest) -> list[str]:
    return [
        "Everybody can read this at once, with your name, on the season's page, in its story and as a notice:",
        f"“{request.values['text']}”",
    ]


def _announce(request: CommandRequest) -> str:
    running.announce(request.season, request.host, request.values["text"], key=request.key)
    return "Everybody can read your announcement now."


ANNOUNCE = Command(
    *("announce", "Announce…", "megaphone", BEGUN, _announce_words, _announce, AnnounceForm),
    said={"announce": lambda payload: f"Announced: “{payload['text']}”"},
)


# -- predictions ---------------------------------------------------------------------------------------------


class CloseForm(SeasonForm):
    """Which question closes, and when."""

    question = forms.TypedChoiceField(label="Question", coerce=int, widget=forms.RadioSelect)
    until = moment_field(
        "Closes",
        required=False,
        help_text="The question closes by this time. If you leave it empty, “Who goes out next” closes when the next "
        "match begins, and “Who wins the season” when the third match begins, not counting Death Matches.",
    )

    def prepare(self) -> None:
        number = len(predictions.exits_so_far(self.season)) + 1
        choices = [(number, "Who goes out next"), (predictions.WINNER, "Who wins the season")]
        self.fields["question"].choices = choices  # type: ignore[attr-defined]
        self.initial.setdefault("question", number)


def _closes(request: CommandRequest) -> list[str]:
    until = request.values["until"]
    when = f"closes on {moment_in_words(until)}, or as usual if that is earlier" if until else "closes as usual"
    asked = "Who wins the season" if request.values["question"] == predictions.WINNER else "Who goes out next"
    return [f"“{asked}” {when}. Everybody can see that under Predictions."]


def _close(request: CommandRequest) -> str:
    values = request.values
    predictions.close_at(request.season, request.host, values["question"], values["until"], key=request.key)
    return "You have set the closing time."


def _closing_said(payload: Payload) -> str:
    what = "who wins the season" if payload["question"] == predictions.WINNER else "who goes out next"
    until = payload["until"]
    return f"Predictions of {what} close {moment_in_words(datetime.fromisoformat(until)) if until else 'as usual'}"


CLOSE = Command(
    *("predictions", "Close predictions…", "hourglass", (RUNNING,), _closes, _close, CloseForm),
    said={"predictions": _closing_said},
)


# -- trusted viewers -----------------------------------------------------------------------------------------


class ViewerForm(SeasonForm):
    """The member, and the person who becomes their trusted viewer."""

    member = member_field(help_text="The site asks this member first. Nobody sees anything unless the member accepts.")
    person = PersonField(
        "Username",
        "A trusted viewer sees what the member sees (boards, balances, rooms) and can do nothing there. Choose "
        "somebody who does not play in this season, or no longer does.",
    )

    def prepare(self) -> None:
        playing = self.season.cast.filter(status=Member.Status.IN, user__isnull=False)
        choose_from(self, "member", playing.select_related("user"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        person = cleaned.get("person")
        if person is None and "person" not in self.errors:
            self.add_error("person", "Enter a username.")
        elif person is not None and (why_not := viewers.why_no_viewer(self.season, person)):
            self.add_error("person", why_not)
        return cleaned


def _viewer_words(request: CommandRequest) -> list[str]:
    member, person = request.values["member"], request.values["person"]
    return [
        f"The site asks {member.handle} whether {person} may see what {member.handle} sees: boards, balances, rooms.",
        f"Once {member.handle} accepts, {person} sees it, we tell everybody, and {person} can never be a member.",
    ]


def _name_viewer(request: CommandRequest) -> str:
    values = request.values
    viewers.name_viewer(request.season, request.host, values["member"], values["person"], key=request.key)
    return f"The site has asked {values['member'].handle}, who can now accept or decline."


VIEWER = Command(
    *("viewer", "Name a trusted viewer…", "eye", (RUNNING,), _viewer_words, _name_viewer, ViewerForm),
    said={"viewer": lambda payload: f"Trusted viewer of {payload['player']}: {payload['viewer']} {payload['did']}"},
)

# -- applications: asking for them before a season begins, and deciding on them -----------------------------

_LONGEST_QUESTIONS = applications.MOST_QUESTIONS * (applications.LONGEST_QUESTION + 2)


class CallForm(SeasonForm):
    """The questions and the closing time. After `is_valid`, `asked` are the questions."""

    field_order = ("questions", "places", "closes_at", "note")

    questions = LongTextField(
        label="Questions",
        most=_LONGEST_QUESTIONS,
        missing="",
        required=False,
        help_text=f"One per line: at most {applications.MOST_QUESTIONS}, each of up to "
        f"{applications.LONGEST_QUESTION} characters. Answers already sent keep their old questions.",
    )
    places = forms.IntegerField(
        label="Places", min_value=1, max_value=applications.MOST_PLACES, help_text="How many you want to choose."
    )
    closes_at = moment_field("Applications close", help_text="In your time zone. A time in the past closes them now.")
    note = LongTextField(
        label="What applicants should know",
        most=applications.LONGEST_NOTE,
        missing="",
        rows=3,
        required=False,
        help_text="You can leave this empty.",
    )

    def prepare(self) -> None:
        if call := Call.objects.filter(season=self.season).first():
            usual = {"questions": "\n".join(call.questions), **{n: getattr(call, n) for n in ("places", "note")}}
            self.initial = {**usual, "closes_at": call.closes_at, **self.initial}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["asked"] = [line.strip() for line in cleaned.get("questions", "").splitlines() if line.strip()]
        return cleaned


def _ask_words(request: CommandRequest) -> list[str]:
    applications.check_questions(request.values["asked"])
    closes = moment_in_words(request.values["closes_at"])
    return [
        f"People with the link and an account can apply until {closes}. The page shows the title, the description, the "
        "hosts, your questions and your note, and nothing else about the season.",
        "Only hosts read the answers.",
    ]


def _ask(request: CommandRequest) -> str:
    values = request.values
    rest = values["closes_at"], values["places"], values["note"]
    applications.call_for(request.season, request.host, values["asked"], *rest)
    return "Under “Applications…” you find the link to share and a list of applicants."


ASK = Command(*("apply", "Ask for applications…", "users", (DRAFT,), _ask_words, _ask, CallForm))


class DecideForm(SeasonForm):
    """A field for each waiting application and each alternate. After `is_valid`, `decisions` has the decided ones."""

    def prepare(self) -> None:
        places = [
            (f"{Status.CHOSEN}:{each.pk}", f"Choose them for the place {each.handle}")
            for each in open_places(self.season)
        ]
        new = [(f"{Status.CHOSEN}:", "Choose them for the cast")] if self.season.status == DRAFT else []
        others = [(f"{Status.ALTERNATE}:", "Alternate"), (f"{Status.DECLINED}:", "Decline")]
        choices = [("", "Leave it for now"), *new, *places, *others]
        self.waiting = {f"what-{each.pk}": each for each in _open_ones(self.season) if not each.has_place}
        for name, each in self.waiting.items():
            label = f"{each.user} ({each.get_status_display().lower()})"
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        given = {name: value.partition(":") for name, value in cleaned.items() if value}
        if not given and not self.errors:
            raise forms.ValidationError("Decide on at least one application.")
        places = {str(each.pk): each for each in open_places(self.season)}
        decided = [Decision(self.waiting[name], what, places.get(place)) for name, (what, _, place) in given.items()]
        return {"decisions": decided}


def _open_ones(season: Season) -> Any:
    found = season.applications.exclude(status=Status.WITHDRAWN).select_related("user", "member")
    return found.order_by("sent_at", "pk")


def _decide_words(request: CommandRequest) -> list[str]:
    return [
        *map(_said, request.values["decisions"]),
        "We tell the applicants at once. You can still change a decision, unless it put somebody in the cast.",
    ]


def _said(decision: Decision) -> str:
    who = decision.application.user
    if decision.status == Status.CHOSEN:
        where = decision.place.handle if decision.place else f"a new member, named after {who.username}"
        return f"{who} joins the cast as {where}."
    if decision.status == Status.ALTERNATE:
        return (
            f"{who} is an alternate. If somebody withdraws before the first match, the alternate who applied first "
            "gets the place."
        )
    return f"You have declined {who}'s application."


def _decide(request: CommandRequest) -> str:
    applications.decide(request.season, request.host, request.values["decisions"])
    return "You have decided, and we have told the applicants."


DECIDE = Command(
    *("decide", "Decide on applications…", "gavel", (DRAFT, RUNNING), _decide_words, _decide, DecideForm),
    suits=lambda season: (
        not season.matches.filter(opened_at__isnull=False).exists()
        and any(not each.has_place for each in _open_ones(season))
    ),
)
