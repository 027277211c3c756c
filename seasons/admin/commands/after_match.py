"""What follows from a match: confirming its settlement, naming an opponent, booking the Death Match."""

from __future__ import annotations

from typing import Any

from django import forms

from seasons.admin.commands.base import SeasonForm, SeasonRequest, of_the_rules, public_reason
from seasons.engine.season import opponents
from seasons.engine.settings import BY_HOST
from seasons.engine.state import DEATH_MATCH, SeasonState
from seasons.models import Season


def _choices(form: SeasonForm, handles: tuple[str, ...]) -> list[tuple[str, str]]:
    names = {member.handle: member.shown_name for member in form.season.cast.all()}
    return [(handle, names.get(handle, handle)) for handle in handles]


# -- settlement ----------------------------------------------------------------------------------------


def _unconfirmed(season: Season, state: SeasonState | None) -> list[str]:
    return [match.key for match in state.matches if match.result is not None] if state else []


class SettleForm(SeasonForm):
    """The match whose settlement is confirmed: the one that was shown, so that nobody confirms another."""

    match = forms.CharField(widget=forms.HiddenInput, max_length=10, required=False)

    def prepare(self) -> None:
        self.initial["match"] = next(iter(_unconfirmed(self.season, self.state)), "")


def _settled(request: SeasonRequest) -> dict[str, Any]:
    key = str(request.values.get("match") or "")
    return {"settle": key or next(iter(_unconfirmed(request.season, request.state)), "0")}


SETTLE = of_the_rules(
    "settle",
    "Confirm the settlement…",
    "check",
    lambda season, state: bool(_unconfirmed(season, state)),
    SettleForm,
    _settled,
    lambda request: "The match is settled.",
    "That cannot be undone; corrections are bookings.",
    is_asked=True,
)


# -- the opponent --------------------------------------------------------------------------------------


class OpponentForm(SeasonForm):
    """Who meets the candidate in the Death Match."""

    opponent = forms.ChoiceField(
        label="Opponent", widget=forms.RadioSelect, error_messages={"required": "Choose the opponent."}
    )

    def prepare(self) -> None:
        options = opponents(self.state) if self.state else ()
        self.fields["opponent"].choices = _choices(self, options)  # type: ignore[attr-defined]


def _hosts_name(season: Season, state: SeasonState | None) -> bool:
    return state is not None and state.settings.opponent == BY_HOST and bool(opponents(state))


OPPONENT = of_the_rules(
    "opponent",
    "Name the opponent…",
    "users",
    _hosts_name,
    OpponentForm,
    lambda request: {"name_opponent": request.values["opponent"]},
    lambda request: "The opponent is named.",
    is_asked=True,
)


# -- the Death Match -----------------------------------------------------------------------------------


class DeathMatchForm(SeasonForm):
    """Who has lost, and how it was decided."""

    loser = forms.ChoiceField(
        label="Who has lost", widget=forms.RadioSelect, error_messages={"required": "Choose who has lost."}
    )
    reason = public_reason()

    def prepare(self) -> None:
        between = self.state.after.between if self.state and self.state.after else ()
        self.fields["loser"].choices = _choices(self, between)  # type: ignore[attr-defined]


def _result(request: SeasonRequest) -> dict[str, Any]:
    return {"death_match": {"loser": request.values["loser"]}, "reason": request.values["reason"]}


def _is_to_be_booked(season: Season, state: SeasonState | None) -> bool:
    """Whether hosts book the result; while the Death Match is being played, it decides by itself."""
    return state is not None and state.phase == DEATH_MATCH and not any(each.is_death_match for each in state.matches)


BOOK = of_the_rules(
    "death-match",
    "Book the Death Match…",
    "gavel",
    _is_to_be_booked,
    DeathMatchForm,
    _result,
    lambda request: "The Death Match is booked.",
    "This cannot be undone.",
    is_asked=True,
)
