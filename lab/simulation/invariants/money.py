"""Seasons, at the end: their books are what their log gives, and nobody owes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.simulation.failures import need
from seasons.models import Season
from seasons.services.verifying import verify

if TYPE_CHECKING:
    from lab.simulation.world import World


def check(world: World) -> None:
    """The world's season, if it has one."""
    if world.cast.season is None:
        return
    with world.inside(world.worker):
        found = verify(Season.objects.get(pk=world.cast.season))
        need(not found, "verify finds nothing in the season", " ".join(found))
