"""Rows of the books and of the log as JSON: what everyone may read, without any number that counts other things."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from matches.engine.durations import optional_seconds, seconds
from matches.models import Bid, Match, Submission


def bid_facts(bid: Bid) -> dict[str, Any]:
    """A public bid and what became of it."""
    return {
        "player": bid.player.handle,
        "lot": bid.lot,
        "asset": bid.asset,
        "amount": bid.amount,
        "status": bid.status,
        "placed_at": _iso(bid.placed_at),
        "placed_time": seconds(bid.placed_time),
        "settled_at": _iso(bid.settled_at),
        "settled_time": optional_seconds(bid.settled_time),
    }


def log_facts(match: Match, after: int, limit: int) -> list[dict[str, Any]]:
    """Rows of the log with numbers above `after`: all that goes into their hashes, and the salts of the receipts."""
    rows = match.log.filter(number__gt=after).order_by("number")[:limit]
    return [_log_row(row) for row in rows]


def _log_row(row: Submission) -> dict[str, Any]:
    return {
        "number": row.number,
        "kind": row.kind,
        "actor": row.actor,
        "payload": row.payload,
        "received_at": row.received_at.astimezone(UTC).isoformat(timespec="microseconds"),
        "match_time": seconds(row.match_time),
        "accepted": row.accepted,
        "code": row.code,
        "message": row.message,
        "key": row.key,
        "own_number": row.own_number,
        "salt": row.salt,
        "receipt_hash": row.receipt_hash,
        "previous_hash": row.previous_hash,
        "hash": row.hash,
    }


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
