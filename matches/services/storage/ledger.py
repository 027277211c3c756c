"""Writes what a step did as rows: bids, ledger entries, holdings, announcements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from matches.engine.core import Core
from matches.engine.ledger import GARNET, Posting, balance
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.step import BidEvent
from matches.models import Announcement, Bid, Holding, LedgerEntry, Match, Submission
from matches.services.storage import sql

__all__ = ["Cause", "RulesAnnouncement", "write_announcements", "write_bids", "write_postings"]

Ids = Mapping[str, int]


class Cause(NamedTuple):
    """What caused rows, and when: in UTC and in match time."""

    match: Match
    row: Submission
    at: datetime
    time: timedelta


def write_bids(cause: Cause, events: Iterable[BidEvent], ids: Ids) -> None:
    """Insert new standing bids; a result settles the standing row of the same lot, player and asset.

    A result without a standing row (a sealed bid refused at the close) becomes a row of its own.
    """
    for event in events:
        player_id = ids[event.player]
        if event.status != "standing":
            settled = sql.execute(
                _SETTLE,
                event.status,
                sql.stored(Bid, "settled_at", cause.at),
                sql.stored(Bid, "settled_time", cause.time),
                *(cause.match.pk, event.lot, player_id, event.asset),
            )
            if settled:
                continue
        done = event.status != "standing"
        bid = Bid(
            match=cause.match,
            player_id=player_id,
            lot=event.lot,
            asset=event.asset,
            amount=event.amount,
            status=event.status,
            public=event.public,
            placed_by=cause.row,
            placed_at=cause.at,
            placed_time=cause.time,
            settled_at=cause.at if done else None,
            settled_time=cause.time if done else None,
        )
        sql.insert(bid)


_SETTLE = f"""
    UPDATE {Bid._meta.db_table} SET status = %s, settled_at = %s, settled_time = %s
    WHERE match_id = %s AND lot = %s AND player_id = %s AND asset = %s AND status = '{Bid.Status.STANDING}'
"""  # noqa: S608


def write_postings(cause: Cause, postings: tuple[Posting, ...], ids: Ids, core: Core, note: str = "") -> None:
    """Entries for every posting, and holdings of everything that moved."""
    if not postings:
        return
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            match=cause.match,
            submission=cause.row,
            giver_id=ids[posting.giver] if posting.giver else None,
            receiver_id=ids[posting.receiver] if posting.receiver else None,
            asset=posting.asset,
            amount=posting.amount,
            reason=posting.reason,
            note=note,
            at=cause.at,
            match_time=cause.time,
        )
        for posting in postings
    )
    moved = {
        (party, posting.asset)
        for posting in postings
        for party in (posting.giver, posting.receiver)
        if party is not None
    }
    Holding.objects.bulk_create(
        [
            Holding(
                player_id=ids[player],
                asset=asset,
                amount=balance(core.purses, player, asset),
                on_credit=asset == GARNET and core.garnet_credit,
            )
            for player, asset in sorted(moved)
        ],
        update_conflicts=True,
        unique_fields=["player", "asset"],
        update_fields=["amount", "on_credit"],
    )


def write_announcements(cause: Cause, items: Iterable[RulesAnnouncement], ids: Ids) -> set[int]:
    """Rows for what was told; the ids of the players for whom it is a notice.

    An answer to a player's own action makes no notice: they have just seen it happen.
    """
    own = cause.row.player_id if cause.row.actor.startswith("player:") else None
    announced = []
    for item in items:
        audience, _, name = item.audience.partition(":")
        data: dict[str, Any] = item.data
        player_id = ids[name] if audience == "player" else None
        announced.append(
            Announcement(
                match=cause.match,
                submission=cause.row,
                audience=item.audience,
                player_id=player_id,
                kind=item.kind,
                data=data,
                at=cause.at,
                match_time=cause.time,
                read_at=cause.at if own is not None and player_id == own else None,
            )
        )
    sql.insert(*announced)
    return {row.player_id for row in announced if row.player_id is not None and row.read_at is None}
