"""Everybody put into the match's teams at once, until the match begins."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import SystemRandom
from typing import Any

from matches.models import Match
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.guards import retrying

WAYS = ("alternating", "halves", "random")

_BEFORE = (Match.Status.DRAFT, Match.Status.SCHEDULED)
_chance = SystemRandom()


@retrying
def deal_teams(match: Match, host: Any, way: str) -> None:
    """Put all players into the game's teams, which differ by one player at most; the first is the larger one.

    `alternating`: by turns in list order. `halves`: the first part of the list is the first team. `random`: drawn by
    the site's own chance, for the match's own begins with the match. Logged as every change of players. Raises
    `CommandRefused` with a sentence.
    """
    with command(match, host) as writer:
        need_status(writer, *_BEFORE, otherwise="Teams can be changed until the match begins.")
        teams = writer.match.rules.teams
        if not teams:
            raise CommandRefused("This game has no teams.")
        if way not in WAYS:
            raise CommandRefused(f"Teams are dealt in one of these ways: {', '.join(WAYS)}.")
        changed = []
        players = list(writer.match.players.order_by("position", "pk"))
        for player, team in zip(players, _dealt(teams, len(players), way), strict=True):
            if player.team == team:
                continue
            changed.append({"handle": player.handle, "changes": {"team": [player.team, team]}})
            player.team = team
            player.save(update_fields=["team"])
        if changed:
            writer.record(command_row(writer, host, "players", added=[], changed=changed, removed=[]))
            writer.touch_all()
            writer.save()


def _dealt(teams: Sequence[str], count: int, way: str) -> list[str]:
    """A team for each of so many places, in list order."""
    numbers = [place % len(teams) for place in range(count)]
    if way == "halves":
        numbers.sort()
    elif way == "random":
        _chance.shuffle(numbers)
    return [teams[number] for number in numbers]
