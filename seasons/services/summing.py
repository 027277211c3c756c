"""What the file of a season that has ended says besides its log, and the row of the log that sums it up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q, QuerySet

from matches.engine.canonical import canonical
from matches.infra.moments import iso
from matches.models import Match, Submission
from seasons.engine import replaying
from seasons.engine.proving import ExportedEntry, ExportedMatch, ExportedMember
from seasons.engine.state import Brought, SeasonState, account
from seasons.models import Season, SeasonEntry, SeasonMatch
from seasons.services import log

Facts = dict[str, Any]

SUMS = Q(kind=replaying.COMMAND, payload__contains=f'"{replaying.SUM_UP}":true')
"""Filters rows of logs that sum up."""


class Sum(NamedTuple):
    """What such a row says: the head of each match's log then, by key, and the hash of all that is in the file; whether
    people's names are in it, which they were not in older releases."""

    heads: Mapping[str, str]
    sha256: str
    names: bool


def sum_of(season: Season, state: SeasonState) -> dict[str, Any]:
    """The payload of the row with which a season that has just ended is summed up."""
    heads = {key: match.match.log_head for key, match in _opened(season).items()}
    digest = _digest(facts_of(season, state, heads), names=True)
    return {replaying.SUM_UP: True, "heads": heads, "names": True, "sha256": digest}


def latest(season: Season) -> Sum | None:
    """What the log sums up; None where it does not: the season goes on, or ended in an older release."""
    for payload in season.log.filter(SUMS).order_by("-number").values_list("payload", flat=True):
        said = json.loads(payload)
        return Sum(said["heads"], said["sha256"], said.get("names", False))
    return None


def holds(season: Season, state: SeasonState) -> bool:
    """Whether the log sums the season up with its members' names, and it still is as it was then."""
    found = latest(season)
    return found is not None and found.names and not compare(season, state)


def compare(season: Season, state: SeasonState) -> list[str]:
    """Whether the season is still as its log sums it up, a sentence if not."""
    found = latest(season)
    if found is None or _digest(facts_of(season, state, found.heads), names=found.names) == found.sha256:
        return []
    return ["The season is not what its log sums up at the end."]


def _digest(facts: Facts, *, names: bool) -> str:
    """The hash of these facts, with the members' names or without them."""
    cast = facts["cast"] if names else [{**each, "name": ""} for each in facts["cast"]]
    return hashlib.sha256(canonical({**facts, "cast": cast, "private": []}).encode()).hexdigest()


def facts_of(season: Season, state: SeasonState, heads: Mapping[str, str]) -> Facts:
    """What the file says besides its log, as JSON. `heads`: of which log of each match it speaks; where it has none,
    the present one."""
    names = dict(season.cast.values_list("handle", "name"))
    results = replaying.results_in(map(log.plain, season.log.order_by("number")))
    cast = [
        ExportedMember(
            handle=each.handle,
            name=names[each.handle],
            team=each.team or "",
            status=each.status,
            place=each.place,
            account=account(state.purses, each.handle),
        )
        for each in state.members
    ]
    matches = [
        ExportedMatch(
            key=key,
            id=each.match.public_id,
            title=each.match.title,
            game=each.match.game,
            brought=opened_with(each.match),
            result=results.get(key),
            log_head=heads.get(key, each.match.log_head),
        )
        for key, each in _opened(season).items()
    ]
    found: Facts = msgspec.to_builtins(
        {
            "id": season.public_id,
            "title": season.title,
            "started_at": season.started_at.isoformat() if season.started_at else "",
            "ended_at": iso(season.ended_at),
            "seed_hash": season.seed_hash,
            "seed": season.seed,
            "state": season.state,
            "cast": cast,
            "matches": matches,
            "ledger": [_entry(entry) for entry in entries_of(season)],
        }
    )
    return found


def _opened(season: Season) -> dict[str, SeasonMatch]:
    rows = season.matches.select_related("match").filter(opened_at__isnull=False)
    return {each.key: each for each in sorted(rows, key=lambda each: each.number)}


def opened_with(match: Match) -> dict[str, Brought]:
    """What each player had when the match opened, by the match's own log."""
    row = match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"open"').first()
    players = json.loads(row.payload)["players"] if row else []
    return {player["handle"]: Brought(player["garnets"], player["priority"]) for player in players}


def entries_of(season: Season) -> QuerySet[SeasonEntry]:
    """The ledger, in its order."""
    return season.ledger.select_related("row", "giver", "receiver", "match__match").order_by("pk")


def _entry(entry: SeasonEntry) -> ExportedEntry:
    return ExportedEntry(
        row=entry.row.number,
        giver=entry.giver.handle if entry.giver else None,
        receiver=entry.receiver.handle if entry.receiver else None,
        match=entry.match.key if entry.match else "",
        asset=entry.asset,
        amount=entry.amount,
        reason=entry.reason,
        note=entry.note,
        at=entry.at.isoformat(),
    )
