"""Matches that are over, as files: whole, and as tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from django.db.models import Q

from matches.engine.match_type import MatchType
from matches.infra.text import as_csv, iso
from matches.models import Bid, LedgerEntry, Match
from matches.models.ledger import shown_amount
from matches.queries.access import Viewer
from matches.queries.amounts import only_open
from matches.queries.log import closes_of, is_private, is_private_for_all
from matches.queries.matches import Position
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


# -- csv tables ------------------------------------------------------------------------------------------
# Bids, ledger and result of a match as tables for spreadsheets: only what the asker may know.
#
# While the match runs they are for its hosts and observers, who get what the console lists: sealed bids without their
# content, and public balances alone. When it is over they are for everybody who may see the match.

Cell = str | int | Decimal | None
Row = list[Cell]

SEALED = "sealed"


class NotOpen(Exception):
    """This viewer may not read the table now; the message says from when on."""


def csv_of(kind: str, viewer: Viewer, position: Position) -> str:
    """The table as CSV. Raises `KeyError` for an unknown kind, `NotOpen`."""
    header, rows = TABLES[kind]
    if not viewer.match.is_over and not viewer.sees:
        raise NotOpen("The tables of a match are open to everybody once it is over.")
    return as_csv(header, rows(viewer, position))


# -- the tables ----------------------------------------------------------------------------------


def _bids(viewer: Viewer, position: Position) -> Iterator[Row]:
    match = viewer.match
    rows = match.bids.select_related("player", "placed_by").order_by("pk")
    for bid in rows.iterator(chunk_size=500):
        if match.is_over and not bid.public and is_private(match, bid.placed_by, viewer.player):
            continue
        hidden = not bid.public and not match.is_over
        facts: Row = [SEALED] * 4 if hidden else _facts(bid)
        yield [iso(bid.placed_at), bid.player.handle, *facts, None if hidden else iso(bid.settled_at)]


def _facts(bid: Bid) -> Row:
    return [bid.lot, bid.asset, shown_amount(bid.asset, bid.amount), bid.status]


def _ledger(viewer: Viewer, position: Position) -> Iterator[Row]:
    rows = _known_entries(viewer).select_related("giver", "receiver", "submission").order_by("pk")
    for entry in rows.iterator(chunk_size=500):
        if not viewer.sees and is_private(viewer.match, entry.submission, viewer.player):
            continue
        yield [
            iso(entry.at),
            entry.giver.handle if entry.giver else "bank",
            entry.receiver.handle if entry.receiver else "bank",
            entry.asset,
            shown_amount(entry.asset, entry.amount),
            entry.reason,
            entry.note,
        ]


def _known_entries(viewer: Viewer) -> Any:
    """The entries that a viewer may know. Where a game keeps actions of its own secret for ever, what these cost would
    tell of them: then the entries of private balances stay with their players and the hosts."""
    match = viewer.match
    rows = LedgerEntry.objects.filter(match=match)
    if viewer.sees:
        return only_open(rows, "match")
    if match.rules.secret_for_ever <= MatchType.secret_for_ever:
        return rows
    own = Q(giver=viewer.player) | Q(receiver=viewer.player) if viewer.player else Q()
    return rows.filter(Q(asset__in=match.rules.public_assets) | own)


def _result(viewer: Viewer, position: Position) -> Iterator[Row]:
    outcome = position.outcome
    if outcome is None:
        raise NotOpen("The match has no result: it was cancelled." if viewer.match.is_over else "It has no result yet.")
    for player in viewer.match.players.order_by("position", "pk"):
        yield [
            player.handle,
            player.shown_name,
            player.team,
            "yes" if player.handle in outcome.winners else "no",
            outcome.tokens_of_life.get(player.handle, 0),
            "yes" if player.handle in outcome.elimination_candidates else "no",
            _score(outcome.scores.get(player.handle)),
        ]


def _score(score: Any) -> Cell:
    return score if score is None or isinstance(score, int | str) else json.dumps(score, ensure_ascii=False)


_BIDS = ("placed at", "player", "lot", "asset", "amount", "status", "settled at")
_LEDGER = ("at", "from", "to", "asset", "amount", "reason", "note")
_RESULT = ("handle", "name", "team", "won", "tokens of life", "elimination candidate", "score")

TABLES: dict[str, tuple[Sequence[str], Callable[[Viewer, Position], Iterator[Row]]]] = {
    "bids": (_BIDS, _bids),
    "ledger": (_LEDGER, _ledger),
    "result": (_RESULT, _result),
}
