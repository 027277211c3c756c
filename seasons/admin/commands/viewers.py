"""Naming a trusted viewer of a member."""

from __future__ import annotations

from typing import Any

from matches.admin.commands.base import Command, CommandRequest
from matches.admin.fields import PersonField
from seasons.admin.commands.base import RUNNING, SeasonForm, choose_from, member_field
from seasons.models import Member
from seasons.services import viewers


class ViewerForm(SeasonForm):
    """Whose trusted viewer, and who."""

    member = member_field()
    person = PersonField("Username", "Somebody who does not play in this season, or is out of it.")

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
    return f"{values['member'].handle} can now decide. The site has asked them."


VIEWER = Command(
    *("viewer", "Name a trusted viewer…", "eye", (RUNNING,), _viewer_words, _name_viewer, ViewerForm),
    said={"viewer": lambda payload: f"Trusted viewer of {payload['player']}: {payload['viewer']} {payload['did']}"},
)
