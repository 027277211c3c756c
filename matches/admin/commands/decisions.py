"""Commands to decide in a player's place, and to look at a player's private data."""

from typing import Any

import msgspec
from django import forms

from matches.admin import formats
from matches.admin.commands.base import (
    BEGUN,
    OPEN,
    Command,
    CommandForm,
    CommandRequest,
    Page,
    PlayerForm,
)
from matches.admin.fields import reason_field
from matches.admin.formats import fields_in_words, in_lines
from matches.engine.actions import DECISIONS
from matches.engine.sentences import Name, counted, joined
from matches.engine.views import Ask
from matches.models import LedgerEntry, Match, Player, ledger
from matches.queries.matches import Position
from matches.services import hosting
from matches.services.amending import of_decision
from matches.services.commands import Payload

# -- deciding in place of a player who cannot, among the player's own options --------------------------------


def open_decisions(match: Match) -> list[tuple[Player, Ask]]:
    """Return the decisions that a host could make now, with their players."""
    position = Position(match)
    found = []
    for player in match.players.order_by("position", "pk"):
        private = position.private_of(player)
        found += [(player, ask) for ask in (private.asked if private else ()) if ask.kind in DECISIONS]
    return found


def asked_in_words(ask: Ask) -> str:
    """Return what a player is asked in words, without its subject, which may be private."""
    return DECISIONS.get(ask.kind, "may act")


def called(player: Player) -> str:
    """Return a player for hosts: the name, and the handle if it differs."""
    name: str = player.shown_name
    return name if name.lower() == player.handle else f"{name} ({player.handle})"


def in_words(player: Player, ask: Ask) -> str:
    """Return “Ann: name the Elimination Candidate”."""
    return f"{called(player)}: {DECISIONS[ask.kind]}"


class DecideForm(CommandForm):
    """The open decision, and whom to choose."""

    decision = forms.ChoiceField(
        label="Decision",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose which decision you make."},
    )
    chosen = forms.MultipleChoiceField(
        label="Whom to choose",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one player."},
    )

    reason = reason_field("Everybody can read it at once, with your name. Do not say whom you choose.")

    def prepare(self) -> None:
        self.open = {f"{player.handle}:{ask.kind}": (player, ask) for player, ask in open_decisions(self.match)}
        self.fields["decision"].choices = [(key, in_words(*each)) for key, each in self.open.items()]  # type: ignore[attr-defined]
        if len(self.open) == 1:
            self.initial.setdefault("decision", next(iter(self.open)))
        wanted = self.data.get("decision") or self.initial.get("decision")
        asks = [self.open[wanted][1]] if wanted in self.open else [ask for _, ask in self.open.values()]
        options = list(dict.fromkeys(option for ask in asks for option in ask.options))
        self.names = {player.handle: called(player) for player in self.match.players.all()}
        self.fields["chosen"].choices = [(option, self.names[option]) for option in options]  # type: ignore[attr-defined]
        counts = {min(ask.count, len(ask.options)) for ask in asks}
        if len(counts) == 1:
            self.fields["chosen"].help_text = f"Exactly {counted(counts.pop(), 'player')}."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        decision, chosen = cleaned.get("decision"), cleaned.get("chosen")
        if decision is None or chosen is None:
            return cleaned
        player, ask = self.open[decision]
        count = min(ask.count, len(ask.options))
        if len(chosen) != count or not set(chosen) <= set(ask.options):
            self.add_error(
                "chosen",
                f"Choose exactly {counted(count, 'player')} from {joined(self.names[each] for each in ask.options)}.",
            )
            return cleaned
        cleaned["player"], cleaned["ask"] = player, ask
        cleaned["names"] = [self.names[each] for each in chosen]
        cleaned["action"] = (
            {"type": ask.kind, "to": chosen} if ask.kind == "give_tokens" else {"type": ask.kind, "player": chosen[0]}
        )
        return cleaned


