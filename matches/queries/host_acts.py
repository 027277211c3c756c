"""What hosts did in a match: a public list of every command, with the host's name, the time and the reason.

Details that would reveal a player's secret (amounts of private balances, and what an amendment changed) are left out
until the match is over.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Q, QuerySet

from matches.engine.match_time import spell_told
from matches.engine.sentences import Name, joined
from matches.infra.text import moment_in_words
from matches.models import Match, Submission
from matches.queries.amounts import is_open, units
from matches.queries.feed import Names, NamesThen
from matches.queries.names import NamesNow, names_in_data, names_now, shown_in

Payload = Mapping[str, Any]


FOR_HOSTS: Payload = {"told_to": "hosts"}
"""In the payload of a command that only hosts read about until the match is over."""

_CORRECTS = '"asset":'  # what all corrections name, and what takes one back
_FOR_HOSTS = '"told_to":"hosts"'  # as it is stored; inside a text its quotation marks would be escaped


class HostAct(msgspec.Struct, frozen=True):
    """One act: `what` continues after the host's name, such as “paused the match”; `reason` may be empty."""

    at: datetime
    host: str
    what: str
    reason: str


def host_act_rows(match: Match) -> QuerySet[Submission]:
    """The rows of the log that everybody may read about, latest first. Replies to private questions are always left
    out. Until the match is over, so are refused commands, reminders, because they show that somebody had not acted,
    and what is `FOR_HOSTS`. Refused tries to correct a balance are there at once, without the amount: a host learns
    from them what is sealed."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, actor__startswith="host:").order_by("-number")
    rows = rows.exclude(payload__startswith='{"command":"reply",')
    if match.is_over:
        return rows
    return (
        rows.filter(Q(accepted=True) | Q(payload__contains=_CORRECTS))
        .exclude(payload='{"command":"remind"}')
        .exclude(payload__contains=_FOR_HOSTS)
    )


def host_acts(match: Match, rows: QuerySet[Submission] | list[Submission]) -> list[HostAct]:
    """Rows of `host_act_rows` in words."""
    names, rows = NamesThen(match), list(rows)
    now = names_now(match, named_in(rows))
    return [_act(match, row, _namer(names.at(row.number)), now) for row in rows]


def _namer(names: Names) -> Name:
    return lambda handle: names.get(handle, handle)


def named_in(rows: Iterable[Submission]) -> Iterator[str]:
    """The names of people in rows of the log that are commands."""
    for row in rows:
        if row.kind == Submission.Kind.COMMAND:
            yield row.actor.removeprefix("host:")
            yield from names_in_data(json.loads(row.payload))


def command_in_words(match: Match, payload: Payload, names: Names) -> str:
    """What a command says, such as “paused the match”."""
    return _what(match, payload, _namer(names))


def _what(match: Match, payload: Payload, name: Name) -> str:
    command = str(payload["command"])
    say = _SENTENCES.get(command)
    # Commands of other apps bring their sentence along.
    return say(match, payload, name) if say else str(payload.get("said") or command.replace("_", " "))


def _act(match: Match, row: Submission, name: Name, now: NamesNow) -> HostAct:
    payload = shown_in(json.loads(row.payload), now)
    what = _what(match, payload, name)
    if not row.accepted and not match.is_over and payload["command"] == "act":
        what = f"{what} (refused: nothing changed)"
    elif not row.accepted and not match.is_over:
        what = f"tried to correct one of {name(payload['player'])}'s balances (refused: nothing changed)"
    elif not row.accepted:
        what = f"{what} (refused: nothing changed)"
    # `why` is a reason that would tell a secret before the match is over.
    reason = payload.get("reason") or (payload.get("why") if match.is_over else "")
    host = row.actor.removeprefix("host:")
    return HostAct(row.received_at, now.get(host, host), what, str(reason or "").strip())


def _corrected(match: Match, payload: Payload, name: Name) -> str:
    asset, amount, who = payload["asset"], payload["amount"], name(payload["player"])
    if not is_open(match, asset):
        return f"corrected one of {who}'s balances"
    return f"gave {units(asset, amount)} to {who}" if amount > 0 else f"took {units(asset, -amount)} from {who}"


def _amended(match: Match, payload: Payload, name: Name) -> str:
    if not match.is_over:
        return "amended the settings"
    labels = {each.key: each.label for each in match.rules.settings}
    return f"amended these settings: {joined(labels.get(key, key) for key in payload['changes'])}"


def _chose_hosts(match: Match, payload: Payload, name: Name) -> str:
    said = [f"chose who hosts the match: {joined(payload['hosts'][1])}"]
    if "owner" in payload and payload["owner"][1]:
        said.append(f"it belongs to {payload['owner'][1]}")
    if "observers" in payload:
        said.append(f"observed by {joined(payload['observers'][1])}")
    return "; ".join(said)


def _looked(match: Match, payload: Payload, name: Name) -> str:
    if payload.get("what") == "balances":
        return f"looked at the balances of {name(payload['player'])}"
    return f"looked at what {name(payload['player'])} had submitted under seal"


def _announced(match: Match, payload: Payload, name: Name) -> str:
    what = "a clarification" if payload["kind"] == "clarification" else "an announcement"
    return f"corrected {what}: “{payload['text']}”" if "corrects" in payload else f"made {what}: “{payload['text']}”"


def _moment(text: str) -> str:
    return moment_in_words(datetime.fromisoformat(text))


_TAKEN_BACK: Mapping[str, str] = {
    "pause": "the pause",
    "extend": "the extension",
    "publish": "the publication of the match",
    "correct": "the correction",
    "amend": "the amendment",
}

_SENTENCES: Mapping[str, Callable[[Match, Payload, Name], str]] = {
    "create": lambda match, payload, name: "created the match",
    "update": lambda match, payload, name: "changed the draft",
    "players": lambda match, payload, name: "changed the list of players",
    "renew_invitation": lambda match, payload, name: f"renewed the invitation of {name(payload['player'])}",
    "publish": lambda match, payload, name: f"published the match, to begin {_moment(payload['starts_at'])}",
    "unpublish": lambda match, payload, name: "made the match a draft again",
    "hosts": _chose_hosts,
    "pause": lambda match, payload, name: "paused the match",
    "resume": lambda match, payload, name: "resumed the match",
    "resume_at": lambda match, payload, name: f"chose when the match resumes: {_moment(payload['at'])}",
    "extend": lambda match, payload, name: (
        f"moved every deadline by {spell_told(timedelta(seconds=payload['by'] / match.speed))}"
    ),
    "close_deadline": lambda match, payload, name: "closed a deadline early",
    "close_when_sent": lambda match, payload, name: (
        f"let deadlines pass {'as soon as everybody has submitted' if payload['on'] else 'at their set times'}"
    ),
    "cancel": lambda match, payload, name: "cancelled the match",
    "clear_fault": lambda match, payload, name: "let the match try again after a fault",
    "blood_garnets": lambda match, payload, name: f"switched blood garnets {'on' if payload['on'] else 'off'}",
    "correct": _corrected,
    "amend": _amended,
    "act": lambda match, payload, name: match.rules.host_acts.get(payload["action"]["type"], "acted inside the rules"),
    "decide": lambda match, payload, name: (
        f"decided in place of {name(payload['player'])}" if "player" in payload else "decided in a player's place"
    ),
    "peek": _looked,
    "announce": _announced,
    "withdraw_note": lambda match, payload, name: "withdrew an announcement or clarification",
    "leniency": lambda match, payload, name: (
        "let bots play for players who are away"
        if payload["bots_stand_in"]
        else "let no bots play for players who are away"
    ),
    "absence": lambda match, payload, name: f"noted that {name(payload['player'])} is away",
    "invite": lambda match, payload, name: (
        f"made an invitation to {'take over ' if payload['takes_over'] else ''}the place {payload['player']}"
    ),
    "invite_again": lambda match, payload, name: f"sent the invitation to the place {payload['player']} again",
    "revoke_invitation": lambda match, payload, name: f"revoked the invitation to the place {payload['player']}",
    "substitute": lambda match, payload, name: (
        f"gave the place {payload['player']} to {payload['newcomer']}"
        + (f", instead of {payload['left']}" if payload["left"] else "")
        + f" ({payload['where']})"
    ),
    "withdraw_player": lambda match, payload, name: (
        f"withdrew {payload['left']} for good ({payload['where']})"
        + ("; a bot plays in the place" if payload["bot"] else "")
    ),
    "bot_plays": lambda match, payload, name: f"let a bot play for {name(payload['player'])} ({payload['where']})",
    "person_plays": lambda match, payload, name: f"gave {name(payload['player'])} the place back from the bot",
    "undo": lambda match, payload, name: f"took back: {_TAKEN_BACK[payload['what']]}",
    "remind": lambda match, payload, name: "reminded the players who had not acted yet",
}
