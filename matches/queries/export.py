"""Matches that are over, as files."""

from collections.abc import Iterator
from typing import Any

import msgspec

from matches.engine.chain import ExportedEntry
from matches.engine.match_type import MatchType
from matches.infra.text import iso
from matches.models import LedgerEntry, Match
from matches.queries.log import LogRow, closes_of, is_private_for_all, open_row

# -- export ----------------------------------------------------------------------------------------------
# A match that is over as one file, which `matches/proof/check_export.py` proves without this site.
#
# It has what the open log and the tables show to everybody, whoever asks: rows that stay private are hashes alone.

FORMAT = "genius-match"
VERSION = 1


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
    log: tuple[LogRow, ...]
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
        log=tuple(open_row(match, row, None) for row in rows.filter(number__lte=last)),
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
            yield ExportedEntry(row=entry.submission.number, **entry.told())