def _decide_words(request: CommandRequest) -> list[str]:
    player, ask, names = (request.values[key] for key in ("player", "ask", "names"))
    foreseen = of_decision(request.match, player, request.values["action"])
    told = in_lines(request.match, foreseen) or ["You cannot see beforehand what follows: it may depend on secrets."]
    return [
        f"In place of {called(player)} you {DECISIONS[ask.kind]}: {joined(names)}.",
        *told,
        f"This is final: {called(player)} can no longer decide it.",
        f"Everybody learns that you decided, and can read your reason: “{request.values['reason']}”.",
    ]


def _decide(request: CommandRequest) -> str:
    hosting.decide_for(
        request.match, request.host, request.values["player"], request.values["action"], request.values["reason"]
    )
    return f"You have decided in place of {called(request.values['player'])}."


DECIDE = Command(
    "decide",
    "Decide for a player…",
    "check",
    (OPEN,),
    _decide_words,
    _decide,
    DecideForm,
    suits=lambda match: bool(open_decisions(match)),
    often=True,
    history={
        "decide": lambda match, payload, name: (
            f"decided in place of {name(payload['player'])}" if "player" in payload else "decided in a player's place"
        )
    },
    never={"decide": "It counts at once, so you cannot take it back."},
)


# -- looking at a player's private data; everybody can read which host looked, and why -----------------------

_SEALED, _BALANCES = "sealed", "balances"


class PeekForm(PlayerForm):
    """The player, what to look at, and the reason."""

    field_order = ("player", "what", "reason")
    what = forms.ChoiceField(
        label="What you need to see",
        choices=[(_SEALED, "Their sealed submission"), (_BALANCES, "Their balances and transfers")],
        initial=_SEALED,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what you need to see."},
    )
    reason = reason_field(
        "Everybody can read it at once, with your name. Do not write anything secret.", label="Why you need to look"
    )


def _peek_words(request: CommandRequest) -> list[str]:
    handle, about_balances = request.values["player"].handle, request.values["what"] == _BALANCES
    return [
        f"You will see {handle}'s balances and all transfers to and from them."
        if about_balances
        else f"You will see what {handle} has submitted under seal.",
        "Everybody sees at once that you looked, at whose data, and why. It stays in the log for good.",
        f"Your reason: “{request.values['reason']}”.",
    ]


def _peek(request: CommandRequest) -> Page:
    """Show private data in this one answer, which has no URL."""
    player, reason = request.values["player"], request.values["reason"]
    if request.values["what"] == _BALANCES:
        balances = hosting.peek_at_balances(request.match, request.host, player, reason, key=request.key)
        held = [ledger.units(asset, units) for asset, units in sorted(balances.holdings.items())]
        entries = [_entry(player, entry) for entry in balances.entries]
        context = {"player": player, "held": held, "entries": entries, "balances": True}
        return Page(f"What {player.handle} has", "admin/matches/match/peeked.html", context)
    found = msgspec.to_builtins(hosting.peek(request.match, request.host, player, reason, key=request.key))
    context = {"player": player, "rows": fields_in_words(found)}
    return Page(f"What {player.handle} submitted", "admin/matches/match/peeked.html", context)


def _entry(player: Player, entry: LedgerEntry) -> dict[str, Any]:
    """A transfer as the player sees it."""
    gets = entry.receiver_id == player.pk
    other = entry.giver if gets else entry.receiver
    return {
        "at": formats.local(entry.at),
        "amount": f"{'+' if gets else '−'} {ledger.units(entry.asset, entry.amount)}",
        "other": other.handle if other else "bank",
        "reason": entry.reason.replace("_", " "),
        "note": entry.note,
    }


def _looked(match: Match, payload: Payload, name: Name) -> str:
    if payload.get("what") == "balances":
        return f"looked at the balances of {name(payload['player'])}"
    return f"looked at what {name(payload['player'])} had submitted under seal"


PEEK = Command(
    "peek",
    "Look at private data…",
    "seal",
    BEGUN,
    _peek_words,
    _peek,
    PeekForm,
    danger=True,
    often=True,
    history={"peek": _looked},
    never={"peek": "Nobody can unsee what they have seen."},
)
