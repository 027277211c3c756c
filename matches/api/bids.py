"""Public bids as JSON, without row numbers, which would count other people's bids too."""

from __future__ import annotations

from typing import Any

from matches.engine.match_time import optional_seconds, seconds
from matches.infra.moments import iso
from matches.models import Bid


def bid_json(bid: Bid) -> dict[str, Any]:
    """A public bid and what became of it."""
    return {
        "player": bid.player.handle,
        "lot": bid.lot,
        "asset": bid.asset,
        "amount": bid.amount,
        "status": bid.status,
        "placed_at": iso(bid.placed_at),
        "placed_time": seconds(bid.placed_time),
        "settled_at": iso(bid.settled_at),
        "settled_time": optional_seconds(bid.settled_time),
    }
