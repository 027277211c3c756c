"""What hosts did in a match: a public list of every command, with the host's name, the time and the reason.

Details that would reveal a player's secret (amounts of private balances, and what an amendment changed) are left out
until the match is over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import QuerySet

from matches.engine.match_time import spell
from matches.engine.sentences import Name, joined
from matches.models import Match, Submission
from matches.queries.amounts import units
from matches.queries.balances import is_open
from matches.queries.feed import names_in

Payload = Mapping[str, Any]


class HostAct(msgspec.Struct, frozen=True):
    """One act: `what` continues after the host's name, such as “paused the match”; `reason` may be empty."""

    at: datetime
    host: str
    what: str
    reason: str


def host_act_rows(match: Match) -> QuerySet[Submission]:
    """The rows of the log that everybody may read about, latest first. Refused commands are left out until the match is
    over, because a refused correction shows how much could not be taken."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, actor__startswith="host:").order_by("-number")
    return rows if match.is_over else rows.filter(accepted=True)


def host_acts(match: Match, rows: QuerySet[Submission] | list[Submission]) -> list[HostAct]:
    """Rows of `host_act_rows` in words."""
    names = names_in(match)

    def name(handle: str) -> str:
        return names.get(handle, handle)

    return [_act(match, row, name) for row in rows]


def _act(match: Match, row: Submission, name: Name) -> HostAct:
    payload = json.loads(row.payload)
    command = payload["command"]
    say = _SENTENCES.get(command)
    what = say(match, payload, name) if say else command.replace("_", " ")
    if not row.accepted:
        what = f"{what} (refused: nothing changed)"
    return HostAct(row.received_at, row.actor.removeprefix("host:"), what, str(payload.get("reason") or "").strip())


def _corrected(match: Match, payload: Payload, name: Name) -> str:
    asset, amount, who = payload["asset"], payload["amount"], name(payload["player"])
    if not is_open(match, asset):
        return f"corrected a balance of {who}"
    return f"gave {units(asset, amount)} to {who}" if amount > 0 else f"took {units(asset, -amount)} from {who}"


def _amended(match: Match, payload: Payload, name: Name) -> str:
    if not match.is_over:
        return "amended the settings"
    labels = {each.key: each.label for each in match.rules.settings}
    return f"amended these settings: {joined(labels.get(key, key) for key in payload['changes'])}"


def _decided(match: Match, payload: Payload, name: Name) -> str:
    return f"decided in place of {name(payload['player'])}" if "player" in payload else "decided in a player's place"


def _looked(match: Match, payload: Payload, name: Name) -> str:
    if payload.get("what") == "balances":
        return f"looked at the balances of {name(payload['player'])}"
    return f"looked at what {name(payload['player'])} had submitted under seal"


_SENTENCES: Mapping[str, Callable[[Match, Payload, Name], str]] = {
    "create": lambda match, payload, name: "created the match",
    "update": lambda match, payload, name: "changed the draft",
    "players": lambda match, payload, name: "changed the list of players",
    "renew_invitation": lambda match, payload, name: f"renewed the invitation of {name(payload['player'])}",
    "publish": lambda match, payload, name: "published the match",
    "unpublish": lambda match, payload, name: "made the match a draft again",
    "hosts": lambda match, payload, name: f"chose who hosts the match: {joined(payload['hosts'][1])}",
    "pause": lambda match, payload, name: "paused the match",
    "resume": lambda match, payload, name: "resumed the match",
    "extend": lambda match, payload, name: (
        f"moved every deadline by {spell(timedelta(seconds=payload['by'] / match.speed))}"
    ),
    "close_deadline": lambda match, payload, name: "closed a deadline early",
    "cancel": lambda match, payload, name: "cancelled the match",
    "clear_fault": lambda match, payload, name: "let the match try again after a fault",
    "blood_garnets": lambda match, payload, name: f"switched blood garnets {'on' if payload['on'] else 'off'}",
    "correct": _corrected,
    "amend": _amended,
    "decide": _decided,
    "peek": _looked,
}
