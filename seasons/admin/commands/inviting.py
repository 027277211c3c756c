"""Making an invitation to an open place of the cast: for somebody with an account, or as a link to send."""

from __future__ import annotations

from typing import Any

from matches.admin.commands.inviting import ForWhomForm, link_words, made_words
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
    return link_words(request.values, request.values["member"])


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
    return made_words(made)


def _has_places(season: Season, state: SeasonState | None) -> bool:
    return open_places(season).exists()


INVITE = SeasonCommand("invite", "Invite…", "copy", _has_places, _words, _run, InviteForm)
