"""Makes rows of what a step did: bids, ledger entries, holdings, announcements, results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from matches.engine.core import GARNET, Core, Posting, balance
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.step import BidEvent
from matches.engine.views import tokens_of_life
from matches.models import Match, Submission
from matches.services.storage.new_rows import (
    STANDING,
    NewAnnouncement,
    NewBid,
    NewEntry,
    NewHolding,
    NewResult,
    NewRows,
)

__all__ = ["Cause", "RulesAnnouncement", "add_announcements", "add_bids", "add_postings", "results_of"]

Ids = Mapping[str, int]


class Cause(NamedTuple):
    """What caused rows, and when: in UTC and in match time."""

    match: Match
    row: Submission
    at: datetime
    time: timedelta


def add_bids(rows: NewRows, cause: Cause, events: Iterable[BidEvent], ids: Ids) -> None:
    """New standing bids; a result settles the standing row of the same lot, player and asset.

    A result without a standing row (a sealed bid refused at the close) becomes a row of its own.
    """
    for event in events:
        bid = NewBid(
            cause=cause.row,
            match_id=cause.match.pk,
            player_id=ids[event.player],
            lot=event.lot,
            asset=event.asset,
            amount=event.amount,
            status=event.status,
            public=event.public,
            placed_at=cause.at,
            placed_time=cause.time,
        )
        if event.status == STANDING:
            rows.stand(bid)
        else:
            bid.settled_at, bid.settled_time = cause.at, cause.time
            rows.settle(bid)


def add_postings(
    rows: NewRows, cause: Cause, postings: tuple[Posting, ...], ids: Ids, core: Core, note: str = ""
) -> None:
    """Entries for every posting, and holdings of everything that moved."""
    for posting in postings:
        entry = NewEntry(
            cause=cause.row,
            match_id=cause.match.pk,
            giver_id=ids[posting.giver] if posting.giver else None,
            receiver_id=ids[posting.receiver] if posting.receiver else None,
            asset=posting.asset,
            amount=posting.amount,
            reason=posting.reason,
            note=note,
            at=cause.at,
            match_time=cause.time,
        )
        rows.entries.append(entry)
        for party in (posting.giver, posting.receiver):
            if party is not None:
                held = balance(core.purses, party, posting.asset)
                on_credit = posting.asset == GARNET and core.garnet_credit
                rows.hold(NewHolding(ids[party], posting.asset, held, on_credit))


def add_announcements(rows: NewRows, cause: Cause, items: Iterable[RulesAnnouncement], ids: Ids) -> None:
    """What was told. An answer to a player's own action counts as read: they have just seen it happen."""
    own = cause.row.player_id if cause.row.actor.startswith("player:") else None
    for item in items:
        audience, _, name = item.audience.partition(":")
        player_id = ids[name] if audience == "player" else None
        is_own = own is not None and player_id == own
        rows.announcements.append(
            NewAnnouncement(
                cause=cause.row,
                match_id=cause.match.pk,
                audience=item.audience,
                player_id=player_id,
                kind=item.kind,
                data=item.data,
                at=cause.at,
                match_time=cause.time,
                read_at=cause.at if is_own else None,
            )
        )


def results_of(core: Core, ids: Ids) -> list[NewResult]:
    """How a match that is finished ended for each of its players, in list order."""
    tokens = tokens_of_life(core)
    return [
        NewResult(ids[handle], handle in core.winners, tokens.get(handle, 0), handle in core.candidates)
        for handle in core.handles
    ]
