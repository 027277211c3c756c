"""What other apps add to a person's public profile (`/people/<username>/`): sections, such as the seasons they played.

An app registers a function in its `AppConfig.ready`; matches/ knows none of them by name:

    register(seasons_of)  # seasons_of(user, viewer) -> Section | None

A section is shown as it is, to everybody who may see the page. `viewer` is who looks (perhaps nobody who is signed in):
a section may show less to some, and never more than that viewer may know. It is not asked for where the person keeps
their profile empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from django.utils.safestring import SafeString

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. `name`: its id there, and its key in `/api/v1/people/<username>/`, unique among all;
    `html`: its body, below the title; `data`: the same for programs, JSON-able."""

    name: str
    title: str
    html: SafeString
    data: Any


Make = Callable[[Any, Any], Section | None]
_makers: list[Make] = []


def register(make: Make) -> None:
    """From now on ask this function for every profile. It gets the person and the viewer, and gives None where there is
    nothing to show. It may read the database; two queries are plenty, since people wait for it."""
    if make not in _makers:
        _makers.append(make)


def sections_of(user: Any, viewer: Any) -> tuple[Section, ...]:
    """What all apps add to this person's profile, in the order in which they were registered. A function that fails is
    logged and left out."""
    found = []
    for make in _makers:
        try:
            if (section := make(user, viewer)) is not None:
                found.append(section)
        except Exception:
            logger.exception("profile_section_failed", person=user.pk, made_by=make.__module__)
    return tuple(found)
