"""What lists ask of a match: if its rules fail there, because they have a fault or its row was damaged, the list shows
it without its position, as one of which this site does not have the rules. One match must not hide the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import DatabaseError

from matches.models import Match
from matches.queries.matches import Position

logger = structlog.get_logger(__name__)

T = TypeVar("T")


def legible(match: Match, read: Callable[[Position], T], position: Position | None = None) -> T:
    """What `read` makes of a match's position (the given one, or a new one), or of none if that fails."""
    try:
        return read(position or Position(match))
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return read(Position.of_none(match))
