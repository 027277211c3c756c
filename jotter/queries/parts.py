"""In which part of its play a match is."""

from __future__ import annotations

from matches.models import Match
from matches.queries.matches import Position


def part_of(match: Match) -> str:
    """The present round, phase or auction, as its game calls it; empty before the opening and after the end."""
    if match.is_over:
        return ""
    view = Position(match).public
    return "" if view is None else match.rules.progress(view).where
