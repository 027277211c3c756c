"""Who would play in a match that has not begun: its players as listed, and stand-ins in the places that are open."""

from __future__ import annotations

from matches.engine.settings import Roster
from matches.engine.simulation import filled
from matches.models import Match
from matches.services.opening import roster_of


def with_stand_ins(match: Match) -> Roster:
    """The match's players in list order, as the rules take them, and a stand-in in every place that nobody has.

    An unsaved match has stand-ins alone."""
    here, sizes = roster_of(match) if match.pk else (), match.rules.sizes
    places = len(here)
    if not match.has_begun:
        if match.joining in Match.OPEN_TO_ALL:
            places = match.places
        elif places < sizes.least:
            places = sizes.usual[0]
    return filled(here, min(places, sizes.most), match.rules.teams)
