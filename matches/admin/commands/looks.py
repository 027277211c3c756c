"""Looking at a player's private data. Everybody can read which host looked, and why."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms

from matches.admin import formats
from matches.admin.commands.base import BEGUN, Command, CommandRequest, Page, Payload, PlayerForm, Sentences
from matches.admin.line_fields import reason_field
from matches.admin.plain_values import fields_in_words
from matches.models import LedgerEntry, Player
from matches.queries import amounts
from matches.services import hosting

_SEALED, _BALANCES = "sealed", "balances"


class PeekForm(PlayerForm):
    """Whose data, which, and why."""

    field_order = ("player", "what", "reason")
    what = forms.ChoiceField(
        label="What you need to see",
        choices=[(_SEALED, "Their sealed submission"), (_BALANCES, "Their balances, and what moved")],
        initial=_SEALED,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what you need to see."},
    )
    reason = reason_field(
        "Everybody reads it at once, with your name: do not write anything secret in it.",
        label="Why you need to look",
        required="Say why you need to look; everybody reads it.",
    )


def _peek_words(request: CommandRequest) -> list[str]:
    handle, about_balances = request.values["player"].handle, request.values["what"] == _BALANCES
    return [
        f"You will see {handle}'s balances and all transfers in them."
        if about_balances
        else f"You will see what {handle} has submitted under seal.",
        "Everybody reads at once that you looked, at whom and why. It stays in the log for good.",
        f"Your reason: “{request.values['reason']}”.",
    ]


def _peek(request: CommandRequest) -> Page:
    """Private data is shown in this one answer, which has no address of its own."""
    player, reason = request.values["player"], request.values["reason"]
    if request.values["what"] == _BALANCES:
        balances = hosting.peek_at_balances(request.match, request.host, player, reason)
        held = [amounts.units(asset, units) for asset, units in sorted(balances.holdings.items())]
        entries = [_entry(player, entry) for entry in balances.entries]
        context = {"player": player, "held": held, "entries": entries, "balances": True}
        return Page(f"What {player.handle} has", "admin/matches/match/peeked.html", context)
    found = msgspec.to_builtins(hosting.peek(request.match, request.host, player, reason))
    context = {"player": player, "rows": fields_in_words(found)}
    return Page(f"What {player.handle} submitted", "admin/matches/match/peeked.html", context)


def _entry(player: Player, entry: LedgerEntry) -> dict[str, Any]:
    """A transfer from the player's point of view."""
    gets = entry.receiver_id == player.pk
    other = entry.giver if gets else entry.receiver
    return {
        "at": formats.local(entry.at),
        "amount": f"{'+' if gets else '−'} {amounts.units(entry.asset, entry.amount)}",
        "other": other.handle if other else "bank",
        "reason": entry.reason.replace("_", " "),
        "note": entry.note,
    }


def _peeked(payload: Payload) -> str:
    what = "balances" if payload.get("what") == _BALANCES else "sealed submission"
    return f"Opened the {what} of {payload['player']}"


PEEK = Command("peek", "Look at what is private…", "seal", BEGUN, _peek_words, _peek, PeekForm, danger=True)

SENTENCES: Sentences = {"peek": _peeked}
