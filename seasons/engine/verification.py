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
from seasons.engine.state import Brought, MatchResult, SeasonState, Step, account

# -- replaying a season's log: the step of each row, and whether the hashes hold -----------------------------


class ExportedRow(msgspec.Struct, frozen=True):
    """A row of the log, in the format of matches' exports: `content` is the SHA-256 of `facts` as canonical JSON,
    `hash` that of `previous`, a line feed and `content`."""

    previous: str
    hash: str
    content: str
    facts: dict[str, Any]

    @property
    def time(self) -> timedelta:
        """Season time."""
        return timedelta(microseconds=self.facts["season_time"])


def broken_in(rows: Iterable[ExportedRow], count: int | None = None, head: str = "") -> int | None:
    """Return the number of the first row whose hash breaks the chain; None if it is whole."""
    facts = (
        (
            row.facts["number"],
            row.previous,
            row.hash,
            chain.row_hash(row.previous, chain.content_hash(row.facts)) == row.hash,
        )
        for row in rows
    )
    return chain.broken_at(facts, count, head)


def replay(rows: Iterable[ExportedRow], seed: str) -> tuple[SeasonState, list[tuple[ExportedRow, Step]]]:
    """Return the state to which the log leads, and the step of each row with one. Raises whatever the rules raise."""
    draw = Draw(bytes.fromhex(seed))
    state: SeasonState | None = None
    steps = []
    for row in rows:
        kind = row.facts["kind"]
        if kind == rules.DEADLINE and state is not None and rules.next_deadline(state) != row.time:
            raise ValueError(f"row {row.facts['number']} passes a deadline that is not there")
        step = rules.step_of(state, kind, json.loads(row.facts["payload"]), row.time, draw)
        if step is not None:
            state = step.state
            steps.append((row, step))
    if state is None:
        raise ValueError("the log has no beginning")
    return state, steps


def brought_to(steps: Iterable[tuple[ExportedRow, Step]]) -> dict[str, Mapping[str, Any]]:
    """Return key of each match that opened -> what each of its players brought."""
    found: dict[str, Mapping[str, Any]] = {}
    for _, step in steps:
        for match in step.state.matches:
            found.setdefault(match.key, match.brought)
    return found


def results_in(rows: Iterable[ExportedRow]) -> dict[str, MatchResult]:
    """Return key of each match that is over -> how it ended, by the last row that says so."""
    found = {}
    for row in rows:
        if row.facts["kind"] == rules.MATCH_OVER:
            payload = json.loads(row.facts["payload"])
            found[payload["match"]] = msgspec.convert(payload["result"], MatchResult)
    return found


# -- proving an exported season: hashes, state, ledger, places, and what matches took and returned -----------

FORMAT = "genius-season"
VERSION = 1


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
        broken = broken_in(season.log)
        if broken is not None:
            return [f"The log's chain of hashes breaks at row {broken}."]
        promised = json.loads(season.log[0].facts["payload"]).get("seed_hash")
        if not commitment(bytes.fromhex(season.seed)) == season.seed_hash == promised:
            found.append("The seed is not the one that was promised when the season began.")
        state, steps = replay(season.log, season.seed)
    except Exception as error:  # any error in a replay is a finding
        return [*found, f"Playing the log again fails: {type(error).__name__}: {error}."]
    if rules.encode(state).decode() != season.state:
        found.append("The stored state does not match the log.")
    found += _prove_ledger(season, steps)
    found += _prove_cast(season, state)
    found += _prove_matches(season, steps)
    return found


def _prove_ledger(season: Exported, steps: list[tuple[ExportedRow, Step]]) -> list[str]:
    start = datetime.fromisoformat(season.started_at)
    expected = Counter(
        ExportedEntry(
            at=(start + row.time).isoformat(),
            row=row.facts["number"],
            **{name: getattr(each, name) for name in _MOVED},
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


def _prove_matches(season: Exported, steps: list[tuple[ExportedRow, Step]]) -> list[str]:
    found = []
    matches = {match.key: match for match in season.matches}
    ended = results_in(season.log)
    for key, brought in brought_to(steps).items():
        match = matches.get(key)
        if match is None:
            found.append(f"Match {key} is missing.")
        elif match.brought != brought:
            found.append(f"Match {key} did not open with what its players brought.")
        elif key in ended and match.result != ended[key]:
            found.append(f"The result of match {key} is not the one in the season's log.")
    return found
