"""What goes wrong: processes die, clocks are set, everything stands still for hours."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.simulation.world import World


def die(world: World, draw: Random) -> str:
    """The process that runs at this moment dies."""
    if not world.is_running:
        return kill(world, draw)
    world.kill_running()
    return "killed"


def kill(world: World, draw: Random) -> str:
    """A process dies, whatever waits there."""
    process = draw.choice(world.processes)
    world.kill(process)
    return process.name


def skew(world: World, draw: Random) -> str:
    """The clock of one process goes wrong by up to half a second, or right again."""
    process = draw.choice(world.processes)
    process.skew = draw.choice((0.0, draw.uniform(-0.5, 0.5)))
    return f"{process.name} {process.skew:.3f}"


def gap(world: World, draw: Random) -> str:
    """All processes stop, and start hours later."""
    for process in list(world.processes):
        world.kill(process)
    world.network.waiting.clear()
    hours = draw.choice((0.01, 0.2, 3, 30, 80))
    world.pass_time(hours * 3600)
    return f"{hours} hours"


STEPS = {"die": die, "kill": kill, "skew": skew, "gap": gap}
