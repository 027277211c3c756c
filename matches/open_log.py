"""The log of a finished match as everyone may read it: what its hashes were made from, but for what stays private."""

from __future__ import annotations

import json
from typing import Any

from matches.models import Match, Player, Submission
from matches.services.log import row_facts

PRIVATE_FOR_EVER = frozenset({"vote"})
"""Actions that stay their player's own also after the match: their rows show a hash instead."""


def is_private(row: Submission, player: Player | None) -> bool:
    """Whether a row stays closed to this player (or to everybody, for None). One's own never does."""
    if row.kind != Submission.Kind.ACTION or (player is not None and row.player_id == player.pk):
        return False
    payload = json.loads(row.payload)
    return isinstance(payload, dict) and payload.get("type") in PRIVATE_FOR_EVER


def open_rows(match: Match, player: Player | None, after: int = 0, limit: int | None = None) -> list[dict[str, Any]]:
    """Rows with numbers above `after`. `facts` (null for a private row) as canonical JSON hash to `hash`, and hold
    the hash of the row before."""
    rows = match.log.select_related("player").filter(number__gt=after).order_by("number")[:limit]
    return [
        {
            "number": row.number,
            "hash": row.hash,
            "previous": row.previous_hash,
            "facts": None if is_private(row, player) else row_facts(row),
        }
        for row in rows
    ]
