"""Making an invitation to a place: for somebody with an account, or as a link to send."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms

from matches.admin import formats, typed
from matches.admin.commands.base import BEFORE, BEGUN, Command, CommandForm, CommandRequest, Sentences
from matches.admin.line_fields import LineField
from matches.models import Link, Match, clock
from matches.services import invitations
from matches.services.insiders import why_not_play


class ForWhomForm(forms.Form):
    """For whom a link is, and for how long."""

    person = forms.CharField(
        label="For whom (username)",
        required=False,
        max_length=150,
        widget=forms.TextInput(attrs={"size": 24, "autocomplete": "off", "spellcheck": "false"}),
        help_text="They get the link as a notice. Leave it empty for a link that you send yourself.",
    )
    label = LineField(
        label="A note for yourself",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"size": 30, "autocomplete": "off"}),
        help_text="Such as whom you sent it to. Only hosts read it.",
    )
    lasts = forms.CharField(
        label="Works for",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        help_text="Such as 3d or 12h. Empty: until it is used or revoked.",
    )

    def why_not(self, person: Any) -> str:
        """Why somebody cannot have such a place, in a sentence; empty if they can."""
        raise NotImplementedError

    def clean_person(self) -> Any:
        username = self.cleaned_data["person"].strip()
        if not username:
            return None
        found = typed.person(username)
        if why_not := self.why_not(found):
            raise forms.ValidationError(why_not)
        return found

    def clean_lasts(self) -> timedelta | None:
        lasts = self.cleaned_data["lasts"].strip()
        return typed.span(lasts, invitations.LONGEST) if lasts else None


class InviteForm(ForWhomForm, CommandForm):
    """To which place of a match, for whom, and for how long."""

    field_order = ("place", "person", "label", "lasts")

    place = forms.ChoiceField(
        label="Place", error_messages={"invalid_choice": "Somebody else plays there by now: choose again."}
    )

    def prepare(self) -> None:
        players = self.match.players.select_related("user")
        if self.match.status in BEFORE:
            players = players.filter(user=None, is_bot=False)
        self.places = {f"{each.pk}:{each.user_id or ''}:{int(each.is_bot)}": each for each in players}
        choices = [(token, _called(each)) for token, each in self.places.items()]
        self.fields["place"].choices = [("", "choose"), *choices]  # type: ignore[attr-defined]
        wanted = str(self.initial.pop("player", ""))
        self.initial.setdefault("place", next((t for t, each in self.places.items() if str(each.pk) == wanted), ""))

    def why_not(self, person: Any) -> str:
        if self.match.players.filter(user=person).exists():
            return f"{person} plays in this match already."
        return why_not_play(self.match, person)


def _called(player: Any) -> str:
    if player.is_open:
        return f"{player.handle}: open"
    return f"{player.handle}: take over from {player.user.username if player.user else 'the bot'}"


def link_words(values: Mapping[str, Any], place: Any) -> list[str]:
    """What a new link to a place will be, as the form says."""
    for_whom = values["person"]
    said = [f"A new link to the place {place.handle}. Links that were made for it before no longer work."]
    said.append(f"{for_whom} gets it as a notice." if for_whom else "You find it on the page of invitations, to send.")
    if not place.is_open:
        who = place.user.username if place.user else "the bot"
        said.append(f"When somebody uses it, {who} loses the place for good, and everybody is told.")
    if values["lasts"] is not None:
        said.append(f"It works until {formats.instant(clock.now() + values['lasts'])}.")
    return said


def made_words(made: Link) -> str:
    """Where the new link is."""
    return f"{made.sent_to} has the invitation." if made.sent_to else "The link is on the page of invitations."


def _words(request: CommandRequest) -> list[str]:
    return link_words(request.values, request_place(request))


def request_place(request: CommandRequest) -> Any:
    """The chosen place as it is now."""
    number = request.values["place"].split(":")[0]
    return request.match.players.select_related("user").get(pk=number)


def _run(request: CommandRequest) -> str:
    values = request.values
    place = request_place(request)
    made = invitations.invite(
        request.match,
        request.host,
        place,
        sent_to=values["person"],
        label=values["label"],
        lasts=values["lasts"],
        key=request.key,
    )
    return made_words(made)


def _has_places(match: Match) -> bool:
    return match.status in BEGUN or match.players.filter(user=None, is_bot=False).exists()


INVITE = Command("invite", "Invite…", "copy", (*BEFORE, *BEGUN), _words, _run, InviteForm, suits=_has_places)

SENTENCES: Sentences = {
    "invite": lambda payload: (
        f"Made an invitation to {'take over ' if payload['takes_over'] else ''}the place {payload['player']}"
    ),
    "invite_again": lambda payload: f"Sent the invitation to the place {payload['player']} again",
    "revoke_invitation": lambda payload: f"Revoked the invitation to the place {payload['player']}",
}
