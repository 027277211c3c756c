"""What a match allows to those who are away, and noting that somebody is away."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms

from matches.admin import formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    SCHEDULED,
    Command,
    CommandForm,
    CommandRequest,
    Payload,
    PlayerForm,
    Sentences,
)
from matches.admin.line_fields import reason_field
from matches.models import Match, clock
from matches.services import absences, leniency
from matches.services.errors import Refused

_MOMENT = {"type": "datetime-local"}


class LeniencyForm(CommandForm):
    """Whether bots play for those who are away."""

    bots_stand_in = forms.BooleanField(label="Bots may play for those who are away", required=False)

    def prepare(self) -> None:
        chosen = leniency.leniency_of(self.match)
        self.initial.setdefault("bots_stand_in", chosen.bots_stand_in)


class AwayForm(PlayerForm):
    """Who is away, from when to when, in the host's zone."""

    field_order = ("player", "since", "until", "bot", "reason")
    since = forms.DateTimeField(label="From", widget=forms.DateTimeInput(attrs=_MOMENT, format="%Y-%m-%dT%H:%M"))
    until = forms.DateTimeField(label="Until", widget=forms.DateTimeInput(attrs=_MOMENT, format="%Y-%m-%dT%H:%M"))
    bot = forms.BooleanField(label="A bot plays meanwhile", required=False)
    reason = reason_field("Only hosts and the player read it. May be left empty.", required=False)

    def prepare(self) -> None:
        super().prepare()
        self.fields["player"].queryset = self.match.players.filter(user__isnull=False)  # type: ignore[attr-defined]
        if not leniency.leniency_of(self.match).bots_stand_in:
            del self.fields["bot"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("since") and cleaned.get("until"):
            try:
                absences.check_times(cleaned["since"], cleaned["until"], clock.now())
            except Refused as refusal:
                self.add_error(refusal.field, refusal.message)
        return cleaned


def _leniency_words(request: CommandRequest) -> list[str]:
    values = request.values
    bots = (
        "Bots play for those who are away and want it." if values["bots_stand_in"] else "No bot plays for the absent."
    )
    return [bots, "It can be changed until the match begins. Everybody can read it."]


def _choose(request: CommandRequest) -> str:
    values = request.values
    leniency.choose(
        request.match,
        request.host,
        bots_stand_in=values["bots_stand_in"],
        key=request.key,
    )
    return "That is saved."


def _away_words(request: CommandRequest) -> list[str]:
    player, since, until = (request.values[key] for key in ("player", "since", "until"))
    said = [f"{player.handle} is away from {formats.instant(since)} until {formats.instant(until)}."]
    said.append("Nobody reminds them of deadlines meanwhile. The other players see it, without the reason.")
    return [*said, "A bot plays for them."] if request.values.get("bot") else said


def _note(request: CommandRequest) -> str:
    player, since, until, reason = (request.values[key] for key in ("player", "since", "until", "reason"))
    bot = bool(request.values.get("bot"))
    absences.note_away(request.match, request.host, player, since, until, reason, bot=bot, key=request.key)
    return f"{player.handle} is excused."


def _people(match: Match) -> bool:
    return match.players.filter(user__isnull=False).exists()


def _away(payload: Payload) -> str:
    since, until = (formats.instant(datetime.fromisoformat(payload[key])) for key in ("since", "until"))
    return f"{payload['player']} is away from {since} until {until}"


LENIENCY = Command(
    "leniency",
    "Absences…",
    "clock",
    BEFORE,
    _leniency_words,
    _choose,
    LeniencyForm,
    act="set what absences allow",
)
AWAY = Command(
    "away",
    "Somebody is away…",
    "user",
    (SCHEDULED, *BEGUN),
    _away_words,
    _note,
    AwayForm,
    suits=_people,
    act="note the absence",
)


def _chosen(payload: Payload) -> str:
    return f"{'bots play' if payload['bots_stand_in'] else 'no bot plays'} for those who are away"


SENTENCES: Sentences = {
    "leniency": _chosen,
    "absence": _away,
    "back": lambda payload: f"{payload['player']} is back",
}


def shown(away: Any) -> str:
    """An absence in words, for hosts."""
    why = f": {away.reason}" if away.reason else ""
    return f"away from {formats.instant(away.since)} until {formats.instant(away.until)}{why}"
