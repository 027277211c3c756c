"""Public bids as JSON, without row numbers, which would count other people's bids too."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from matches.engine.match_time import optional_seconds, seconds
from matches.models import Bid


def bid_json(bid: Bid) -> dict[str, Any]:
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


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
