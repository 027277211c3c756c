"""The table in which hosts change the cast of a season that has not begun."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from django import forms
from django.forms import formset_factory

from matches.admin.players_table import NamesTable, PlayerRow, as_typed
from matches.services.names import Names
from seasons.models import Season
from seasons.services.drafting import host_names_of

_SPARE = 2
_ANY_TEAM: Any = SimpleNamespace(rules=SimpleNamespace(teams=()))
"""Stands for a match in the row of a member, whose team is none of a match type's."""


class MemberRow(PlayerRow):
    """One member: a person, a bot, or, with a handle alone, an open place with an invitation. A team is any word."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, match=_ANY_TEAM, **kwargs)
        team = forms.CharField(
            label="Team",
            required=False,
            max_length=30,
            widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        )
        self.fields["team"] = team
        self.order_fields(["player", "position", "person", "is_bot", "handle", "name", "team", "garnets", "priority"])


class MemberRows(NamesTable):
    """The members of a season."""

    season: Season

    def other_names(self) -> Iterable[Names]:
        return host_names_of(self.season)


def cast_table(season: Season, data: Any = None) -> Any:
    """The table of a season's members, with a few spare rows."""
    members = list(season.cast.select_related("user").order_by("position", "pk"))
    made = formset_factory(MemberRow, formset=MemberRows, extra=_SPARE, max_num=200, absolute_max=300)
    formset: Any = made(data, initial=[as_typed(member) for member in members], prefix="cast")
    formset.season = season
    by_pk = {str(member.pk): member for member in members}
    for form in formset.forms:
        form.listed = by_pk.get(str(form["player"].value()))
    return formset
