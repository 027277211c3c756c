"""A match that is over as one file, which `matches/proof/check_export.py` proves without this site.

It has what the open log and the tables show to everybody, whoever asks: rows that stay private are hashes alone.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from matches.engine.canonical import canonical
from matches.models import Match
from matches.queries.heads import closes_of
from matches.queries.log import is_private
from matches.services.storage.log import content_hash, hashed_fields
from matches.services.summing import facts_of

FORMAT = "genius-match"
VERSION = 4
"""Since 3 the log sums up what is besides it."""


class ExportedRow(msgspec.Struct, frozen=True):
    """A row of the log. `content` is the SHA-256 of `facts` as canonical JSON, `hash` that of `previous`, a line feed
    and `content`; null facts stay private for ever."""

    hash: str
    previous: str
    content: str
    facts: dict[str, Any] | None


class ExportedEntry(msgspec.Struct, frozen=True):
    """An entry of the ledger, which follows from the row with that number. Null is the bank; blood garnets are counted
    in ten-thousandths."""

    row: int
    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str
    note: str
    at: str


class ExportedClose(msgspec.Struct, frozen=True):
    """A row with which something closed, or that sums up the match, and its hash: a fingerprint that everybody was
    shown."""

    row: int
    hash: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A whole match as one file. `balances`: by asset and player, of assets whose entries are all in the file.
    `sha256`: of everything else as canonical JSON (sorted keys, no spaces)."""

    format: str
    version: int
    id: str
    title: str
    game: str
    rules_version: int
    status: str
    opened_at: str | None
    finished_at: str | None
    seed_hash: str
    seed: str
    head: str
    closes: tuple[ExportedClose, ...]
    log: tuple[ExportedRow, ...]
    ledger: list[ExportedEntry]
    balances: dict[str, dict[str, int]]
    sha256: str = ""


class NotYet(LookupError):
    """The log of a match is open to everybody after its end; until then it holds secrets."""


def exported(match: Match) -> dict[str, Any]:
    """The match as JSON. Raises `NotYet` before the end."""
    if not match.is_over:
        raise NotYet
    rows = match.log.select_related("player").order_by("number")
    found = ExportedMatch(
        format=FORMAT,
        version=VERSION,
        head=match.log_head,
        closes=tuple(ExportedClose(*close) for close in closes_of(match)),
        log=tuple(
            ExportedRow(
                row.hash,
                row.previous_hash,
                content_hash(row),
                None if is_private(match, row, None) else dict(hashed_fields(row)),
            )
            for row in rows
        ),
        **facts_of(match),
    )
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return with_checksum(plain)


def with_checksum(export: dict[str, Any]) -> dict[str, Any]:
    """An export with the hash of everything else in it."""
    rest = {name: value for name, value in export.items() if name != "sha256"}
    return {**rest, "sha256": hashlib.sha256(canonical(rest).encode()).hexdigest()}
