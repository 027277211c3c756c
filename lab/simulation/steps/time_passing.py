"""Time passes, and what is due is done by somebody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from lab.simulation.steps.acting import act
from matches import tasks
from matches.services import deadlines

if TYPE_CHECKING:
    from lab.simulation.world import World


def sweep(world: World, draw: Random) -> str:
    """A sweep, by the worker or by a second one that somebody has started beside it."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    with world.inside(process):
        if draw.random() < 0.2:
            tasks.sweep()
        else:
            deadlines.sweep()  # what every sweep begins with
    return process.name


def wait(world: World, draw: Random) -> str:
    """Time passes."""
    seconds = draw.choice((0.001, 0.1, 1.0, 6.0, 60.0, 900.0, 3600.0, 6 * 3600.0))
    world.pass_time(seconds)
    return f"{seconds} seconds"


def due(world: World, draw: Random) -> str:
    """It is as late as the next deadline: a moment earlier, that very instant, or a moment later. Then somebody acts,
    and somebody sweeps."""
    rows = world.seats.ask("SELECT MIN(next_deadline_at) FROM matches_match WHERE next_deadline_at IS NOT NULL")
    if rows[0][0] is None:
        return "nothing is due"
    instant = datetime.fromisoformat(rows[0][0]).replace(tzinfo=UTC)
    world.go_to(instant + draw.choice((-1, 0, 0, 1, 1000)) * timedelta(microseconds=1))
    done = [act, sweep, act, sweep][draw.randint(0, 2) :]
    draw.shuffle(done)
    return " ".join(step(world, draw) for step in done)


STEPS = {"sweep": sweep, "wait": wait, "due": due}
