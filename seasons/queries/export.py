"""A whole season as one file, which `manage.py verify --file` proves again, and its tables as CSV."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db.models import QuerySet

from matches.infra.csv_text import as_csv
from matches.infra.moments import iso
from matches.models.ledger import shown_amount
from seasons.engine import replaying
from seasons.engine import season as rules
from seasons.engine.proving import (
    FORMAT,
    VERSION,
    Exported,
    ExportedEntry,
    ExportedMatch,
    ExportedMember,
    ExportedRow,
)
from seasons.engine.state import account
from seasons.models import Season, SeasonEntry
from seasons.queries import standing
from seasons.queries.access import Viewer
from seasons.services.log import plain
from seasons.services.verifying import opened_with


class NotYet(LookupError):
    """The log of a season is open to everybody after its end; until then nobody gets the seed."""


def exported(season: Season) -> dict[str, Any]:
    """The season as JSON. Raises `NotYet` before the end."""
    if season.status != Season.Status.ENDED:
        raise NotYet
    rows, state = [*map(plain, season.log.order_by("number"))], rules.decode(season.state)
    names, results = dict(season.cast.values_list("handle", "name")), replaying.results_in(rows)
    opened = season.matches.select_related("match").filter(opened_at__isnull=False).order_by("number")
    found = Exported(
        format=FORMAT,
        version=VERSION,
        id=season.public_id,
        title=season.title,
        started_at=iso(season.started_at) or "",
        ended_at=iso(season.ended_at),
        seed_hash=season.seed_hash,
        seed=season.seed,
        state=season.state,
        cast=[
            ExportedMember(
                handle=each.handle,
                name=names[each.handle],
                team=each.team or "",
                status=each.status,
                place=each.place,
                account=account(state.purses, each.handle),
            )
            for each in state.members
        ],
        matches=[
            ExportedMatch(
                key=each.key,
                id=each.match.public_id,
                title=each.match.title,
                game=each.match.game,
                brought=opened_with(each.match),
                result=results.get(each.key),
            )
            for each in opened
        ],
        log=tuple(ExportedRow(row.previous, row.hash(), row.content(), row.facts()) for row in rows),
        ledger=[_entry(entry) for entry in entries_of(season)],
    )
    plain_found: dict[str, Any] = msgspec.to_builtins(found)
    return plain_found


def entries_of(season: Season) -> QuerySet[SeasonEntry]:
    """The ledger, in its order."""
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
    entries = (e for e in entries_of(season) if not handle or handle in (_handle(e.giver), _handle(e.receiver)))
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
