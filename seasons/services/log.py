"""The rows of a season's log and their hash chain."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

from matches.models.submission import new_salt
from seasons.engine import replaying
from seasons.engine.replaying import LogRow
from seasons.models import Season, SeasonRow


def plain(row: SeasonRow) -> LogRow:
    """What a row's hash covers: everything in the row, and the hash of the row before. The account is in it by name
    (`actor`), not by number."""
    return LogRow(
        actor=row.actor,
        key=row.key,
        kind=row.kind,
        number=row.number,
        payload=row.payload,
        previous=row.previous_hash,
        received_at=row.received_at.astimezone(UTC).isoformat(timespec="microseconds"),
        season_time=row.season_time // timedelta(microseconds=1),
        salt=row.salt,
    )


def append(season: Season, row: SeasonRow) -> SeasonRow:
    """Number, chain and store a row; moves the season's log head, which the caller saves."""
    season.log_count += 1
    row.season, row.number, row.previous_hash = season, season.log_count, season.log_head
    row.salt = new_salt()
    row.hash = plain(row).hash()
    row.save(force_insert=True)
    season.log_head = row.hash
    return row


def broken_at(season: Season, rows: list[SeasonRow]) -> int | None:
    """The number of the first row that does not fit the chain; None when the log is whole."""
    found = replaying.broken_at((plain(row), row.hash) for row in rows)
    if found is not None:
        return found
    head = rows[-1].hash if rows else ""
    return None if (len(rows), head) == (season.log_count, season.log_head) else len(rows) + 1


def described(season: Season) -> dict[str, Any]:
    """What the log's first row says of a season that its rules do not know: it is fixed from the beginning on."""
    return {
        "id": season.public_id,
        "title": season.title,
        "description": season.description,
        "usual_hour": season.usual_hour.isoformat() if season.usual_hour else None,
        "zone": season.zone,
        "is_demo": season.is_demo,
        "created_at": season.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }
