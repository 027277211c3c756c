"""Rows of the log in words, limited to what the match's hosts may know at that time."""

import json
from datetime import datetime

from matches.admin import draft_pages, formats, players_table
from matches.admin.commands import COMMANDS
from matches.admin.commands.base import Sentences
from matches.admin.commands.publishing import start_of
from matches.admin.formats import key_in_words, value_in_words
from matches.engine.sentences import counted, joined
from matches.models import Match, Submission
from matches.pages.texts import in_round_words
from matches.queries.host_acts import command_in_words
from matches.services.commands import Payload
from matches.services.opening import BOTS

_LONGEST = 300
SEALED = "hidden from hosts until the match is over"


def _outage(payload: Payload) -> str:
    since, until = (formats.instant(datetime.fromisoformat(payload[name])) for name in ("since", "until"))
    return f"The site was down from {since} until {until}"


def _put_off(payload: Payload) -> str:
    were_open = counted(payload["open_places"], "place was", "places were")
    return f"The start was postponed to {start_of(payload)}: {were_open} open"


def _places_settled(payload: Payload) -> str:
    handles = joined(payload["handles"])
    return f"Bots play in open places: {handles}" if payload["choice"] == BOTS else f"Began without {handles}"


_OF_OTHERS: Sentences = {
    "put_off": _put_off,
    "open_places": _places_settled,
    "not_opened": lambda payload: "Could not start. " + " ".join(payload["problems"]),
    "open": lambda payload: f"The match began; SHA-256 of its seed: {payload['seed_hash']}",
    "ended": lambda payload: "The match is over",
    "outage": lambda payload: f"{_outage(payload)}: moved every deadline by {in_round_words(payload['by'])}",
    "outage_start": lambda payload: f"{_outage(payload)}: postponed the start to {start_of(payload)}",
    "fault": lambda payload: "The rules failed",
    "grow_blood_garnets": lambda payload: "Blood garnets grew",
    "question": lambda payload: "Asked the hosts a question",
    "take_place": lambda payload: f"Took the place {payload['player']}",
    "back": lambda payload: f"{payload['player']} is back",
    "ready": lambda payload: f"{payload['player']} is ready",
}
"""What the site does by itself, and players."""

_SENTENCES: Sentences = {
    **{name: said for command in COMMANDS.values() for name, said in command.said.items()},
    **_OF_OTHERS,
    **draft_pages.SENTENCES,
    **players_table.SENTENCES,
}


def is_hidden(row: Submission, match: Match) -> bool:
    """Whether a row's content is still hidden: an action, before the match is over."""
    return row.kind == Submission.Kind.ACTION and not match.is_over


def _action(row: Submission) -> str:
    """“bid: amount 17, seat W”, and why it was refused."""
    payload = json.loads(row.payload)
    if isinstance(payload, dict):
        kind = key_in_words(payload.pop("type", "action"))
        said = f"{kind}: {value_in_words(payload)}" if payload else kind
    else:
        said = value_in_words(payload)
    said = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
    return f"{said}. {row.message}" if row.message else said


def verdict(row: Submission, match: Match) -> str:
    """What became of a row; the reason of a refusal is hidden with the action, because it would reveal it."""
    if row.accepted:
        return "accepted"
    return "refused" if is_hidden(row, match) else f"refused: {row.code}"


def row_in_words(row: Submission, match: Match) -> str:
    """A row of the log in words, as far as the match's hosts may know it now."""
    if row.kind == Submission.Kind.ACTION:
        return f"Action, {SEALED}" if is_hidden(row, match) else _action(row)
    payload = json.loads(row.payload)
    if row.kind == Submission.Kind.DEADLINE:
        return f"The deadline at match time {in_round_words(payload['deadline'] / 1_000_000)} passed"
    name = payload["command"]
    said = _SENTENCES.get(name)
    text = said(payload) if said else command_in_words(match, payload, {})
    text = text[:1].upper() + text[1:]
    reason = str(payload.get("reason") or "").strip()
    text = f"{text}: {reason}" if reason else text
    return text if row.accepted else f"Refused ({row.code}). {text}"
