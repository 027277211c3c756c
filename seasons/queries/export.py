"""A whole season as one file, which `manage.py verify --file` proves again, and its tables as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from matches.infra.csv_text import as_csv
from matches.models.ledger import shown_amount
from matches.queries.export import with_checksum
from seasons.engine.proving import FORMAT, VERSION, Exported, ExportedEntry, ExportedMatch, ExportedMember, ExportedRow
from seasons.engine.state import account
from seasons.models import Season, SeasonEntry
from seasons.queries import standing
from seasons.queries.access import Viewer
from seasons.services.log import plain
from seasons.services.verifying import opened_with
from seasons.services.writer import Writer


class NotYet(LookupError):
    """The log of a season is open to everybody after its end; until then nobody gets the seed."""


def exported(season: Season) -> dict[str, Any]:
    """The season as JSON. Raises `NotYet` before the end."""
    if season.status != Season.Status.ENDED:
        raise NotYet
    writer = Writer(season, season.ended_at or season.created_at)
    state = writer.begun
    members = {line.handle: line for line in standing.standings(season, state)}
    found = Exported(
        format=FORMAT,
        version=VERSION,
        id=season.public_id,
        title=season.title,
        started_at=season.started_at.isoformat() if season.started_at else "",
        ended_at=season.ended_at.isoformat() if season.ended_at else None,
        seed_hash=season.seed_hash,
        seed=season.seed,
        state=season.state,
        cast=tuple(
            ExportedMember(
                handle=each.handle,
                name=members[each.handle].name,
                team=each.team or "",
                status=each.status,
                place=each.place,
                account=account(state.purses, each.handle),
            )
            for each in state.members
        ),
        matches=tuple(
            ExportedMatch(
                key=key,
                id=each.match.public_id,
                title=each.match.title,
                game=each.match.game,
                brought=opened_with(each.match),
                result=writer.peek(key) if each.match.is_over else None,
                log_head=each.match.log_head,
            )
            for key, each in writer.matches.items()
            if each.opened_at is not None
        ),
        log=tuple(ExportedRow(plain(row), row.hash) for row in season.log.order_by("number")),
        ledger=tuple(_entry(entry) for entry in _entries(season)),
    )
    plain_found: dict[str, Any] = msgspec.to_builtins(found)
    return with_checksum(plain_found)


def _entries(season: Season) -> Iterable[SeasonEntry]:
    return season.ledger.select_related("row", "giver", "receiver", "match__match").order_by("pk")


def _entry(entry: SeasonEntry) -> ExportedEntry:
    return ExportedEntry(
        row=entry.row.number,
        giver=entry.giver.handle if entry.giver else None,
        receiver=entry.receiver.handle if entry.receiver else None,
        match=entry.match.key if entry.match else "",
        asset=entry.asset,
        amount=entry.amount,
        reason=entry.reason,
        note=entry.note,
        at=entry.at.isoformat(),
    )


def standings_csv(season: Season) -> str:
    """The standings as everybody may know them."""
    lines = standing.standings(season, standing.state_of(season))
    head = ("handle", "name", "team", "status", "place", "garnets", "priority", "blood_garnets")
    rows = (
        (
            line.handle,
            line.name,
            line.team,
            line.status,
            line.place,
            line.account["garnet"],
            line.account["priority"],
            line.account["blood_garnet"],
        )
        for line in lines
    )
    return as_csv(head, rows)


def may_read_ledger(viewer: Viewer, handle: str) -> bool:
    """Whether a viewer may read the entries of a member, or (without a handle) all of them: their own, hosts all, and
    everybody all after the end."""
    is_own = viewer.member is not None and viewer.member.handle == handle != ""
    return is_own or viewer.sees or viewer.season.status == Season.Status.ENDED


def ledger_csv(season: Season, handle: str = "") -> str:
    """The ledger, whole or of one member."""
    head = ("at", "from", "to", "match", "asset", "amount", "reason", "note")
    entries = (e for e in _entries(season) if not handle or handle in (_handle(e.giver), _handle(e.receiver)))
    rows = (
        (
            entry.at.isoformat(timespec="seconds"),
            _handle(entry.giver) or "bank",
            _handle(entry.receiver) or "bank",
            entry.match.match.title if entry.match else "",
            entry.asset,
            shown_amount(entry.asset, entry.amount),
            entry.reason,
            entry.note,
        )
        for entry in entries
    )
    return as_csv(head, rows)


def _handle(member: Any) -> str:
    return "" if member is None else str(member.handle)
