"""Instants in words, the same for every reader: in UTC, and with the day."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(at: datetime | None) -> str | None:
    """An instant as JSON has it; None if there is none."""
    return at.isoformat() if at else None


def moment_in_words(at: datetime) -> str:
    """“Sat 21 Nov, 14:00 UTC”."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b}, {at:%H:%M} UTC"
