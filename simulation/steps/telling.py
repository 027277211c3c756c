"""What happened is told elsewhere: the outbox is emptied, mail is sent. Each task may come late, twice, or die."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from notices import tasks

if TYPE_CHECKING:
    from simulation.world import World


def pass_on(world: World, draw: Random) -> str:
    """The outbox is emptied."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    with world.inside(process):
        tasks.pass_on()
    return process.name


def mail(world: World, draw: Random) -> str:
    """Mail is sent."""
    deaths, process = world.deaths, draw.choice((world.worker, world.worker, world.webs[0]))
    try:
        with world.inside(process):
            tasks.send()
    finally:
        world.died_while_sending |= world.deaths > deaths
    return f"{process.name} {sum(world.post.sent.values())}"


STEPS = {"pass_on": pass_on, "mail": mail}
