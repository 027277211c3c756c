"""Making an invitation to an open place of the cast: for somebody with an account, or as a link to send."""

from __future__ import annotations

from typing import Any

from matches.admin import formats
from matches.admin.commands.inviting import ForWhomForm
from matches.models import clock
from seasons.admin.commands.base import MemberField, SeasonCommand, SeasonForm, SeasonRequest, choose_from
from seasons.engine.state import SeasonState
from seasons.models import Season
from seasons.queries.invitations import open_places
from seasons.services import invitations
from seasons.services.roles import why_no_member


class InviteForm(ForWhomForm, SeasonForm):
    """To which place, for whom, and for how long."""

    field_order = ("member", "person", "label", "lasts")

    member = MemberField(
        "Place", error_messages={"invalid_choice": "Somebody has taken that place by now: choose again."}
    )

    def prepare(self) -> None:
        choose_from(self, "member", open_places(self.season))

    def why_not(self, person: Any) -> str:
        if self.season.cast.filter(user=person).exists():
            return f"{person} is in the cast already."
        return why_no_member(self.season, person)


def _words(request: SeasonRequest) -> list[str]:
    values = request.values
    for_whom = values["person"]
    said = [f"A new link to the place {values['member'].handle}. Links that were made for it before no longer work."]
    said.append(f"{for_whom} gets it as a notice." if for_whom else "You find it on the page of invitations, to send.")
    if values["lasts"] is not None:
        said.append(f"It works until {formats.instant(clock.now() + values['lasts'])}.")
    return said


def _run(request: SeasonRequest) -> str:
    values = request.values
    made = invitations.invite(
        request.season,
        request.host,
        values["member"],
        sent_to=values["person"],
        label=values["label"],
        lasts=values["lasts"],
        key=request.key,
    )
    if made.sent_to is not None:
        return f"{made.sent_to} has the invitation."
    return "The link is on the page of invitations."


def _has_places(season: Season, state: SeasonState | None) -> bool:
    return open_places(season).exists()


INVITE = SeasonCommand("invite", "Invite…", "copy", _has_places, _words, _run, InviteForm)
