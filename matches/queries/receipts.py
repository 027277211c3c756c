"""A player's own receipts, as pages show them."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from matches.models import Player


class Receipt(msgspec.Struct):
    """The receipt for an accepted action: `number` counts the player's own receipts, `hash` covers `salt`, `payload`
    and `match_time` (microseconds), a line each."""

    number: int
    at: datetime
    payload: str
    match_time: int
    hash: str
    salt: str


def receipts(player: Player) -> list[Receipt]:
    """A player's receipts, newest first. Without row numbers of the log, which would show that others have acted."""
    rows = player.submissions.filter(accepted=True, own_number__isnull=False).order_by("-own_number")
    return [
        Receipt(
            row.own_number or 0,
            row.received_at,
            row.payload,
            row.match_time // timedelta(microseconds=1),
            row.receipt_hash,
            row.salt,
        )
        for row in rows
    ]
