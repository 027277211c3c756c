"""The table in which hosts enter the players: people, bots, and open places with an invitation."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.forms import BaseFormSet, formset_factory
from django.http import HttpRequest, JsonResponse

from accounts.models import User
from accounts.validators import validate_visible
from matches.admin import sent_forms
from matches.admin.commands.base import Sentences
from matches.admin.formats import in_a_row
from matches.models import Match, Player
from matches.models.player import handle_validator
from matches.services.belonging import group_of
from matches.services.commands import Payload
from matches.services.errors import Refused
from matches.services.places import Names, alike, host_names, validate_player_name
from matches.services.roster import PlayerChange
from matches.services.texts import nobody_called

MOST = 1_000_000
_FOUND = 10
_SPARE_SHOWN = 2
_BROUGHT = ("garnets", "priority", "blood_garnets")


class PlayerRow(forms.Form):
    """One player: a person, a bot, or an open place with an invitation (only a handle)."""

    player = forms.IntegerField(required=False, widget=forms.HiddenInput)
    position = forms.IntegerField(label="Order", required=False, min_value=0, max_value=999, widget=forms.NumberInput())
    person = forms.CharField(
        label="Person (username)",
        required=False,
        max_length=150,
        widget=forms.TextInput(
            attrs={"list": "people", "data-people": True, "autocomplete": "off", "spellcheck": "false", "size": 16}
        ),
    )
    is_bot = forms.BooleanField(label="Bot", required=False)
    handle = forms.CharField(
        label="Handle",
        required=False,
        max_length=30,
        validators=[handle_validator],
        widget=forms.TextInput(attrs={"size": 12, "autocomplete": "off", "spellcheck": "false"}),
    )
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=50,
        validators=[validate_visible],
        widget=forms.TextInput(attrs={"size": 14, "autocomplete": "off"}),
    )
    team = forms.ChoiceField(label="Team", required=False)
    garnets = forms.IntegerField(label="Garnets", required=False, min_value=0, max_value=MOST)
    priority = forms.IntegerField(label="Priority", required=False, min_value=0, max_value=MOST)
    blood_garnets = forms.DecimalField(
        label="Blood garnets", required=False, min_value=0, max_value=MOST, max_digits=14, decimal_places=4
    )
    remove = forms.BooleanField(label="Remove", required=False)

    def __init__(self, *args: Any, match: Match, typed: bool = True, **kwargs: Any) -> None:
        """Make a row; with `typed` it has fields for what a player brings."""
        super().__init__(*args, **kwargs)
        self.match = match
        self.listed: Player | None = None
        teams = match.rules.teams
        if teams:
            team: Any = self.fields["team"]
            team.choices = [("", "no team yet"), *((name, name.title()) for name in teams)]
        else:
            del self.fields["team"]
        for key in _BROUGHT:
            if typed:
                self.fields[key].widget.attrs.update({"placeholder": 0, "inputmode": "decimal"})
            else:
                del self.fields[key]

    def clean_person(self) -> Any:
        username = self.cleaned_data["person"].strip()
        if not username:
            return None
        person = User.objects.called(username)
        if person is None:
            raise forms.ValidationError(
                f"{nobody_called(username)} Check the spelling, or leave it empty and send an invitation."
            )
        return person

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("is_bot") and cleaned.get("person"):
            self.add_error("is_bot", "Either a person or a bot plays in a place. Choose one.")
        if cleaned.get("player") and not cleaned.get("handle") and "handle" not in self.errors:
            self.add_error("handle", "A player needs a handle.")
        for field in ("handle", "name"):
            if self._is_new(field):
                try:
                    validate_player_name(cleaned[field])
                except forms.ValidationError as error:
                    self.add_error(field, error)
        return cleaned

    def _is_new(self, field: str) -> bool:
        """Whether a handle or name was typed that differs from the player's."""
        typed = self.cleaned_data.get(field)
        return bool(typed) and (self.listed is None or getattr(self.listed, field) != typed)

    @property
    def names(self) -> Names:
        """The player's new names, as far as they are valid."""
        return Names(self.cleaned_data.get("handle", ""), self.cleaned_data.get("name", ""))

    @property
    def is_renamed(self) -> bool:
        return self._is_new("handle") or self._is_new("name")

    @property
    def is_empty(self) -> bool:
        """Whether this is an empty spare row."""
        said = ("person", "is_bot", "handle", "name")
        return not self.cleaned_data.get("player") and not any(self.cleaned_data.get(key) for key in said)

    def change(self) -> PlayerChange:
        """Return the change that the row asks for."""
        cleaned = self.cleaned_data
        if cleaned["remove"]:
            return PlayerChange(cleaned["player"], remove=True)
        values: dict[str, Any] = {
            "user": cleaned["person"],
            "is_bot": cleaned["is_bot"],
            "handle": cleaned["handle"],
            "name": cleaned["name"],
        }
        values |= {key: cleaned[key] or 0 for key in _BROUGHT if key in cleaned}
        if "team" in cleaned:
            values["team"] = cleaned["team"]
        if cleaned["position"] is not None:
            values["position"] = cleaned["position"]
        return PlayerChange(cleaned["player"], values)


