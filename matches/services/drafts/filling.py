"""Bots for all open places of a match that has not begun, in one step."""

from __future__ import annotations

from itertools import islice
from typing import Any

from matches.models import Match
from matches.services.names import names_in, unlike
from matches.services.open_places import bot_names
from matches.services.roster import PlayerChange, change_players

MOST_PLACES = 100


def fill_with_bots(match: Match, host: Any, *, places: int = 0) -> int:
    """Let bots play in the open places, and add more of them until there are `places` players; how many bots are new.

    An open place keeps its handle and name. Somebody who takes one at this very moment keeps it: then all is refused.
    """
    players = list(match.players.all())
    changes = [PlayerChange(player.pk, {"is_bot": True}) for player in players if player.is_open]
    missing = max(min(places, MOST_PLACES) - len(players), 0)
    for names in islice(unlike(bot_names(match.pk), names_in(match)), missing):
        changes.append(PlayerChange(None, {"is_bot": True, "handle": names.handle, "name": names.name}))
    change_players(match, host, changes)
    return len(changes)
