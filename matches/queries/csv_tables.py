"""Bids, ledger and result of a match as tables for spreadsheets: only what the asker may know.

While the match runs they are for its hosts and observers, who get what the console lists: sealed bids without their
content, and public balances alone. When it is over they are for everybody who may see the match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Q

from matches.engine.match_type import MatchType
from matches.infra.csv_text import as_csv
from matches.infra.moments import iso
from matches.models import Bid, LedgerEntry
from matches.models.ledger import shown_amount
from matches.queries.access import Viewer
from matches.queries.balances import only_open
from matches.queries.log import is_private
from matches.queries.matches import Position

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