class NamesTable(BaseFormSet):
    """A formset of `PlayerRow`s, the first of them `shown`; after `is_valid`, `changes` returns what it asks for."""

    shown: int

    def other_names(self) -> Iterable[Names]:
        """Return the names that no row may resemble: those of the hosts."""
        raise NotImplementedError

    def clean(self) -> None:
        rows = [form for form in self.forms if not form.is_empty and not form.cleaned_data.get("remove")]
        found = alike([*(row.names for row in rows), *self.other_names()])
        for number, row in enumerate(rows):
            if number in found and row.is_renamed:
                row.add_error(*found[number])

    def changes(self) -> list[PlayerChange]:
        found = [form.change() for form in self.forms if not form.is_empty]
        return [change for change in found if change.player_id is not None or not change.remove]


class PlayerRows(NamesTable):
    """The players of a match."""

    match: Match

    def other_names(self) -> Iterable[Names]:
        return host_names(self.match)


def players_table(match: Match, data: Any = None) -> Any:
    """Return the formset of a match's players and open places, with some spare rows."""
    players = list(match.players.select_related("user").order_by("position", "pk"))
    wanted = match.rules.sizes.usual[0] - len(players)
    made = formset_factory(PlayerRow, formset=PlayerRows, extra=max(wanted, 2), max_num=200, absolute_max=300)
    group = group_of(match)
    why_not_typed = group.why_not_typed() if group else ""
    rows = {"match": match, "typed": not why_not_typed}
    initial = [as_typed(player) for player in players]
    formset: Any = made(data, initial=initial, prefix="players", form_kwargs=rows)
    formset.why_not_typed = why_not_typed
    brings = group.brings() if group else {}
    by_pk = {str(player.pk): player for player in players}
    formset.match = match
    formset.shown = len(players) + _SPARE_SHOWN
    for form in formset.forms:
        form.listed = by_pk.get(str(form["player"].value()))
        form.brings = brings.get(form.listed.handle, "") if form.listed else ""
    return formset


def check_table(table: Any, check: Callable[[list[PlayerChange]], object]) -> JsonResponse:
    """Return the errors of a table as it is typed now. `check` raises why its changes would be refused."""
    refused = ""
    if table.is_valid():
        try:
            check(table.changes())
        except Refused as refusal:
            refused = refusal.message
    return sent_forms.answer(table.forms, *table.non_form_errors(), refused)


def as_typed(player: Any) -> dict[str, Any]:
    """Return a player, or a member of a season's cast, as the initial values of a row."""
    return {
        "player": player.pk,
        "position": player.position,
        "person": player.user.username if player.user else "",
        "is_bot": player.is_bot,
        "handle": player.handle,
        "name": player.name,
        "team": player.team,
        "garnets": player.garnets or None,
        "priority": player.priority or None,
        "blood_garnets": player.blood_garnets.normalize() if player.blood_garnets else None,
    }


def people(request: HttpRequest) -> JsonResponse:
    """Suggest usernames with the typed beginning."""
    typed = request.GET.get("q", "").strip()[:40]
    if not typed:
        return JsonResponse({"people": []})
    found = get_user_model().objects.filter(is_active=True, username__istartswith=typed).order_by("username")
    return JsonResponse({"people": list(found.values_list("username", flat=True)[:_FOUND])})


def _players(payload: Payload) -> str:
    parts = [f"added {each['handle']}" for each in payload["added"]]
    parts += [f"changed {each['handle']} ({in_a_row(each['changes'])})" for each in payload["changed"]]
    parts += [f"removed {handle}" for handle in payload["removed"]]
    return "Players: " + "; ".join(parts)


SENTENCES: Sentences = {
    "players": _players,
    "add_player": lambda payload: f"Added {payload['player']}",
    "join": lambda payload: f"{payload['player']} joined",
    "leave": lambda payload: f"{payload['player']} left",
    "claim": lambda payload: f"{payload['player']} took their place by invitation",
    "renew_invitation": lambda payload: f"Renewed the invitation to {payload['player']}'s place",
}
