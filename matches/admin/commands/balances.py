"""Commands to correct a player's balance, and to switch the growth of blood garnets."""

from decimal import Decimal
from typing import Any

from django import forms

from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    CANCELLED,
    FINISHED,
    Command,
    CommandRequest,
    PlayerForm,
    switching,
    told_when_begun,
)
from matches.admin.fields import reason_field
from matches.admin.formats import in_lines
from matches.engine.core import BLOOD_GARNET
from matches.engine.sentences import Name
from matches.models import Match, ledger
from matches.models.ledger import shown_amount, units
from matches.pages.texts import in_round_words
from matches.queries.access import is_open
from matches.services import hosting
from matches.services.amending import of_correction
from matches.services.belonging import group_of
from matches.services.blood import EVERY, units_of
from matches.services.commands import Payload
from matches.services.hosting import correctable_assets

# -- correcting a player's balance by an entry in the ledger -----------------------------------------------


def amount_field(max_digits: int) -> forms.DecimalField:
    """Return the field for the amount of a correction."""
    return forms.DecimalField(
        label="Amount",
        max_digits=max_digits,
        decimal_places=4,
        widget=forms.TextInput(attrs={"size": 8, "inputmode": "text", "autocomplete": "off"}),
        help_text="A whole number: 3 gives three, -3 takes three. Blood garnets may have up to 4 decimal places.",
    )


def amount_problem(asset: str, amount: Decimal) -> str:
    """Say why a correction of an asset cannot have this amount; empty if it can."""
    if not amount:
        return hosting.NO_AMOUNT
    if asset != BLOOD_GARNET and amount != amount.to_integral_value():
        return "Enter a whole number: this asset has no fractions."
    return ""


class CorrectForm(PlayerForm):
    """A correction entry. After `is_valid`, `units` is the amount in stored units."""

    asset = forms.ChoiceField(label="Asset")
    amount = amount_field(max_digits=12)
    reason = reason_field("Everybody can read it at once. If the balance is private, only the player sees the amount.")

    def prepare(self) -> None:
        super().prepare()
        assets = correctable_assets(self.match)
        self.fields["asset"].choices = [(asset, ledger.asset_word(asset)) for asset in assets]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        amount, asset = cleaned.get("amount"), cleaned.get("asset")
        if amount is None or asset is None:
            return cleaned
        if problem := amount_problem(asset, amount):
            self.add_error("amount", problem)
        else:
            cleaned["units"] = units_of(amount) if asset == BLOOD_GARNET else int(amount)
        return cleaned


_MAY_BE_SEALED = (
    "You learn whether that much is free only when you confirm, since it may depend on what is sealed. A "
    "refused correction stays in the log."
)
_PRIVATE = "This balance is private. Only the player sees the new balance."


def _correct_words(request: CommandRequest) -> list[str]:
    player, asset, amount = (request.values[key] for key in ("player", "asset", "units"))
    verb = "gets" if amount > 0 else "loses"
    said = f"{player.handle} {verb} {ledger.units(asset, abs(amount))}"
    if is_open(request.match, asset):
        held = player.holdings.filter(asset=asset).values_list("amount", flat=True).first() or 0
        now, then = (ledger.plain_amount(shown_amount(asset, units)) for units in (held, held + amount))
        said += f": {now} now, {then} afterwards"
    foreseen = of_correction(request.match, player, asset, amount, is_open=is_open(request.match, asset))
    lines = in_lines(request.match, foreseen)
    if not lines and asset != BLOOD_GARNET:
        lines = [_MAY_BE_SEALED if amount < 0 else _PRIVATE]
    return [
        f"{said}.",
        *lines,
        f"{player.handle} hears about it, and everybody sees that you did it and why: “{request.values['reason']}”.",
        "Nobody can edit or delete ledger entries.",
    ]


def _correct(request: CommandRequest) -> str:
    player, asset, amount, reason = (request.values[key] for key in ("player", "asset", "units", "reason"))
    hosting.correct_balance(request.match, request.host, player, asset, amount, reason, key=request.key)
    return f"You have recorded {ledger.units(asset, amount)} for {player.handle}."


def _corrected(payload: Payload) -> str:
    amount = payload["amount"]
    verb = "Gave" if amount > 0 else "Took"
    to = "to" if amount > 0 else "from"
    return f"{verb} {ledger.units(payload['asset'], abs(amount))} {to} {payload['player']}"


def _told(match: Match, payload: Payload, name: Name) -> str:
    asset, amount, who = payload["asset"], payload["amount"], name(payload["player"])
    if not is_open(match, asset):
        return f"corrected one of {who}'s balances"
    return f"gave {units(asset, amount)} to {who}" if amount > 0 else f"took {units(asset, -amount)} from {who}"


CORRECT = Command(
    "correct",
    "Correct a balance…",
    "garnet",
    (*BEGUN, FINISHED, CANCELLED),
    _correct_words,
    _correct,
    CorrectForm,
    suits=lambda match: match.has_begun,
    refusal=lambda request: group.why_not_correct() if (group := group_of(request.match)) else "",
    said={"correct": _corrected},
    history={"correct": _told},
    undo=hosting.Undo(
        hosting.take_back_correction,
        "the correction",
        then="The site adds the opposite entry to the ledger",
        instead="Make the opposite correction instead, with a reason.",
    ),
)


# -- letting the players' blood garnets grow, and stopping it -------------------------------------------------


def _switch_words(match: Match, on: bool) -> list[str]:
    told = told_when_begun(match)
    if not on:
        return ["The blood garnets of this match's players stop growing. Players keep what has grown.", told]
    every = in_round_words(EVERY / match.speed)
    return [
        f"Every {every} after the pregame, each player's blood garnets grow by a tenth.",
        "They keep growing while the match is paused and after it is finished, until you stop them here.",
        told,
    ]


def _may_grow(match: Match) -> bool:
    group = group_of(match)
    return match.blood_garnets or group is None or not group.why_no_growth()


SWITCH = Command(
    "blood",
    "Blood garnets…",
    "blood-garnet",
    (*BEFORE, *BEGUN, FINISHED),
    **switching(
        "blood_garnets",
        _switch_words,
        hosting.switch_blood_garnets,
        lambda on: f"Blood garnets {'now' if on else 'no longer'} grow in this match.",
    ),
    suits=_may_grow,
    act="change the growth",
    history={
        "blood_garnets": lambda match, payload, name: f"switched blood garnets {'on' if payload['on'] else 'off'}"
    },
    never={"blood_garnets": "You cannot take it back, but you can switch it again. Everybody hears about that too."},
)
