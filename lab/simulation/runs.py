"""Runs: a seed's plan played in a fresh world, to the end, with everything checked; and many of them."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import random
import traceback
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import structlog

from lab.simulation.database import Failed
from lab.simulation.plans import Step, plan_of

if TYPE_CHECKING:
    from lab.simulation.database import Seats
    from lab.simulation.prepared import Cast


class Run(NamedTuple):
    """What came of a run: the rule that does not hold (empty if all do), what was seen, and the trace."""

    seed: int
    rule: str
    seen: str
    digest: str
    lines: list[str]

    @property
    def is_good(self) -> bool:
        """Whether every rule held."""
        return not self.rule


def run(seed: int, plan: Sequence[Step] | None = None) -> Run:
    """Play a seed's plan, or another one in its world."""
    from lab.simulation import invariants
    from lab.simulation.world import World, calm_down

    stages = _stages()
    slug = random.Random(f"stage:{seed}").choice(list(stages))
    seats, cast = stages[slug]
    world = World(seats, cast, seed)
    gc.collect()  # here alone: what ends with it would otherwise end at any moment
    seats.tell = world.moment
    rule = seen = ""
    try:
        with world.alive():
            world.play(list(plan_of(seed) if plan is None else plan))
            calm_down(world)
            invariants.at_end(world)
    except Failed as failure:
        rule, seen = failure.rule, failure.seen
        world.note(f"FAILED {failure}")
    except Exception as error:
        rule, seen = f"unforeseen {type(error).__name__}", "".join(traceback.format_exception(error))
        world.note(f"FAILED {rule} {error}")
    return Run(seed, rule, seen, world.trace.hexdigest(), world.lines)


@cache
def _stages() -> dict[str, tuple[Seats, Cast]]:
    """Connections to this process's own databases, and who is in them, by match type."""
    from django.conf import settings

    from lab.simulation.database import Seats
    from lab.simulation.prepared import prepared
    from matches.models import Announcement, Submission
    from matches.services.storage import instances

    if not os.environ.get("SIMULATION_LOG"):
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        logging.disable()
    for model in (Submission, Announcement):
        instances._defaults(model)  # made once in a process, with a salt and a token that nobody uses
    folder = settings.DATA_DIR
    stages = {
        slug: (Seats(folder / f"{slug}-{os.getpid()}.sqlite3", path), cast) for slug, (path, cast) in prepared().items()
    }
    gc.disable()
    gc.collect()
    gc.freeze()  # the product's code is there to stay: nobody need look through it again
    return stages


_AT_ONCE = 5


def run_all(seeds: Iterable[int], jobs: int) -> Iterator[Run]:
    """What came of each seed, in their order; without the traces of good ones."""
    if jobs == 1:
        yield from map(_run, seeds)
        return
    from lab.simulation.prepared import prepared

    prepared()  # before anybody forks
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_run, seeds, chunksize=_AT_ONCE)


def _run(seed: int) -> Run:
    found = run(seed)
    return found._replace(lines=[]) if found.is_good else found
