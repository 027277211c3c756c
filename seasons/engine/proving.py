"""Proves an exported season without a database: chain of hashes, state, ledger, places, and what its matches brought
and gave back."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from matches.engine.draw import commitment
from matches.engine.ledger import Posting, apply_postings
from seasons.engine import replaying
from seasons.engine import season as rules
from seasons.engine.replaying import LogRow
from seasons.engine.state import Brought, MatchResult, SeasonState, account
from seasons.engine.turn import Step

FORMAT = "genius-season"
VERSION = 1


class ExportedRow(msgspec.Struct, frozen=True):
    """A row of the log, as files of matches have them: `content` is the SHA-256 of `facts` as canonical JSON, `hash`
    that of `previous`, a line feed and `content`."""

    previous: str
    hash: str
    content: str
    facts: dict[str, Any]

    def row(self) -> LogRow:
        """The row itself. Raises `msgspec.ValidationError` where its facts are none of a row."""
        return msgspec.convert({**self.facts, "previous": self.previous}, LogRow)


class ExportedEntry(msgspec.Struct, frozen=True):
    """An entry of the ledger: `row` is the number of the row of the log that it follows from; `match` the number of the
    match that the amount goes into or comes from, empty for none. Blood garnets in ten-thousandths."""

    row: int
    giver: str | None
    receiver: str | None
    match: str
    asset: str
    amount: int
    reason: str
    note: str
    at: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A match that has opened: `brought` as its own log has it, `result` as the season's, once it is over."""

    key: str
    id: str
    title: str
    game: str
    brought: dict[str, Brought]
    result: MatchResult | None


class ExportedMember(msgspec.Struct, frozen=True):
    """A member at the end of the file's log. `account` as it is printed."""

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
    """An export from decoded JSON. Raises `ValueError` with a sentence."""
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
    """What does not agree, one sentence each; an empty list if all does."""
    found = []
    try:
        rows = [each.row() for each in season.log]
        broken = replaying.broken_at(zip(rows, [each.hash for each in season.log], strict=True))
        if broken is not None:
            return [f"The log's chain of hashes breaks at row {broken}."]
        if commitment(bytes.fromhex(season.seed)) != season.seed_hash or not _promises(rows[0], season.seed_hash):
            found.append("The seed is not the one that was promised when the season began.")
        state, steps = replaying.replay(rows, season.seed)
    except Exception as error:  # whatever goes wrong in a replay is the finding
        return [*found, f"Playing the log again fails: {type(error).__name__}: {error}."]
    if rules.encode(state).decode() != season.state:
        found.append("The state is not what the log gives.")
    found += _prove_ledger(season, steps)
    found += _prove_cast(season, state)
    found += _prove_matches(season, rows, steps)
    return found


def _promises(first: LogRow, seed_hash: str) -> bool:
    return bool(msgspec.json.decode(first.payload).get("seed_hash") == seed_hash)


def _prove_ledger(season: Exported, steps: list[tuple[LogRow, Step]]) -> list[str]:
    expected = Counter(
        (row.number, t.giver, t.receiver, t.match, t.asset, t.amount, t.reason, t.note)
        for row, step in steps
        for t in step.transfers
    )
    stored = Counter((e.row, e.giver, e.receiver, e.match, e.asset, e.amount, e.reason, e.note) for e in season.ledger)
    return [] if expected == stored else ["The ledger is not what the log gives."]


def _prove_cast(season: Exported, state: SeasonState) -> list[str]:
    found = []
    life = [(each.handle, each.status, each.place) for each in state.members]
    if sorted(life, key=str) != sorted(((m.handle, m.status, m.place) for m in season.cast), key=str):
        found.append("The cast is not what the log gives.")
    sums = apply_postings({}, (Posting(e.giver, e.receiver, e.asset, e.amount, e.reason) for e in season.ledger))
    if any(member.account != account(sums, member.handle) for member in season.cast):
        found.append("An account is not the sum of its entries.")
    return found


def _prove_matches(season: Exported, rows: list[LogRow], steps: list[tuple[LogRow, Step]]) -> list[str]:
    found = []
    matches = {match.key: match for match in season.matches}
    ended = replaying.results_in(rows)
    for key, brought in replaying.brought_to(steps).items():
        match = matches.get(key)
        if match is None:
            found.append(f"Match {key} is missing.")
        elif match.brought != brought:
            found.append(f"Match {key} did not open with what its players brought.")
        elif key in ended and match.result != ended[key]:
            found.append(f"Match {key} did not end as the season has it.")
    return found
