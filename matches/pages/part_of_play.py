"""In which part of its play a match is, such as a round: what a player can do in another is something else."""

from __future__ import annotations

from typing import Any

from matches.models import Match
from matches.queries.matches import Position

OWN_PART = "own_part"
"""Beside a player's own parts of a page stands of which part of the match they are (`own_part_of`)."""


def part_of_play(match: Match, view: Any) -> str:
    """The part in the match's own words; none before its play, and none once it is over."""
    return match.rules.progress(view).where if view and not match.is_over else ""


def own_part_of(position: Position) -> str:
    """What names the part, and whether the match is paused."""
    phase = position.public.phase if position.public else ""
    return f"{position.match.status} {phase} {part_of_play(position.match, position.public)}"
