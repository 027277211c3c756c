"""A player's own receipts, as pages show them."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from matches.models import Player


class Receipt(msgspec.Struct):
    """What a player was given for an accepted action: `number` counts one's own, `hash` covers `salt`, `payload` and
    `match_time` (microseconds), a line each."""

    number: int
    at: datetime
    payload: str
    match_time: int
    hash: str
    salt: str


def receipts(player: Player) -> list[Receipt]:
    """A player's own receipts, newest first. They name no row of the log: its numbers count other people's secrets."""
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
