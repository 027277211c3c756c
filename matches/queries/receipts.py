"""A player's own receipts, as pages show them."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from matches.models import Player, Submission
from matches.queries.paging import PagedRows


class Receipt(msgspec.Struct):
    """The receipt for an accepted action: `number` counts the player's own receipts, `hash` covers `salt`, `payload`
    and `match_time` (microseconds), a line each."""

    number: int
    at: datetime
    payload: str
    match_time: int
    hash: str
    salt: str


def receipts(player: Player) -> PagedRows[Receipt]:
    """A player's receipts, newest first. Without row numbers of the log, which would show that others have acted.

    A player's own numbers have no gaps, so a page is a range of numbers: nothing is counted and nothing skipped."""

    def read(start: int, count: int) -> list[Receipt]:
        last = player.action_count - start
        rows = player.submissions.filter(own_number__gt=last - count, own_number__lte=last).order_by("-own_number")
        return [_receipt(row) for row in rows]

    return PagedRows(player.action_count, read)


def _receipt(row: Submission) -> Receipt:
    return Receipt(
        row.own_number or 0,
        row.received_at,
        row.payload,
        row.match_time // timedelta(microseconds=1),
        row.receipt_hash,
        row.salt,
    )
