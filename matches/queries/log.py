"""The log of a finished match as everyone may read it: what its hashes were made from, but for what stays private."""

from __future__ import annotations

import json
from typing import Any

from matches.engine.errors import MALFORMED
from matches.models import Match, Player, Submission
from matches.services.storage.log import hashed_fields

_NOT_UNDERSTOOD = frozenset({MALFORMED, "unknown_action"})


def is_private(match: Match, row: Submission, player: Player | None) -> bool:
    """Whether a row of the match's log stays closed to this player (or to everybody, for None) also after the match.

    It does if the game keeps actions of its type secret for ever, and if nobody can tell what it was meant to be: a
    secret with a slip in it is a secret still. One's own rows never do.
    """
    if row.kind != Submission.Kind.ACTION or (player is not None and row.player_id == player.pk):
        return False
    if row.code in _NOT_UNDERSTOOD:
        return True
    payload = json.loads(row.payload)
    return isinstance(payload, dict) and payload.get("type") in match.rules.secret_for_ever


def open_rows(match: Match, player: Player | None, after: int = 0, limit: int | None = None) -> list[dict[str, Any]]:
    """Rows with numbers above `after`. `facts` (null for a private row) as canonical JSON hash to `hash`, and hold
    the hash of the row before."""
    rows = match.log.select_related("player").filter(number__gt=after).order_by("number")[:limit]
    return [
        {
            "number": row.number,
            "hash": row.hash,
            "previous": row.previous_hash,
            "facts": None if is_private(match, row, player) else hashed_fields(row),
        }
        for row in rows
    ]
