"""What follows from a match: confirming its settlement, naming an opponent, booking the Death Match."""

from __future__ import annotations

from typing import Any

from django import forms
from msgspec import UNSET

from matches.models import clock
from seasons.admin.commands.base import SeasonForm, SeasonRequest, of_the_rules, public_reason
from seasons.engine.commands import TAKE_BACK_WITHIN
from seasons.engine.season import opponents
from seasons.engine.settings import BY_HOST
from seasons.engine.state import DEATH_MATCH, SeasonState
from seasons.models import Season


def _choices(form: SeasonForm, handles: tuple[str, ...]) -> list[tuple[str, str]]:
    names = {member.handle: member.shown_name for member in form.season.cast.all()}
    return [(handle, names.get(handle, handle)) for handle in handles]


def _always(state: SeasonState | None) -> bool:
    return True


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
    is_asked=_always,
)


# -- the opponent --------------------------------------------------------------------------------------


_BY_DRAW = "~"
"""Stands for a draw where handles are chosen from; no handle begins with it."""


class OpponentForm(SeasonForm):
    """Who meets the candidate in the Death Match. In the candidate's place a host says why."""

    opponent = forms.ChoiceField(
        label="Opponent", widget=forms.RadioSelect, error_messages={"required": "Choose the opponent."}
    )

    reason = public_reason()

    def prepare(self) -> None:
        options = opponents(self.state) if self.state else ()
        choices = [*_choices(self, options), (_BY_DRAW, "Draw one of them now")]
        self.fields["opponent"].choices = choices  # type: ignore[attr-defined]
        self.fields["reason"].required = not _hosts_name(self.state)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("opponent") == _BY_DRAW and not cleaned.get("reason") and "reason" not in self.errors:
            self.add_error("reason", "Say why; everybody can read the reason.")
        return cleaned


def _hosts_name(state: SeasonState | None) -> bool:
    return state is not None and state.settings.opponent == BY_HOST and bool(opponents(state))


def _named(request: SeasonRequest) -> dict[str, Any]:
    opponent, reason = request.values["opponent"], request.values.get("reason")
    verb: dict[str, Any] = {"draw_opponent": True} if opponent == _BY_DRAW else {"name_opponent": opponent}
    return verb | ({"reason": reason} if reason else {})


def _is_to_be_named(season: Season, state: SeasonState | None) -> bool:
    return state is not None and bool(opponents(state))


OPPONENT = of_the_rules(
    "opponent",
    "Name the opponent…",
    "users",
    _is_to_be_named,
    OpponentForm,
    _named,
    lambda request: "The opponent is drawn." if request.values["opponent"] == _BY_DRAW else "The opponent is named.",
    is_asked=_hosts_name,
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
    "For ten minutes you can take this back, as long as nothing has followed and the season goes on.",
    is_asked=_always,
)


def _can_be_taken_back(season: Season, state: SeasonState | None) -> bool:
    if state is None or state.before is UNSET:
        return False
    return season.time(clock.now()) - state.time < TAKE_BACK_WITHIN


TAKE_BACK = of_the_rules(
    "take-back",
    "Take back the booking…",
    "clock",
    _can_be_taken_back,
    SeasonForm,
    lambda request: {"take_back": True},
    lambda request: "The booking is taken back.",
)
