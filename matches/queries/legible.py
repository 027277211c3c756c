"""What is shown of a match whose rules fail with its position, because they have a fault or its row was damaged.

Lists show it without its position, as one of which this site does not have the rules: one match must not hide the
others. Its own pages, and programs, are told so instead of "something failed".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import DatabaseError

from matches.models import Match
from matches.queries.matches import Position

NOT_SHOWN = (
    "The site cannot show where this match stands: its rules fail with what is stored. This has been noted, and its"
    " hosts see it. Nobody can act in it until it is mended."
)

logger = structlog.get_logger(__name__)

T = TypeVar("T")


class Illegible(LookupError):
    """A match that exists, and of which nothing can be shown now; the message is for everybody who may see it."""

    code = "match_illegible"
    message = NOT_SHOWN


def is_legible(match: Match) -> bool:
    """Whether the rules can show a match's position to everybody who may see it. What fails is logged."""
    try:
        position = Position(match)
        for player in match.players.all():
            position.private_of(player)
            position.has_submitted(player)
        return position.public is None or bool(position.public.phase)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return False


def legible(match: Match, read: Callable[[Position], T], position: Position | None = None) -> T:
    """What `read` makes of a match's position (the given one, or a new one), or of none if that fails."""
    try:
        return read(position or Position(match))
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return read(Position.of_none(match))
