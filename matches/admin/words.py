"""What the console says: instants in UTC and in the host's zone, and the log's rows in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from matches.admin.differences import differences
from matches.engine.sentences import asset_name
from matches.models import Match, Submission
from matches.models.ledger import shown_amount
from matches.pages.durations import in_round_words, moment_in_words

_MOST_DIFFERENCES = 6
SEALED = "hidden from hosts until the match is finished"


def instant(at: datetime) -> str:
    """“Sat 21 Nov, 14:00 UTC (15:00 your time)”, the second part where the zones differ."""
    said, here, there = moment_in_words(at), timezone.localtime(at), at.astimezone(UTC)
    if here.utcoffset() == there.utcoffset():
        return said
    day = "" if here.date() == there.date() else f"{here:%a} {here.day} {here:%b}, "
    return f"{said} ({day}{here:%H:%M} your time)"


def local(at: datetime) -> str:
    """“Sat 21 Nov, 15:00:07” in the host's zone, which every page of the console names at its foot."""
    here = timezone.localtime(at)
    return f"{here:%a} {here.day} {here:%b}, {here:%H:%M:%S}"


def span(length: timedelta | float) -> str:
    """A length of time as people say it."""
    return in_round_words(length)


def units(asset: str, amount: int) -> str:
    """An amount in stored units with its name: “3 garnets”, “1.5 blood garnets”."""
    shown = shown_amount(asset, amount)
    return asset_name(asset, plain(shown) if isinstance(shown, Decimal) else shown)


def asset_word(asset: str) -> str:
    """What an asset is called: “garnets”, “Tokens of Life”."""
    return asset_name(asset, 2).removeprefix("2 ")


def plain(amount: Decimal) -> Decimal:
    """A decimal without idle zeros, and never as 1E+2."""
    return Decimal(format(amount.normalize(), "f"))


def plain_amount(amount: int | Decimal) -> str:
    """An amount as people count it."""
    return str(plain(amount)) if isinstance(amount, Decimal) else str(amount)


def is_hidden(row: Submission, match: Match) -> bool:
    """Whether what a row says is nobody's to read yet: an action, before the match is finished."""
    return row.kind == Submission.Kind.ACTION and match.status != Match.Status.FINISHED


def verdict(row: Submission, match: Match) -> str:
    """What became of a row; why an action was refused would tell what it said."""
    if row.accepted:
        return "accepted"
    return "refused" if is_hidden(row, match) else f"refused: {row.code}"


def row_in_words(row: Submission, match: Match) -> str:
    """What a row of the log says, as far as its match's hosts may know it now."""
    if row.kind == Submission.Kind.ACTION:
        return f"Action, {SEALED}" if is_hidden(row, match) else f"{row.payload} {row.message}".strip()
    payload = json.loads(row.payload)
    if row.kind == Submission.Kind.DEADLINE:
        return f"The deadline at match time {span(payload['deadline'] / 1_000_000)} passed"
    name = payload["command"]
    said = _COMMANDS.get(name)
    text = said(payload) if said else name.replace("_", " ").capitalize()
    reason = str(payload.get("reason") or "").strip()
    text = f"{text}: {reason}" if reason else text
    return text if row.accepted else f"Refused ({row.code}). {text}"


def _published(payload: Mapping[str, Any]) -> str:
    return f"Published, to start {instant(datetime.fromisoformat(payload['starts_at']))}"


def _corrected(payload: Mapping[str, Any]) -> str:
    amount = payload["amount"]
    verb = "Gave" if amount > 0 else "Took"
    to = "to" if amount > 0 else "from"
    return f"{verb} {units(payload['asset'], abs(amount))} {to} {payload['player']}"


def _players(payload: Mapping[str, Any]) -> str:
    parts = [f"added {place['handle']}" for place in payload["added"]]
    parts += [f"changed {each['handle']} ({_changes(each['changes'])})" for each in payload["changed"]]
    parts += [f"removed {handle}" for handle in payload["removed"]]
    return "Players: " + "; ".join(parts)


def _updated(payload: Mapping[str, Any]) -> str:
    return f"Changed the draft: {_changes(payload['changes'])}"


def _amended(payload: Mapping[str, Any]) -> str:
    return f"Amended the settings ({'; '.join(differences(payload['changes'], _MOST_DIFFERENCES))})"


def _changes(changes: Mapping[str, Any]) -> str:
    parts = []
    for field, (before, after) in changes.items():
        if isinstance(before, dict) and isinstance(after, dict):
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            parts += [
                f"{key} {_value(before.get(key), 'as usual')} → {_value(after.get(key), 'as usual')}" for key in keys
            ]
        else:
            parts.append(f"{field} {_value(before)} → {_value(after)}")
    return ", ".join(parts)


def _value(value: Any, nothing: str = "nothing") -> str:
    if value is None or value == "":
        return nothing
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


_COMMANDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "create": lambda payload: "Created the match",
    "update": _updated,
    "players": _players,
    "hosts": lambda payload: f"Hosts: {', '.join(payload['hosts'][0])} → {', '.join(payload['hosts'][1])}",
    "renew_invitation": lambda payload: f"Renewed the invitation of {payload['player']}",
    "amend": _amended,
    "publish": _published,
    "unpublish": lambda payload: "Made it a draft again",
    "not_opened": lambda payload: "Could not start. " + " ".join(payload["problems"]),
    "open": lambda payload: f"The match began; SHA-256 of its seed: {payload['seed_hash']}",
    "extend": lambda payload: f"Moved every deadline by {span(payload['by'])}",
    "close_deadline": lambda payload: "Closed the deadline early",
    "clear_fault": lambda payload: "Cleared the fault",
    "correct": _corrected,
    "peek": lambda payload: f"Opened the sealed submission of {payload['player']}",
    "blood_garnets": lambda payload: f"Switched blood garnets {'on' if payload['on'] else 'off'}",
    "grow_blood_garnets": lambda payload: "Blood garnets grew",
    "cancel": lambda payload: "Cancelled",
}
