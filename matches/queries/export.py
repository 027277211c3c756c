"""Matches that are over, as files."""

from collections.abc import Iterator
from typing import Any

import msgspec

from matches.engine.match_type import MatchType
from matches.infra.text import iso
from matches.models import LedgerEntry, Match
from matches.queries.log import closes_of, is_private, is_private_for_all
from matches.services.storage.log import content_hash, hashed_fields

# -- export ----------------------------------------------------------------------------------------------
# A match that is over as one file, which `matches/proof/check_export.py` proves without this site.
#
# It has what the open log and the tables show to everybody, whoever asks: rows that stay private are hashes alone.

FORMAT = "genius-match"
VERSION = 1


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
    """A row that closed something or ended the match, and its hash, which is a fingerprint that everybody was
    shown."""

    row: int
    hash: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A whole match as one file. `head`: the fingerprint that everybody sees now, the hash of the last row."""

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


class NotYet(LookupError):
    """The log of a match is open to everybody after its end; until then it holds secrets."""


def exported(match: Match) -> dict[str, Any]:
    """The match as JSON. Raises `NotYet` before the end.

    The log ends with the last row whose hash everybody has been shown. What may follow it are private questions and
    refused actions, which the file cannot prove.
    """
    if not match.is_over:
        raise NotYet
    rows = match.log.select_related("player").order_by("number")
    last = match.log.get(hash=match.closed_head).number
    found = ExportedMatch(
        format=FORMAT,
        version=VERSION,
        id=match.public_id,
        title=match.title,
        game=match.game,
        rules_version=match.rules_version,
        status=match.status,
        opened_at=iso(match.opened_at),
        finished_at=iso(match.finished_at),
        seed_hash=match.seed_hash if match.opened_at else "",
        seed=match.seed if match.opened_at else "",
        head=match.closed_head,
        closes=tuple(ExportedClose(*close) for close in closes_of(match)),
        log=tuple(
            ExportedRow(
                row.hash,
                row.previous_hash,
                content_hash(row),
                None if is_private(match, row, None) else dict(hashed_fields(row)),
            )
            for row in rows.filter(number__lte=last)
        ),
        ledger=list(_entries(match)),
    )
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def _entries(match: Match) -> Iterator[ExportedEntry]:
    """The entries that everybody may know, in their order. Where a game keeps actions of its own secret for ever, what
    these cost would tell of them: then those of private balances stay with their players and the hosts."""
    rows = LedgerEntry.objects.filter(match=match)
    if not match.rules.secret_for_ever <= MatchType.secret_for_ever:
        rows = rows.filter(asset__in=match.rules.public_assets)
    for entry in rows.select_related("giver", "receiver", "submission").order_by("pk"):
        if not is_private_for_all(match, entry.submission):
            yield ExportedEntry(
                row=entry.submission.number,
                giver=entry.giver.handle if entry.giver else None,
                receiver=entry.receiver.handle if entry.receiver else None,
                asset=entry.asset,
                amount=entry.amount,
                reason=entry.reason,
                note=entry.note,
                at=entry.at.isoformat(),
            )
