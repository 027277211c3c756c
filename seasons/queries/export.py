"""A whole season as one file, which `manage.py verify --file` proves again, and its tables as CSV."""

from __future__ import annotations

from typing import Any

import msgspec

from matches.infra.csv_text import as_csv
from matches.models.ledger import shown_amount
from matches.queries.export import with_checksum
from seasons.engine import season as rules
from seasons.engine.proving import FORMAT, VERSION, Exported, ExportedRow
from seasons.models import Season
from seasons.queries import standing
from seasons.queries.access import Viewer
from seasons.services import summing
from seasons.services.log import plain


class NotYet(LookupError):
    """The log of a season is open to everybody after its end; until then nobody gets the seed."""


def exported(season: Season) -> dict[str, Any]:
    """The season as JSON. Raises `NotYet` before the end."""
    if season.status != Season.Status.ENDED:
        raise NotYet
    summed = summing.latest(season)
    found = Exported(
        format=FORMAT,
        version=VERSION,
        log=tuple(ExportedRow(plain(row), row.hash) for row in season.log.order_by("number")),
        **summing.facts_of(season, rules.decode(season.state), summed.heads if summed else {}),
    )
    plain_found: dict[str, Any] = msgspec.to_builtins(found)
    return with_checksum(plain_found)


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
    entries = (e for e in summing.entries_of(season) if not handle or handle in (_handle(e.giver), _handle(e.receiver)))
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
