"""Collecting the new rows of a match (log, bids, ledger, announcements, results), and writing each table once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from matches.engine.core import GARNET, Core, Posting, balance
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.step import BidEvent
from matches.engine.views import tokens_of_life
from matches.models import Announcement, Bid, Holding, LedgerEntry, Match, OutboxRow, PlayerResult, Submission
from matches.models.log import new_token
from matches.services.storage import many
from matches.services.storage.instances import made

STANDING = Bid.Status.STANDING.value
STILL_STANDING = f"t.status = '{STANDING}'"
"""SQL for bids `t` that still stand, worded like the condition of their index so that the database uses it."""


Slot = tuple[int, str, int, str]
"""Match, lot, player and asset, for which there is at most one standing bid."""


def _slot(bid: Bid) -> Slot:
    return (bid.match_id, bid.lot, bid.player_id, bid.asset)


class NewRows:
    """Rows that are not written yet. Those in `log` are already numbered and chained."""

    def __init__(self) -> None:
        self.log: list[Submission] = []
        self.entries: list[LedgerEntry] = []
        self.announcements: list[Announcement] = []
        self.results: list[PlayerResult] = []
        self._bids: list[Bid] = []
        self._standing: dict[Slot, Bid] = {}
        self._results: list[Bid] = []
        self._holdings: dict[tuple[int, str], Holding] = {}

    def stand(self, bid: Bid) -> None:
        """Note a standing bid."""
        self._bids.append(bid)
        self._standing[_slot(bid)] = bid

    def settle(self, result: Bid) -> None:
        """Note the result of the standing bid in the same slot; without one it becomes a row of its own."""
        placed = self._standing.pop(_slot(result), None)
        if placed is None:
            self._bids.append(result)
            self._results.append(result)
        else:
            placed.status = result.status
            placed.settled_at, placed.settled_time = result.settled_at, result.settled_time

    def hold(self, holding: Holding) -> None:
        """Note a holding. The last one counts, except that one below zero stays, so that the database refuses it."""
        before = self._holdings.get((holding.player_id, holding.asset))
        if before is None or before.amount >= 0 or before.on_credit:
            self._holdings[holding.player_id, holding.asset] = holding

    def add(self, others: Iterable[NewRows]) -> NewRows:
        """Append the rows of other matches, and return self."""
        for other in others:
            self.log += other.log
            self.entries += other.entries
            self.announcements += other.announcements
            self.results += other.results
            self._bids += other._bids
            self._results += other._results
            self._holdings |= other._holdings
        return self

    def write(self) -> None:
        """Write everything, then empty this object. Raises the database's errors."""
        many.insert(Submission, self.log, numbered=True)
        rows: list[LedgerEntry | Announcement] = [*self.entries, *self.announcements]
        for row in rows:
            row.submission_id = row.submission.pk
        for bid in self._bids:
            bid.placed_by_id = bid.placed_by.pk
        self._write_bids()
        many.insert(LedgerEntry, self.entries)
        held = sorted(self._holdings.items())  # sorted, so that two writers cannot wait for each other
        many.insert(Holding, [holding for _, holding in held], update_by=("player_id", "asset"))
        many.insert(Announcement, self.announcements)
        many.insert(PlayerResult, self.results)
        told = {each.submission_id: each.match_id for each in self.announcements}
        words = [made(OutboxRow, submission_id=row, match_id=match) for row, match in told.items()]
        many.insert(OutboxRow, words, update_by=("submission_id",))
        self.__init__()  # type: ignore[misc]

    def _write_bids(self) -> None:
        """Write results first, because a player may bid again in a slot that has just been settled."""
        first: dict[Slot, Bid] = {}
        for result in self._results:
            first.setdefault(_slot(result), result)
        results = list(first.values())
        settling = [(result.status, result.settled_at, result.settled_time, *_slot(result)) for result in results]
        settled = many.update(
            Bid,
            ("status", "settled_at", "settled_time"),
            ("match_id", "lot", "player_id", "asset"),
            settling,
            where=STILL_STANDING,
        )
        done = {id(results[place]) for place in settled}
        many.insert(Bid, [bid for bid in self._bids if id(bid) not in done])


# -- ledger ----------------------------------------------------------------------------------------------
# Turning what a step did into rows: bids, ledger entries, holdings, announcements, results.

__all__ = ["Cause", "RulesAnnouncement", "add_announcements", "add_bids", "add_postings", "results_of"]

Ids = Mapping[str, int]


class Cause(NamedTuple):
    """The match and the row of the log that caused other rows, and when: in UTC and in match time."""

    match: Match
    row: Submission
    at: datetime
    time: timedelta


def add_bids(rows: NewRows, cause: Cause, events: Iterable[BidEvent], ids: Ids) -> None:
    """Add rows for new standing bids. A result settles the standing bid of the same lot, player and asset.

    A result without a standing bid (a sealed bid refused at the close) becomes a row of its own.
    """
    for event in events:
        bid = made(
            Bid,
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
        bid.placed_by = cause.row
        if event.status == STANDING:
            rows.stand(bid)
        else:
            bid.settled_at, bid.settled_time = cause.at, cause.time
            rows.settle(bid)


def add_postings(
    rows: NewRows, cause: Cause, postings: tuple[Posting, ...], ids: Ids, core: Core, note: str = ""
) -> None:
    """Add an entry for every posting, and the new holdings of everything that moved."""
    for posting in postings:
        entry = made(
            LedgerEntry,
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
        entry.submission = cause.row
        rows.entries.append(entry)
        for party in (posting.giver, posting.receiver):
            if party is not None:
                held = balance(core.purses, party, posting.asset)
                on_credit = posting.asset == GARNET and core.garnet_credit
                key = {"player_id": ids[party], "asset": posting.asset}
                rows.hold(made(Holding, **key, amount=held, on_credit=on_credit))


def add_announcements(rows: NewRows, cause: Cause, items: Iterable[RulesAnnouncement], ids: Ids) -> None:
    """Add announcements. One to a player about their own action counts as read, since they have just seen it happen."""
    own = cause.row.player_id if cause.row.actor.startswith("player:") else None
    for item in items:
        audience, _, name = item.audience.partition(":")
        player_id = ids[name] if audience == "player" else None
        is_own = own is not None and player_id == own
        told = made(
            Announcement,
            match_id=cause.match.pk,
            audience=item.audience,
            player_id=player_id,
            kind=item.kind,
            data=item.data,
            at=cause.at,
            match_time=cause.time,
            read_at=cause.at if is_own else None,
            token=new_token(),
        )
        told.submission = cause.row
        rows.announcements.append(told)


def results_of(core: Core, ids: Ids) -> list[PlayerResult]:
    """The result rows of a finished match, one for each player, in list order."""
    tokens = tokens_of_life(core)
    return [
        made(
            PlayerResult,
            player_id=ids[handle],
            won=handle in core.winners,
            tokens=tokens.get(handle, 0),
            candidate=handle in core.candidates,
        )
        for handle in core.handles
    ]
