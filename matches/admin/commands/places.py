"""Commands about who plays in a match and who is away: substitutes, withdrawals, bots, absences."""

from datetime import datetime
from typing import Any

from django import forms

from matches.admin import formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    SCHEDULED,
    Command,
    CommandRequest,
    PlaceForm,
    check_newcomer,
    refused_at_its_field,
    switching,
    told_to_everybody,
)
from matches.admin.fields import PersonField, moment_field, reason_field
from matches.models import Match, Player, clock
from matches.services import absences, hosting
from matches.services.commands import Payload
from matches.services.places import need_newcomer

# -- substitutes, withdrawals, and bots that play for somebody -----------------------------------------------

_SUBSTITUTE, _BOT, _BACK, _GONE, _GONE_BOT = "substitute", "bot", "back", "withdraw", "withdraw_bot"
_WHAT = (
    (_SUBSTITUTE, "Somebody else takes over for good"),
    (_BOT, "A bot plays until you give the place back"),
    (_BACK, "The person takes the place back from the bot"),
    (_GONE, "The player withdraws for good, and nobody plays in their place"),
    (_GONE_BOT, "The player withdraws for good, and a bot plays in the place"),
)


class WhoPlaysForm(PlaceForm):
    """The place, what happens to it, and a substitute. Once valid, `player` is the place as the form showed it."""

    what = forms.ChoiceField(
        label="What happens",
        choices=_WHAT,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what happens to the place."},
    )
    person = PersonField(
        "Who takes over (username)",
        "Only if somebody takes over. Nobody who plays in the match, has hosted it or has seen its secrets can.",
    )
    reason = reason_field("Optional. Everybody can read it.", required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        place, what = self.places.get(cleaned.get("place", "")), cleaned.get("what")
        if place is None or what is None:
            return cleaned
        cleaned["player"], cleaned["newcomer"] = place, None
        if what == _SUBSTITUTE:
            cleaned["newcomer"] = cleaned.get("person")
            check_newcomer(self, need_newcomer, needed=True)
        return cleaned


def _who_plays_words(request: CommandRequest) -> list[str]:
    player, what, newcomer = (request.values[key] for key in ("player", "what", "newcomer"))
    who = player.shown_name
    told = told_to_everybody(request)
    for_good = f"From now on {player.user} can only watch, like everybody else, and can never play in this match again."
    if what == _BOT:
        return [f"A bot plays as {player.handle}. {who} keeps the place but cannot act meanwhile.", told]
    if what == _BACK:
        return [f"The bot stops, and {who} plays again.", told]
    said = [for_good] if player.user else []
    if what == _SUBSTITUTE:
        gets = (
            f"{newcomer} plays as {player.handle}, with the balances, the secrets and the unread notices of the place."
        )
        return [gets, *said, "Everybody can read who replaced whom, and in which round.", told]
    rest = "A bot plays on as" if what == _GONE_BOT else "From now on nobody plays as"
    return [f"{rest} {player.handle}.", *said, "You can give the place to somebody else later.", told]


def _change_who_plays(request: CommandRequest) -> str:
    values, key = request.values, request.key
    player, reason = values["player"], values["reason"]
    match values["what"]:
        case "substitute":
            hosting.substitute(request.match, request.host, player, values["newcomer"], reason, key=key)
            return f"{values['newcomer']} plays as {player.handle} now."
        case "bot":
            hosting.let_bot_play(request.match, request.host, player, reason, key=key)
            return f"A bot plays as {player.handle} now."
        case "back":
            hosting.give_back(request.match, request.host, player, reason, key=key)
            return f"{player.shown_name} plays again."
        case what:
            bot = what == _GONE_BOT
            hosting.withdraw_player(request.match, request.host, player, reason, bot=bot, key=key)
            return f"{player.shown_name} no longer plays."


WHO_PLAYS = Command(
    "who_plays",
    "Who plays…",
    "users",
    BEGUN,
    _who_plays_words,
    _change_who_plays,
    WhoPlaysForm,
    act="change who plays",
    often=True,
    history={
        "substitute": lambda match, payload, name: (
            f"gave {payload['player']}'s place to {payload['newcomer']}"
            + (f", instead of {payload['left']}" if payload["left"] else "")
            + f" ({payload['where']})"
        ),
        "withdraw_player": lambda match, payload, name: (
            f"withdrew {payload['left']} for good ({payload['where']})"
            + ("; a bot plays in the place" if payload["bot"] else "")
        ),
        "bot_plays": lambda match, payload, name: f"let a bot play for {name(payload['player'])} ({payload['where']})",
        "person_plays": lambda match, payload, name: f"gave {name(payload['player'])} the place back from the bot",
    },
    never={"who_plays": "You cannot take it back, but you can use this command again."},
)


# -- whether bots play for those who are away, and noting an absence -----------------------------------------


class AwayForm(PlaceForm):
    """Who is away, from when to when, in the host's time zone."""

    field_order = ("place", "since", "until", "bot", "reason")
    since = moment_field("From")
    until = moment_field("Until")
    bot = forms.BooleanField(label="A bot plays meanwhile", required=False)
    reason = reason_field("Optional. Only the hosts, their observers and the player read it.", required=False)

    def offered(self) -> Any:
        return super().offered().filter(user__isnull=False)

    def called(self, player: Player) -> str:
        return f"{formats.called(player)}: {player.user}"

    def prepare(self) -> None:
        super().prepare()
        if not self.match.bots_stand_in:
            del self.fields["bot"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["player"] = self.places.get(cleaned.get("place", ""))
        if cleaned.get("since") and cleaned.get("until"):
            with refused_at_its_field():
                absences.check_times(cleaned["since"], cleaned["until"], clock.now())
        return cleaned


def _leniency_words(match: Match, on: bool) -> list[str]:
    return [_who_stands_in(on), "You can change this until the match begins. Everybody can read it."]


def _who_stands_in(on: bool) -> str:
    return f"From now on {'bots may play' if on else 'no bot plays'} for players who are away."


def _away_words(request: CommandRequest) -> list[str]:
    player, since, until = (request.values[key] for key in ("player", "since", "until"))
    said = [f"{player.handle} is away from {formats.instant(since)} until {formats.instant(until)}."]
    said.append("They get no reminders meanwhile. The other players see the absence but not the reason.")
    return [*said, "A bot plays for them."] if request.values.get("bot") else said


def _note(request: CommandRequest) -> str:
    player, since, until, reason = (request.values[key] for key in ("player", "since", "until", "reason"))
    bot = bool(request.values.get("bot"))
    absences.note_away(request.match, request.host, player, since, until, reason, bot=bot, key=request.key)
    return f"You have noted {player.handle} as away."


def _away_in_words(payload: Payload) -> str:
    since, until = (formats.instant(datetime.fromisoformat(payload[key])) for key in ("since", "until"))
    return f"{payload['player']} is away from {since} until {until}"


LENIENCY = Command(
    "leniency",
    "Absences…",
    "clock",
    BEFORE,
    **switching("bots_stand_in", _leniency_words, absences.choose, _who_stands_in),
    act="change this",
    history={
        "leniency": lambda match, payload, name: (
            f"let {'' if payload['bots_stand_in'] else 'no '}bots play for players who are away"
        )
    },
)
AWAY = Command(
    "away",
    "Note an absence…",
    "user",
    (SCHEDULED, *BEGUN),
    _away_words,
    _note,
    AwayForm,
    suits=lambda match: match.players.filter(user__isnull=False).exists(),
    act="note the absence",
    said={"absence": _away_in_words},
    history={"absence": lambda match, payload, name: f"noted that {name(payload['player'])} is away"},
)


def shown(away: Any) -> str:
    """Return an absence in words, for hosts."""
    why = f": {away.reason}" if away.reason else ""
    return f"away from {formats.instant(away.since)} until {formats.instant(away.until)}{why}"
