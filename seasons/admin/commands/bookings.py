"""Hosts' commands for accounts, settlements, opponents, Death Matches, members who leave, and blood garnets."""

from typing import Any

import msgspec
from django import forms
from msgspec import UNSET

from matches.admin.commands.balances import amount_field, amount_problem
from matches.admin.commands.base import Command, CommandRequest
from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, balance
from matches.models import clock, ledger
from matches.services.commands import Payload
from matches.services.errors import CommandRefused
from seasons.admin.commands.base import RUNNING, SeasonForm, choose_from, member_field, of_the_rules, public_reason
from seasons.engine.commands import TAKE_BACK_WITHIN
from seasons.engine.season import opponents
from seasons.engine.state import BY_HOST, DEATH_MATCH, SeasonState, blood_units
from seasons.models import Member, Season
from seasons.queries.standing import begun
from seasons.services import running

# -- corrections ---------------------------------------------------------------------------------------------


class CorrectForm(SeasonForm):
    """A correction of a member's balance outside of matches."""

    player = member_field()
    asset = forms.ChoiceField(
        label="What", choices=[(asset, ledger.asset_word(asset)) for asset in (GARNET, PRIORITY, BLOOD_GARNET)]
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


def _correction(request: CommandRequest) -> dict[str, Any]:
    member, asset, amount = (request.values[key] for key in ("player", "asset", "amount"))
    exact = format(amount, "f") if asset == BLOOD_GARNET else int(amount)
    return {"correct": {"player": member.handle, "asset": asset, "amount": exact}, "reason": request.values["reason"]}


def _correct_words(request: CommandRequest) -> list[str]:
    member, asset = request.values["player"], request.values["asset"]
    before = begun(request.season)
    step = running.foresee(request.season, request.host, _correction(request))
    now, then = (ledger.units(asset, balance(state.purses, member.handle, asset)) for state in (before, step.state))
    said = [f"{member.handle} now has {now} outside matches, and will have {then}."]
    if member.handle in before.playing():
        said.append(f"{member.handle} is in a match. Correct what they have in that match.")
    return [
        *said,
        f"We tell {member.handle}, and everybody can read that you did it and why: “{request.values['reason']}”.",
        "Nobody can edit or delete an entry. To undo this one, record the opposite.",
    ]


def _correct(request: CommandRequest) -> str:
    running.command(request.season, request.host, _correction(request), key=request.key)
    return f"You have recorded the correction for {request.values['player'].handle}."


def _corrected(payload: Payload) -> str:
    what = payload["correct"]
    stored = blood_units(what["amount"]) if what["asset"] == BLOOD_GARNET else int(what["amount"])
    verb, to = ("Gave", "to") if stored > 0 else ("Took", "from")
    return f"{verb} {ledger.units(what['asset'], abs(stored))} {to} {what['player']}"


CORRECT = Command(
    *("correct", "Correct a balance…", "garnet", (RUNNING,), _correct_words, _correct, CorrectForm),
    said={"correct": _corrected},
)


# -- going out, withdrawing ----------------------------------------------------------------------------------


class LeaveForm(SeasonForm):
    """A member who is in, and why they leave."""

    player = member_field()
    reason = public_reason()

    def prepare(self) -> None:
        choose_from(self, "player", self.season.cast.filter(status=Member.Status.IN))


class OutForm(LeaveForm):
    """A member who goes out because they have lost."""

    player = member_field(
        help_text="The member ranks below all who are left. If they want to go, withdraw them instead."
    )


class WithdrawForm(LeaveForm):
    """A member who wants to leave."""

    player = member_field(help_text="Choose this only for somebody who wants to go.")


def _leaving(verb: str, label: str, form: type[LeaveForm], does: str, done: str, *more: str) -> Command:
    return of_the_rules(
        verb,
        label,
        "x",
        lambda state: True,
        form,
        lambda request: {verb: request.values["player"].handle, "reason": request.values["reason"]},
        lambda request: f"{request.values['player'].handle} {done}.",
        *more,
        "You cannot undo this.",
        statuses=(RUNNING,),
        danger=True,
        said={verb: lambda payload: f"Recorded that {payload[verb]} {does}"},
    )


OUT = _leaving("out", "Take a member out…", OutForm, "is out", "is out")
WITHDRAW = _leaving(
    "withdraw",
    "Withdraw a member…",
    WithdrawForm,
    "withdrew",
    "has withdrawn",
    "They keep what they have until the season ends.",
)


# -- blood garnets -------------------------------------------------------------------------------------------

_OFF = "off"


class BloodForm(SeasonForm):
    """The match from whose pregame blood garnets grow, or not at all."""

    match = forms.ChoiceField(label="Blood garnets grow", widget=forms.RadioSelect)

    def prepare(self) -> None:
        counting = self.state.growth.match if self.state and self.state.growth else _OFF
        found = [each for each in self.season.matches.select_related("match") if not each.match.is_off]
        choices = [(each.key, f"From the pregame of “{each.match.title}”") for each in found]
        self.fields["match"].choices = [*choices, (_OFF, "Not at all")]  # type: ignore[attr-defined]
        self.initial.setdefault("match", counting)


def _blood_words(request: CommandRequest) -> list[str]:
    if request.values["match"] == _OFF:
        return ["Blood garnets no longer grow. Members keep what has grown.", "Everybody hears about it."]
    title = _counting_match(request).match.title
    return [
        f"Every 24 hours after the pregame of “{title}”, every member's blood garnets grow by a tenth.",
        "This continues whatever happens in matches, until you stop it or the season ends.",
        "Everybody hears about it.",
    ]


def _counting_match(request: CommandRequest) -> Any:
    found = next((each for each in request.season.matches.all() if each.key == request.values["match"]), None)
    if found is None:
        raise CommandRefused(running.NOT_OF_THE_SEASON, field="match")
    return found


def _switch_blood(request: CommandRequest) -> str:
    match = None if request.values["match"] == _OFF else _counting_match(request)
    running.count_blood(request.season, request.host, match, key=request.key)
    return "Blood garnets now grow." if match else "Blood garnets no longer grow."


BLOOD = Command(
    *("blood", "Blood garnets…", "blood-garnet", (RUNNING,), _blood_words, _switch_blood, BloodForm),
    suits=lambda season: season.matches.exists(),
    said={
        "count_blood": lambda payload: (
            f"Blood garnets grow from the pregame of {payload['match']}"
            if payload["match"]
            else "Blood garnets no longer grow"
        )
    },
)


# -- what follows from a match: settlement, opponent, Death Match --------------------------------------------


def _choices(form: SeasonForm, handles: tuple[str, ...]) -> list[tuple[str, str]]:
    names = {member.handle: member.shown_name for member in form.season.cast.all()}
    return [(handle, names.get(handle, handle)) for handle in handles]


# -- settlement ----------------------------------------------------------------------------------------------


def _unconfirmed(state: SeasonState) -> list[str]:
    return [match.key for match in state.matches if match.result is not None]


class SettleForm(SeasonForm):
    """The match to settle: the one that the page showed, so that a host does not confirm another by mistake."""

    match = forms.CharField(widget=forms.HiddenInput, max_length=10, required=False)

    def prepare(self) -> None:
        self.initial["match"] = next(iter(_unconfirmed(begun(self.season))), "")


def _settled(request: CommandRequest) -> dict[str, Any]:
    key = str(request.values.get("match") or "")
    return {"settle": key or next(iter(_unconfirmed(begun(request.season))), "0")}


SETTLE = of_the_rules(
    "settle",
    "Confirm the settlement…",
    "check",
    lambda state: bool(_unconfirmed(state)),
    SettleForm,
    _settled,
    lambda request: "The match is settled.",
    "You cannot undo that. To correct something, correct a balance.",
    said={
        "settle": lambda payload: (
            "Confirmed the settlement" + ("" if payload["settle"] is True else f" of {payload['settle']}")
        )
    },
)


# -- the opponent --------------------------------------------------------------------------------------------

_BY_DRAW = "~"
"""The choice for a draw among handles; no handle begins with it."""


class OpponentForm(SeasonForm):
    """The opponent in the Death Match; a host who decides for the candidate gives a reason."""

    opponent = forms.ChoiceField(
        label="Opponent", widget=forms.RadioSelect, error_messages={"required": "Choose the opponent."}
    )

    reason = public_reason()

    def prepare(self) -> None:
        options = opponents(self.state) if self.state else ()
        choices = [*_choices(self, options), (_BY_DRAW, "Draw one of them now")]
        self.fields["opponent"].choices = choices  # type: ignore[attr-defined]
        self.fields["reason"].required = not (self.state and self.state.settings.opponent == BY_HOST)


def _named(request: CommandRequest) -> dict[str, Any]:
    opponent, reason = request.values["opponent"], request.values.get("reason")
    verb: dict[str, Any] = {"draw_opponent": True} if opponent == _BY_DRAW else {"name_opponent": opponent}
    return verb | ({"reason": reason} if reason else {})


OPPONENT = of_the_rules(
    "opponent",
    "Name the opponent…",
    "users",
    lambda state: bool(opponents(state)),
    OpponentForm,
    _named,
    lambda request: (
        f"{'The site has drawn' if request.values['opponent'] == _BY_DRAW else 'You have named'} the opponent."
    ),
    said={
        "name_opponent": lambda payload: f"Named {payload['name_opponent']} as the opponent",
        "draw_opponent": lambda payload: "Had the site draw the opponent",
    },
)


# -- the Death Match -----------------------------------------------------------------------------------------


class DeathMatchForm(SeasonForm):
    """The loser, and how it was decided."""

    loser = forms.ChoiceField(
        label="Who has lost", widget=forms.RadioSelect, error_messages={"required": "Choose who has lost."}
    )
    reason = public_reason()

    def prepare(self) -> None:
        between = self.state.after.between if self.state and self.state.after else ()
        self.fields["loser"].choices = _choices(self, between)  # type: ignore[attr-defined]


def _result(request: CommandRequest) -> dict[str, Any]:
    return {"death_match": {"loser": request.values["loser"]}, "reason": request.values["reason"]}


def _is_to_be_booked(state: SeasonState) -> bool:
    """Whether hosts record the result; a Death Match that is being played decides itself."""
    return state.phase == DEATH_MATCH and not any(each.is_death_match for each in state.matches)


BOOK = of_the_rules(
    "death-match",
    "Record the Death Match…",
    "gavel",
    _is_to_be_booked,
    DeathMatchForm,
    _result,
    lambda request: "You have recorded who lost the Death Match.",
    "You can take this back within ten minutes, as long as nothing has happened in the season since "
    "and it is still running.",
    act="record the Death Match",
    said={"death_match": lambda payload: f"Recorded that {payload['death_match']['loser']} lost the Death Match"},
)


def _can_be_taken_back(season: Season) -> bool:
    state = begun(season)
    return state.before is not UNSET and season.time(clock.now()) - state.time < TAKE_BACK_WITHIN


_TAKE_BACK = of_the_rules(
    "take-back",
    "Take back the result…",
    "clock",
    lambda state: True,
    SeasonForm,
    lambda request: {"take_back": True},
    lambda request: "You have taken the result back.",
    said={"take_back": lambda payload: "Took back the result of the Death Match"},
)
TAKE_BACK = msgspec.structs.replace(_TAKE_BACK, suits=_can_be_taken_back)
