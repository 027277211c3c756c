"""What can happen, by name: functions of the world and of the step's own chance. They say in a few words what came of
it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import OperationalError

from lab.simulation.steps import acting, faults, hosting, seasons, telling, time_passing, watching
from matches.infra.db_waits import is_busy

if TYPE_CHECKING:
    from lab.simulation.plans import Step
    from lab.simulation.world import World

    Do = Callable[[World, random.Random], str]

_PARTS = (acting, faults, hosting, seasons, telling, time_passing, watching)
_ALL = {kind: do for part in _PARTS for kind, do in part.STEPS.items()}


def act_on(world: World, step: Step) -> str:
    """Do a step."""
    try:
        do: Do = _ALL[step.kind]
        return do(world, random.Random(step.seed))
    except OperationalError as error:
        if not is_busy(error):
            raise
        return "locked"  # a task that fails so is run again a second later
