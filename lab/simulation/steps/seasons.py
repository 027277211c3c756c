"""Seasons are brought up to now, and their hosts and members decide; in worlds without a season nothing happens."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from accounts.models import User
from matches.models import Match
from matches.services import hosting
from matches.services.errors import Refused
from seasons.models import Season
from seasons.services import advancing, running

if TYPE_CHECKING:
    from lab.simulation.world import World


def season(world: World, draw: Random) -> str:
    """A sweep of seasons, a host's command, or a member who names an opponent."""
    if world.cast.season is None:
        return "none here"
    process = draw.choice((world.worker, *world.webs))
    with world.inside(process):
        if draw.random() < 0.5:
            return f"sweep {advancing.sweep()}"
        found = Season.objects.get(pk=world.cast.season)
        try:
            return _decide(world, found, draw)
        except Refused as refusal:
            return refusal.code


def _decide(world: World, found: Season, draw: Random) -> str:
    names = [person.name for person in world.cast.players]
    key = f"s{draw.getrandbits(8)}"
    if draw.random() < 0.3:
        person = draw.choice(world.cast.players)
        running.name_opponent(found, User.objects.get(pk=person.user), draw.choice(names), key=key)
        return "named"
    host = User.objects.get(pk=world.cast.host)
    if draw.random() < 0.3:
        hosting.publish(Match.objects.get(pk=world.cast.matches[1].number), host)
        return "published"
    amount = draw.choice((-12, -1, 1, 2))
    commands: tuple[dict[str, Any], ...] = (
        {"settle": True},
        {"correct": {"player": draw.choice(names), "asset": "garnet", "amount": amount}, "reason": "A gift."},
        {"name_opponent": draw.choice(names), "reason": "Away."},
        {"death_match": {"loser": draw.choice(names)}, "reason": "Lost."},
    )
    command = draw.choice(commands)
    running.command(found, host, command, key=key)
    return next(iter(command))


STEPS = {"season": season}
