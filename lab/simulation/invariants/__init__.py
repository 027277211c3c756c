"""What must hold: cheap things after each step, everything at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.simulation.invariants import clocks, ledgers, money, post, views

if TYPE_CHECKING:
    from lab.simulation.world import World


def after_step(world: World) -> None:
    """What can be seen at any moment."""
    if world.moved():
        ledgers.check(world)
        clocks.check_due(world)
        views.check_versions(world)


def at_end(world: World) -> None:
    """Everything, once nothing is under way any more."""
    world.journal.check()
    ledgers.check(world)
    clocks.check(world)
    views.check_viewers(world)
    post.check(world)
    money.check(world)
