"""Rows of a season's log in words, and entries of its ledger."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from matches.admin import formats
from matches.admin.commands.hosts import roles_changed
from matches.engine.sentences import joined
from matches.queries.amounts import units
from seasons.engine.amounts import blood_units
from seasons.engine.sentences import REASONS
from seasons.models import Season, SeasonEntry, SeasonNews, SeasonRow

Titles = Mapping[str, str]
Payload = Mapping[str, Any]


class LogLine(NamedTuple):
    """A row of the log in words."""

    at: str
    who: str
    what: str


class Entry(NamedTuple):
    """An entry of the ledger in words."""

    at: str
    what: str
    giver: str
    receiver: str
    why: str


def rows_of(season: Season, first: int, most: int) -> list[LogLine]:
    """Rows of the log, the latest first, from the `first` on (counted from 0)."""
    titles, rows = _titles(season), list(season.log.order_by("-number")[first : first + most])
    drawn = set(SeasonNews.objects.filter(row__in=rows, kind="death_match").values_list("row_id", flat=True))
    return [_log_line(row, titles, is_draw=row.pk in drawn) for row in rows]


def entries_of(season: Season, first: int, most: int) -> list[Entry]:
    """Entries of the ledger, the latest first, likewise."""
    found = season.ledger.select_related("giver", "receiver", "match__match").order_by("-pk")
    return [_entry(entry) for entry in found[first : first + most]]


def _titles(season: Season) -> dict[str, str]:
    return {str(number): title for number, title in season.matches.values_list("number", "match__title")}


def _log_line(row: SeasonRow, titles: Titles, *, is_draw: bool) -> LogLine:
    """`is_draw`: this deadline was that of naming an opponent, so one was drawn."""
    payload = json.loads(row.payload)
    said = _DRAWN if row.kind == SeasonRow.Kind.DEADLINE and is_draw else _SENTENCES[row.kind](payload, titles)
    reason = str(payload.get("reason") or "").strip()
    who = row.actor.partition(":")[2] or row.actor
    return LogLine(formats.local(row.received_at), who, f"{said}: {reason}" if reason else said)


def _entry(entry: SeasonEntry) -> Entry:
    place = f"“{entry.match.match.title}”" if entry.match else "the bank"
    why = REASONS.get(entry.reason, entry.reason)
    return Entry(
        formats.local(entry.at),
        units(entry.asset, entry.amount),
        entry.giver.handle if entry.giver else place,
        entry.receiver.handle if entry.receiver else place,
        f"{why}: {entry.note}" if entry.note else why,
    )


_DRAWN = "An opponent was drawn"

# -- sentences -----------------------------------------------------------------------------------------


def _title(key: Any, titles: Titles) -> str:
    return f"“{titles.get(str(key), key)}”"


def _blood(payload: Payload, titles: Titles) -> str:
    if payload["match"] is None:
        return "Blood garnets no longer grow"
    return f"Blood garnets grow from the pregame of {_title(payload['match'], titles)}"


def _over(payload: Payload, titles: Titles) -> str:
    result = payload["result"]
    if result.get("cancelled"):
        return f"{_title(payload['match'], titles)} was cancelled"
    winners = joined(result["winners"]) if result.get("winners") else "nobody"
    return f"{_title(payload['match'], titles)} is over, won by {winners}"


def _person(payload: Payload, titles: Titles) -> str:
    who = "a bot" if payload["is_bot"] else payload["username"] or "nobody yet"
    return f"{payload['player']} is {who}"


def _corrected(payload: Payload, titles: Titles) -> str:
    what = payload["correct"]
    amount = what["amount"]
    stored = blood_units(amount) if what["asset"] == "blood_garnet" else int(amount)
    verb, to = ("Gave", "to") if stored > 0 else ("Took", "from")
    return f"{verb} {units(what['asset'], abs(stored))} {to} {what['player']}"


_COMMANDS: dict[str, Callable[[Payload, Titles], str]] = {
    "name_opponent": lambda payload, titles: f"Named {payload['name_opponent']} as the opponent",
    "draw_opponent": lambda payload, titles: "Let the opponent be drawn",
    "take_back": lambda payload, titles: "Took back the booking of the Death Match",
    "death_match": lambda payload, titles: f"Booked that {payload['death_match']['loser']} lost the Death Match",
    "correct": _corrected,
    "out": lambda payload, titles: f"Booked that {payload['out']} goes out",
    "withdraw": lambda payload, titles: f"Booked that {payload['withdraw']} withdraws",
    "settle": lambda payload, titles: (
        "Confirmed the settlement" + ("" if payload["settle"] is True else f" of {_title(payload['settle'], titles)}")
    ),
    "end": lambda payload, titles: "Ended the season",
}


def _command(payload: Payload, titles: Titles) -> str:
    return next(said(payload, titles) for verb, said in _COMMANDS.items() if verb in payload)


_SENTENCES: dict[str, Callable[[Payload, Titles], str]] = {
    SeasonRow.Kind.BEGIN: lambda payload, titles: f"The season began; SHA-256 of its seed: {payload['seed_hash']}",
    SeasonRow.Kind.MATCH_OPENED: lambda payload, titles: (
        f"{_title(payload['match'], titles)} opened with {joined(payload['players'])}"
    ),
    SeasonRow.Kind.PREGAME_OVER: lambda payload, titles: (
        f"The pregame of {_title(payload['match'], titles)} is over; blood garnets grow from then on"
    ),
    SeasonRow.Kind.MATCH_OVER: _over,
    SeasonRow.Kind.DEADLINE: lambda payload, titles: "Blood garnets grew by a tenth",
    SeasonRow.Kind.COUNT_BLOOD: _blood,
    SeasonRow.Kind.COMMAND: _command,
    SeasonRow.Kind.PERSON: _person,
    SeasonRow.Kind.ROLES: lambda payload, titles: roles_changed(payload),
    SeasonRow.Kind.OUTAGE: lambda payload, titles: (
        f"The site did not work from {payload['from']} until {payload['to']}: "
        f"an opponent can be named until {payload['ends']}"
    ),
}
