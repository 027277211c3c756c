"""What other apps say on the lines of a person's own matches, such as how much there is to read in their talk.

An app registers a function in its `AppConfig.ready`; matches/ knows none of them by name. Reading the list costs the
same number of queries however many matches there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import structlog

from matches.models import Match

logger = structlog.get_logger(__name__)


class Line(NamedTuple):
    """A short text with the address of what it is about; nothing that this person may not know."""

    text: str
    href: str


Make = Callable[[Any, Sequence[Match]], Mapping[int, Sequence[Line]]]
"""Given a person and matches of theirs: the lines, by the match's id. It asks a fixed number of queries."""

_makers: list[Make] = []


def register(make: Make) -> None:
    """Ask this function from now on."""
    if make not in _makers:
        _makers.append(make)


def lines_in(user: Any, matches: Sequence[Match]) -> dict[int, list[Line]]:
    """All lines of these matches. Where an app fails, that is logged, and the list is shown without it."""
    found: dict[int, list[Line]] = {match.pk: [] for match in matches}
    for make in _makers if matches else ():
        try:
            for pk, lines in make(user, matches).items():
                found[pk] += lines
        except Exception:
            logger.exception("own_lines_failed", made_by=make.__module__)
    return found
