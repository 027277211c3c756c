"""Bookings in the season's accounts, members who go, and the growth of blood garnets."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.admin.commands.corrections import amount_field, amount_problem
from matches.engine.ledger import BLOOD_GARNET, GARNET, PRIORITY, balance
from matches.queries import amounts
from matches.services.errors import CommandRefused
from seasons.admin.commands.base import (
    MemberField,
    SeasonCommand,
    SeasonForm,
    SeasonRequest,
    choose_from,
    is_running,
    of_the_rules,
    public_reason,
)
from seasons.engine.state import SeasonState
from seasons.models import Member, Season
from seasons.services import running

# -- corrections ---------------------------------------------------------------------------------------


class CorrectForm(SeasonForm):
    """A correction of a member's account outside of matches."""

    player = MemberField()
    asset = forms.ChoiceField(
        label="Of what", choices=[(asset, amounts.asset_word(asset)) for asset in (GARNET, PRIORITY, BLOOD_GARNET)]
    )
    amount = amount_field(max_digits=16)
    reason = public_reason()

    def prepare(self) -> None:
        choose_from(self, "player", self.season.cast.all())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        amount, asset = cleaned.get("amount"), cleaned.get("asset")
        if amount is not None and asset is not None and (problem := amount_problem(asset, amount)):
            self.add_error("amount", problem)
        return cleaned


def _correction(request: SeasonRequest) -> dict[str, Any]:
    member, asset, amount = (request.values[key] for key in ("player", "asset", "amount"))
    exact = format(amount, "f") if asset == BLOOD_GARNET else int(amount)
    return {
        "correct": {"player": member.handle, "asset": asset, "amount": exact},
        "reason": request.values["reason"],
    }


def _correct_words(request: SeasonRequest) -> list[str]:
    member, asset = request.values["player"], request.values["asset"]
    before = request.state
    step = running.foresee(request.season, request.host, _correction(request))
    now, then = (amounts.units(asset, balance(state.purses, member.handle, asset)) for state in (before, step.state))
    said = [f"{member.handle} has {now} outside of matches now, and {then} afterwards."]
    if member.handle in before.playing():
        said.append(f"{member.handle} is in a match: what they have there is corrected in that match.")
    return [
        *said,
        f"{member.handle} is told, and everybody can read that you did it and why: “{request.values['reason']}”.",
        "Entries are never edited or deleted. To undo this one, book the opposite.",
    ]


def _correct(request: SeasonRequest) -> str:
    running.command(request.season, request.host, _correction(request), key=request.key)
    return f"Booked for {request.values['player'].handle}."


CORRECT = SeasonCommand("correct", "Correct an account…", "garnet", is_running, _correct_words, _correct, CorrectForm)


# -- going out, withdrawing ----------------------------------------------------------------------------


class LeaveForm(SeasonForm):
    """A member who is in, and why they go."""

    player = MemberField()
    reason = public_reason()

    def prepare(self) -> None:
        choose_from(self, "player", self.season.cast.filter(status=Member.Status.IN))


def _leaving(verb: str, label: str, done: str, *more: str) -> SeasonCommand:
    return of_the_rules(
        verb,
        label,
        "x",
        is_running,
        LeaveForm,
        lambda request: {verb: request.values["player"].handle, "reason": request.values["reason"]},
        lambda request: f"{request.values['player'].handle} {done}.",
        *more,
        "This cannot be undone.",
        danger=True,
    )


OUT = _leaving("out", "Book that somebody goes out…", "is out")
WITHDRAW = _leaving(
    "withdraw",
    "Book that somebody withdraws…",
    "has withdrawn",
    "What they have stays theirs until the season ends.",
)


# -- blood garnets -------------------------------------------------------------------------------------

_OFF = "off"


class BloodForm(SeasonForm):
    """From the pregame of which match blood garnets grow; or not at all."""

    match = forms.ChoiceField(label="Blood garnets grow", widget=forms.RadioSelect)

    def prepare(self) -> None:
        counting = self.state.growth.match if self.state and self.state.growth else _OFF
        found = self.season.matches.select_related("match")
        choices = [(each.key, f"From the pregame of “{each.match.title}”") for each in found]
        self.fields["match"].choices = [*choices, (_OFF, "Not at all")]  # type: ignore[attr-defined]
        self.initial.setdefault("match", counting)


def _blood_words(request: SeasonRequest) -> list[str]:
    if request.values["match"] == _OFF:
        return ["Blood garnets no longer grow. What has grown stays.", "Everybody is told."]
    title = _counting_match(request).match.title
    return [
        f"At each whole 24 hours after the pregame of “{title}”, every member's blood garnets grow by a tenth.",
        "That goes on whatever happens in matches, until you switch it off or the season ends.",
        "Everybody is told.",
    ]


def _counting_match(request: SeasonRequest) -> Any:
    found = next((each for each in request.season.matches.all() if each.key == request.values["match"]), None)
    if found is None:
        raise CommandRefused("That is not a match of this season.", field="match")
    return found


def _switch_blood(request: SeasonRequest) -> str:
    match = None if request.values["match"] == _OFF else _counting_match(request)
    running.count_blood(request.season, request.host, match, key=request.key)
    return "Blood garnets grow." if match else "Blood garnets no longer grow."


def _has_matches(season: Season, state: SeasonState | None) -> bool:
    return is_running(season, state) and season.matches.exists()


BLOOD = SeasonCommand("blood", "Blood garnets…", "blood-garnet", _has_matches, _blood_words, _switch_blood, BloodForm)
