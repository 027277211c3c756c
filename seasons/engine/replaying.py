"""A season played again from its log, without a database: what each row did, and whether the hashes hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.canonical import canonical
from matches.engine.draw import Draw
from seasons.engine import season as rules
from seasons.engine.settings import SeasonSettings
from seasons.engine.state import CastEntry, MatchResult, SeasonState
from seasons.engine.turn import Step

BEGIN, MATCH_OPENED, PREGAME_OVER = "begin", "match_opened", "pregame_over"
MATCH_OVER, DEADLINE, COUNT_BLOOD, COMMAND = "match_over", "deadline", "count_blood", "command"
PERSON, ROLES, OUTAGE = "person", "roles", "outage"

MICROSECOND = timedelta(microseconds=1)


class LogRow(msgspec.Struct, frozen=True):
    """One row of a season's log, as its hash covers it. `season_time` in microseconds, `received_at` in UTC (ISO)."""

    actor: str
    key: str
    kind: str
    number: int
    payload: str
    previous: str
    received_at: str
    season_time: int
    salt: str

    @property
    def time(self) -> timedelta:
        """Season time."""
        return self.season_time * MICROSECOND

    def facts(self) -> dict[str, Any]:
        """Everything in the row but the hash of the row before."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if name != "previous"}

    def content(self) -> str:
        """SHA-256 over the facts as canonical JSON."""
        return hashlib.sha256(canonical(self.facts()).encode()).hexdigest()

    def hash(self) -> str:
        """SHA-256 over the hash of the row before and that of the content."""
        return hashlib.sha256(f"{self.previous}\n{self.content()}".encode()).hexdigest()


def broken_at(rows: Iterable[tuple[LogRow, str]]) -> int | None:
    """The number of the first row whose hash (given beside it) does not fit the chain; None when it is whole."""
    previous = ""
    for number, (row, stored) in enumerate(rows, start=1):
        if row.number != number or row.previous != previous or row.hash() != stored:
            return number
        previous = stored
    return None


def replay(rows: Iterable[LogRow], seed: str) -> tuple[SeasonState, list[tuple[LogRow, Step]]]:
    """The state to which the log leads, and the step that each row made. Raises whatever the rules raise."""
    draw = Draw(bytes.fromhex(seed))
    state: SeasonState | None = None
    steps = []
    for row in rows:
        step = _step_of(state, row, json.loads(row.payload), draw)
        if step is not None:
            state = step.state
            steps.append((row, step))
    if state is None:
        raise ValueError("the log has no beginning")
    return state, steps


def _step_of(state: SeasonState | None, row: LogRow, payload: Any, draw: Draw) -> Step | None:
    if row.kind == BEGIN:
        cast = tuple(CastEntry(**entry) for entry in payload["cast"])
        return rules.begin(SeasonSettings.read(payload["settings"]), cast)
    if state is None:
        return None
    return _later_step(state, row, payload, draw)


def _later_step(state: SeasonState, row: LogRow, payload: Any, draw: Draw) -> Step | None:
    if row.kind == DEADLINE:
        if rules.next_deadline(state) != row.time:
            raise ValueError(f"row {row.number} passes a deadline that is not there")
        return rules.pass_deadline(state, draw)
    if row.kind == MATCH_OPENED:
        return rules.open_match(state, payload["match"], payload["players"], row.time)
    if row.kind == PREGAME_OVER:
        return rules.pregame_over(state, payload["match"], payload["ended"] * MICROSECOND, row.time)
    if row.kind == MATCH_OVER:
        result = msgspec.convert(payload["result"], MatchResult)
        return rules.match_is_over(state, payload["match"], result, row.time)
    if row.kind == COUNT_BLOOD:
        return rules.count_blood(state, payload["match"], row.time)
    if row.kind == OUTAGE:
        return rules.extend_decision(state, row.time, **payload)
    if row.kind == PERSON:
        return rules.change_person(state, row.time, **payload)
    if row.kind != COMMAND:
        return None
    return rules.apply(state, payload, row.time)


def brought_to(steps: Iterable[tuple[LogRow, Step]]) -> dict[str, Mapping[str, Any]]:
    """Key of each match that opened -> what each of its players brought."""
    found: dict[str, Mapping[str, Any]] = {}
    for _, step in steps:
        for match in step.state.matches:
            found.setdefault(match.key, match.brought)
    return found


def results_in(rows: Iterable[LogRow]) -> dict[str, MatchResult]:
    """Key of each match that is over -> how it ended, by the last row that says so."""
    found = {}
    for row in rows:
        if row.kind == MATCH_OVER:
            payload = json.loads(row.payload)
            found[payload["match"]] = msgspec.convert(payload["result"], MatchResult)
    return found
