"""Hosts give commands to running matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from accounts.models import User
from matches.models import Match
from matches.services import hosting
from matches.services.errors import Refused

if TYPE_CHECKING:
    from lab.simulation.world import World


def _pause(match: Match, host: Any, draw: Random) -> None:
    hosting.pause(match, host, reason="a break")


def _resume(match: Match, host: Any, draw: Random) -> None:
    hosting.resume(match, host)


def _extend(match: Match, host: Any, draw: Random) -> None:
    hosting.extend(match, host, timedelta(minutes=draw.choice((10, 600))), reason="too early")


def _close(match: Match, host: Any, draw: Random) -> None:
    hosting.close_deadline(match, host, reason="all have acted")


def _announce(match: Match, host: Any, draw: Random) -> None:
    hosting.announce(match, host, "announcement", "Good luck to all of you.")


_COMMANDS: tuple[Callable[[Match, Any, Random], None], ...] = (
    _pause, _resume, _resume, _extend, _extend, _close, _announce
)  # fmt: skip


def host(world: World, draw: Random) -> str:
    """A host does something, which may be refused."""
    command, stage = draw.choice(_COMMANDS), draw.choice((0, 0, 0, 1))
    process = draw.choice(world.webs)
    with world.inside(process):
        match = Match.objects.get(pk=world.cast.matches[stage].number)
        person = User.objects.get(pk=world.cast.host)
        try:
            command(match, person, draw)
        except Refused as refusal:
            return f"{command.__name__} {refusal.code}"
    return command.__name__


STEPS = {"host": host}
