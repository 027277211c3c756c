"""How long before a deadline people are reminded.

A spacing is a number: below 1 a share of the time in which something is asked (0.8: when a fifth of it is left), above
it seconds before the end. It is stored as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from notices.models import AskedDeadline

DEFAULT = (0.8, 3600)
HALF = "half"
"""When hosts are told that nobody has submitted."""
AGAIN = "again"
"""When somebody has asked to be told again."""

OFFERED = {
    "0.5": "At half of the time",
    "0.8": "When a fifth of the time is left",
    "0.9": "When a tenth of the time is left",
    "86400": "A day before",
    "21600": "6 hours before",
    "7200": "2 hours before",
    "3600": "An hour before",
    "900": "15 minutes before",
}
"""What people can choose from."""


def spacings_of(chosen: Sequence[float]) -> frozenset[str]:
    """A person's spacings, by what is stored of them; those who have chosen none have the default."""
    return frozenset(f"{each:g}" for each in (chosen or DEFAULT))


def lead_of(spacing: str, deadline: AskedDeadline, speed: int) -> timedelta | None:
    """How long (real time) before the deadline that is; None where something is asked for no longer than that."""
    whole = (deadline.time - deadline.since) / speed
    share = 0.5 if spacing == HALF else float(spacing)
    lead = whole * (1 - share) if share < 1 else timedelta(seconds=share)
    return lead if lead < whole else None
