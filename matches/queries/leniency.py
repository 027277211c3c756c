"""What players may know of absences in their match."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from matches.models import Absence, Match, Player, clock
from matches.services.absences import leniency_of


class Away(NamedTuple):
    """Somebody is away, or will be. `reason` and `noted_by` are for hosts and the person alone."""

    handle: str
    since: datetime
    until: datetime
    bot: bool
    is_now: bool
    reason: str = ""
    noted_by: str = ""


class OwnPlace(NamedTuple):
    """What a player can do about their place."""

    bots_stand_in: bool
    bot_plays: bool
    own: Away | None
    away: list[Away]


def own_place(match: Match, player: Player) -> OwnPlace:
    """For the player who has it."""
    chosen, away = leniency_of(match), absences(match)
    own = next((each for each in away if each.handle == player.handle), None)
    return OwnPlace(
        chosen.bots_stand_in,
        player.is_bot,
        own,
        [each._replace(reason="", noted_by="") for each in away],
    )


def absences(match: Match) -> list[Away]:
    """Who is away or will be, with what only hosts and the person may know."""
    now = clock.now()
    found = Absence.objects.filter(match=match, ended_at=None, until__gt=now).select_related("player")
    return [_away(each, now) for each in found]


def _away(each: Any, now: datetime) -> Away:
    is_now = each.is_now(now)
    return Away(each.player.handle, each.since, each.until, each.bot, is_now, each.reason, each.noted_by)
