"""Bots in the places of a match that has not begun."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from matches.models import Match, Player
from matches.services.errors import CommandRefused
from matches.services.names import names_in, unlike
from matches.services.open_places import bot_names
from matches.services.roster import PlayerChange, change_players

MOST_PLACES = 100


def add_bots(match: Match, host: Any, places: int) -> int:
    """Add bots in new places until there are `places` players; how many. Nobody who is there or invited is touched."""
    missing = max(min(places, MOST_PLACES) - match.players.count(), 0)
    found = islice(unlike(bot_names(match.pk), names_in(match)), missing)
    new = [PlayerChange(None, {"is_bot": True, "handle": names.handle, "name": names.name}) for names in found]
    change_players(match, host, new)
    return len(new)


def give_to_bots(match: Match, host: Any, places: Iterable[Player]) -> None:
    """Let bots play in these open places, whose links work no longer; each keeps its handle and name. Somebody who
    takes one at this very moment keeps it: then all is refused."""
    open_now = {player.pk for player in match.players.all() if player.is_open}
    changes = []
    for place in places:
        if place.pk not in open_now:
            raise CommandRefused(f"{place.handle} is not open any more.", field="places")
        changes.append(PlayerChange(place.pk, {"is_bot": True}))
    change_players(match, host, changes)
