"""Plays a season again from its log and compares: state, ledger, cast, and what its matches brought and gave back."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from django.db import transaction

from matches.models import Match, Submission
from seasons.engine import proving
from seasons.engine import season as rules
from seasons.engine.proving import LogRow
from seasons.engine.state import ENDED, Brought, SeasonState, Step
from seasons.models import Season, SeasonRow
from seasons.services.writer import Writer, broken_at, plain

_Line = tuple[Any, ...]


def verify(season: Season) -> list[str]:
    """The differences found, one sentence each; an empty list if there are none."""
    rows = list(season.log.order_by("number"))
    broken = broken_at(season, rows)
    if broken is not None:
        return [f"The log's chain of hashes breaks at row {broken}."]
    if not season.state:
        return [] if season.status == Season.Status.DRAFT else ["The season has begun, and has no state."]
    try:
        state, steps = proving.replay(map(plain, rows), season.seed)
    except Exception as error:  # whatever goes wrong in a replay is the finding
        return [f"Playing the log again fails: {type(error).__name__}: {error}."]
    is_same = rules.encode(state).decode() == season.state
    found = [] if is_same else ["The stored state is not what the log gives."]
    found += _compare_life(season, rows[0], state)
    found += _compare_ledger(season, steps)
    if is_same:  # otherwise it may be none that can be read
        found += _compare_matches(season, rows, steps)
    return found


def verify_live(season: Season) -> list[str]:
    """The same for a season that may be going on: what seems wrong is looked at again while nothing can change."""
    if not (found := verify(season)):
        return found
    with transaction.atomic():
        return verify(Season.objects.select_for_update().get(pk=season.pk))


def _compare_life(season: Season, first: SeasonRow, state: SeasonState) -> list[str]:
    found = []
    if season.status != (Season.Status.ENDED if state.phase == ENDED else Season.Status.RUNNING):
        found.append(f"The season is {season.status}, but its phase is {state.phase}.")
    if first.kind != proving.BEGIN or json.loads(first.payload)["seed_hash"] != season.seed_hash:
        found.append("The seed is not the one that was promised when the season began.")
    cast = set(season.cast.values_list("handle", "status", "place"))
    if cast != {(each.handle, each.status, each.place) for each in state.members}:
        found.append("The cast is not what the log gives.")
    return found


def _compare_ledger(season: Season, steps: list[tuple[LogRow, Step]]) -> list[str]:
    expected: Counter[_Line] = Counter(
        (row.number, t.giver, t.receiver, t.match or None, t.asset, t.amount, t.reason, t.note, row.time)
        for row, step in steps
        for t in step.transfers
    )
    stored: Counter[_Line] = Counter(
        (row, giver, receiver, None if number is None else str(number), *rest)
        for row, giver, receiver, number, *rest in season.ledger.values_list(
            "row__number", "giver__handle", "receiver__handle", "match__number", "asset", "amount", "reason", "note",
            "season_time",
        )
    )  # fmt: skip
    missing, extra = expected - stored, stored - expected
    if missing or extra:
        return [f"The ledger is not what the log gives: {missing.total()} rows missing, {extra.total()} too many."]
    return []


def _compare_matches(season: Season, rows: list[SeasonRow], steps: list[tuple[LogRow, Step]]) -> list[str]:
    """What each match's own log says its players brought, and how it ended, against the season's."""
    found = []
    writer = Writer(season, season.started_at or season.created_at)
    ended = proving.results_in(map(plain, rows))
    for key, brought in proving.brought_to(steps).items():
        if key not in writer.matches:
            found.append(f"Match {key} is missing.")
            continue
        match = writer.matches[key].match
        if brought != opened_with(match):
            found.append(f"Match {key} did not open with what its players brought.")
        if key in ended and not match.is_over:
            found.append(f"Match {key} is not over, but the season has its result.")
        elif key in ended and ended[key] != writer.peek(key):
            found.append(f"Match {key} did not end as the season has it.")
    return found


def opened_with(match: Match) -> dict[str, Brought]:
    """What each player had when the match opened, by the match's own log."""
    row = match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"open"').first()
    players = json.loads(row.payload)["players"] if row else []
    return {player["handle"]: Brought(player["garnets"], player["priority"]) for player in players}
