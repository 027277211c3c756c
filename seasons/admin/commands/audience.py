"""What hosts say to everybody, until when people can predict, and who watches with a member."""

from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandRequest
from matches.admin.fields import LongTextField, PersonField, moment_field
from matches.infra.text import moment_in_words
from matches.services import hosting
from matches.services.commands import Payload
from seasons.admin.commands.base import BEGUN, RUNNING, SeasonForm, choose_from, member_field
from seasons.models import Member
from seasons.services import predictions, running, viewers

# -- announcements -------------------------------------------------------------------------------------------


class AnnounceForm(SeasonForm):
    """What everybody is to read."""

    text = LongTextField(
        label="Text",
        most=running.LONGEST_ANNOUNCEMENT,
        missing=hosting.SAY_SOMETHING,
        help_text="Everybody can read it at once, at the top of the season's page. Web addresses become links. You "
        "cannot edit it.",
    )


def _announce_words(request: CommandRequest) -> list[str]:
    return [
        "Everybody reads this at once, with your name, on the season's page, in its story and as a notice:",
        f"“{request.values['text']}”",
    ]


def _announce(request: CommandRequest) -> str:
    running.announce(request.season, request.host, request.values["text"], key=request.key)
    return "Everybody can read it now."


ANNOUNCE = Command(
    *("announce", "Announce…", "megaphone", BEGUN, _announce_words, _announce, AnnounceForm),
    said={"announce": lambda payload: f"Announced: “{payload['text']}”"},
)


# -- predictions ---------------------------------------------------------------------------------------------


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


def _closing_said(payload: Payload) -> str:
    what = "who wins" if payload["question"] == predictions.WINNER else "who goes out next"
    return f"Predictions of {what} close {payload['until'] or 'as usual'}"


CLOSE = Command(
    *("predictions", "Close predictions…", "hourglass", (RUNNING,), _closes, _close, CloseForm),
    said={"predictions": _closing_said},
)


# -- trusted viewers -----------------------------------------------------------------------------------------


class ViewerForm(SeasonForm):
    """Whose trusted viewer, and who."""

    member = member_field(help_text="The site asks this member first. Nobody sees anything unless they accept.")
    person = PersonField(
        "Username",
        "A trusted viewer sees what the member sees (boards, account, rooms) and can do nothing there. Choose somebody "
        "who does not play in this season, or is out of it.",
    )

    def prepare(self) -> None:
        playing = self.season.cast.filter(status=Member.Status.IN, user__isnull=False)
        choose_from(self, "member", playing.select_related("user"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        person = cleaned.get("person")
        if person is None and "person" not in self.errors:
            self.add_error("person", "Type a username.")
        elif person is not None and (why_not := viewers.why_no_viewer(self.season, person)):
            self.add_error("person", why_not)
        return cleaned


def _viewer_words(request: CommandRequest) -> list[str]:
    member, person = request.values["member"], request.values["person"]
    return [
        f"The site asks {member.handle} whether {person} may see what {member.handle} sees: boards, account, rooms.",
        f"They see nothing before {member.handle} accepts. Then we tell everybody, and {person} can never be a member.",
    ]


def _name_viewer(request: CommandRequest) -> str:
    values = request.values
    viewers.name_viewer(request.season, request.host, values["member"], values["person"], key=request.key)
    return f"The site has asked {values['member'].handle}, who can now accept or decline."


VIEWER = Command(
    *("viewer", "Name a trusted viewer…", "eye", (RUNNING,), _viewer_words, _name_viewer, ViewerForm),
    said={"viewer": lambda payload: f"Trusted viewer of {payload['player']}: {payload['viewer']} {payload['did']}"},
)
