"""Verification of a season without a database: replaying its log, and proving a whole exported season."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from matches.engine import chain
from matches.engine.core import Posting, apply_postings
from matches.engine.draw import Draw, commitment
from seasons.engine import season as rules
from seasons.engine.state import Brought, CastEntry, MatchResult, SeasonSettings, SeasonState, Step, account

# -- replaying a season's log: the step of each row, and whether the hashes hold -----------------------------

BEGIN, MATCH_OPENED, PREGAME_OVER = "begin", "match_opened", "pregame_over"
MATCH_OVER, DEADLINE, COUNT_BLOOD, COMMAND = "match_over", "deadline", "count_blood", "command"
PERSON, ROLES, OUTAGE, VIEWER = "person", "roles", "outage", "viewer"

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
        """Return all fields of the row but the previous row's hash."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if name != "previous"}


def broken_in(rows: Iterable[tuple[LogRow, str]], count: int | None = None, head: str = "") -> int | None:
    """Return the number of the first row whose hash (given beside it) breaks the chain; None if it is whole."""
    facts = (
        (row.number, row.previous, stored, chain.row_hash(row.previous, chain.content_hash(row.facts())) == stored)
        for row, stored in rows
    )
    return chain.broken_at(facts, count, head)


def replay(rows: Iterable[LogRow], seed: str) -> tuple[SeasonState, list[tuple[LogRow, Step]]]:
    """Return the state to which the log leads, and the step of each row with one. Raises whatever the rules raise."""
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
        is_final = payload.get("final", False)
        return rules.open_match(state, payload["match"], payload["players"], row.time, is_final=is_final)
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
    if row.kind == VIEWER:
        return rules.change_viewer(state, row.time, payload["player"], payload["did"])
    if row.kind != COMMAND:
        return None
    return rules.apply(state, payload, row.time)


def brought_to(steps: Iterable[tuple[LogRow, Step]]) -> dict[str, Mapping[str, Any]]:
    """Return key of each match that opened -> what each of its players brought."""
    found: dict[str, Mapping[str, Any]] = {}
    for _, step in steps:
        for match in step.state.matches:
            found.setdefault(match.key, match.brought)
    return found


def results_in(rows: Iterable[LogRow]) -> dict[str, MatchResult]:
    """Return key of each match that is over -> how it ended, by the last row that says so."""
    found = {}
    for row in rows:
        if row.kind == MATCH_OVER:
            payload = json.loads(row.payload)
            found[payload["match"]] = msgspec.convert(payload["result"], MatchResult)
    return found


# -- proving an exported season: hashes, state, ledger, places, and what matches took and returned -----------

FORMAT = "genius-season"
VERSION = 1


class ExportedRow(msgspec.Struct, frozen=True):
    """A row of the log, in the format of matches' exports: `content` is the SHA-256 of `facts` as canonical JSON,
    `hash` that of `previous`, a line feed and `content`."""

    previous: str
    hash: str
    content: str
    facts: dict[str, Any]

    def row(self) -> LogRow:
        """Return the row. Raises `msgspec.ValidationError` if the facts are not those of a row."""
        return msgspec.convert({**self.facts, "previous": self.previous}, LogRow)


class ExportedEntry(chain.ExportedEntry, frozen=True):
    """An entry of the ledger. `row`: the number of the log row that caused it; `match`: the number of the match that
    the amount goes into or comes from, or empty. Blood garnets are in units."""

    match: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A match that has opened: `brought` according to its own log, `result` according to the season's, once over."""

    key: str
    id: str
    title: str
    game: str
    brought: dict[str, Brought]
    result: MatchResult | None


class ExportedMember(msgspec.Struct, frozen=True):
    """A member at the end of the file's log. `account`: balances as printed."""

    handle: str
    name: str
    team: str
    status: str
    place: int | None
    account: dict[str, Any]


class Exported(msgspec.Struct, frozen=True):
    """A whole season as one file."""

    format: str
    version: int
    id: str
    title: str
    started_at: str
    ended_at: str | None
    seed_hash: str
    seed: str
    state: str
    cast: list[ExportedMember]
    matches: list[ExportedMatch]
    log: tuple[ExportedRow, ...]
    ledger: list[ExportedEntry]


def read(raw: object) -> Exported:
    """Read an export from decoded JSON. Raises `ValueError` with a sentence."""
    try:
        found = msgspec.convert(raw, Exported)
    except msgspec.ValidationError as error:
        raise ValueError(f"The file is not an exported season: {error}.") from None
    if found.format != FORMAT or found.version != VERSION:
        raise ValueError(
            f"This program reads {FORMAT}, version {VERSION}; the file is {found.format}, {found.version}."
        )
    return found


def prove(season: Exported) -> list[str]:
    """Return what does not agree, one sentence each; empty if everything agrees."""
    found = []
    try:
        rows = [each.row() for each in season.log]
        broken = broken_in(zip(rows, [each.hash for each in season.log], strict=True))
        if broken is not None:
            return [f"The log's chain of hashes breaks at row {broken}."]
        promised = json.loads(rows[0].payload).get("seed_hash")
        if not commitment(bytes.fromhex(season.seed)) == season.seed_hash == promised:
            found.append("The seed is not the one that was promised when the season began.")
        state, steps = replay(rows, season.seed)
    except Exception as error:  # any error in a replay is a finding
        return [*found, f"Playing the log again fails: {type(error).__name__}: {error}."]
    if rules.encode(state).decode() != season.state:
        found.append("The stored state does not match the log.")
    found += _prove_ledger(season, steps)
    found += _prove_cast(season, state)
    found += _prove_matches(season, rows, steps)
    return found


def _prove_ledger(season: Exported, steps: list[tuple[LogRow, Step]]) -> list[str]:
    start = datetime.fromisoformat(season.started_at)
    expected = Counter(
        ExportedEntry(
            at=(start + row.time).isoformat(), row=row.number, **{name: getattr(each, name) for name in _MOVED}
        )
        for row, step in steps
        for each in step.transfers
    )
    return chain.differences("ledger", expected, Counter(season.ledger))


_MOVED = ("giver", "receiver", "match", "asset", "amount", "reason", "note")


def _prove_cast(season: Exported, state: SeasonState) -> list[str]:
    found = []
    life = [(each.handle, each.status, each.place) for each in state.members]
    if sorted(life, key=str) != sorted(((m.handle, m.status, m.place) for m in season.cast), key=str):
        found.append("The cast does not match the log.")
    sums = apply_postings({}, (Posting(e.giver, e.receiver, e.asset, e.amount, e.reason) for e in season.ledger))
    if any(member.account != account(sums, member.handle) for member in season.cast):
        found.append("A balance is not the sum of its entries.")
    return found


def _prove_matches(season: Exported, rows: list[LogRow], steps: list[tuple[LogRow, Step]]) -> list[str]:
    found = []
    matches = {match.key: match for match in season.matches}
    ended = results_in(rows)
    for key, brought in brought_to(steps).items():
        match = matches.get(key)
        if match is None:
            found.append(f"Match {key} is missing.")
        elif match.brought != brought:
            found.append(f"Match {key} did not open with what its players brought.")
        elif key in ended and match.result != ended[key]:
            found.append(f"The result of match {key} is not the one in the season's log.")
    return found
