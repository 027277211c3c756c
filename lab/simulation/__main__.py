"""Plays seeds of the simulation, or one seed again: `python -m lab.simulation`."""

from __future__ import annotations

import argparse
import gc
import hashlib
import logging
import multiprocessing
import os
import random
import shutil
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import django
import structlog
from django.conf import settings

from lab.simulation.database import Failed
from lab.simulation.prepared import Step, plan_of

if TYPE_CHECKING:
    from lab.simulation.database import Seats
    from lab.simulation.prepared import Cast


class Run(NamedTuple):
    """The result of a run: the rule that was broken (empty if none), what was seen, and the trace."""

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
    """Play a seed's plan, or another plan in its world."""
    from lab.simulation import invariants
    from lab.simulation.world import World, calm_down

    stages = _stages()
    slug = random.Random(f"stage:{seed}").choice(list(stages))
    seats, cast = stages[slug]
    world = World(seats, cast, seed)
    gc.collect()  # only here: garbage collected at other moments would make runs differ
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
    """Connections to this process's databases, and the people in them, by match type."""
    from django.conf import settings

    from lab.simulation.database import Seats
    from lab.simulation.prepared import prepared
    from matches.models import Announcement, Submission
    from matches.services.storage import instances

    if not os.environ.get("SIMULATION_LOG"):
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        logging.disable()
    for model in (Submission, Announcement):
        instances._defaults(model)  # made once in a process, with an unused salt and token
    folder = settings.DATA_DIR
    stages = {
        slug: (Seats(folder / f"{slug}-{os.getpid()}.sqlite3", path), cast) for slug, (path, cast) in prepared().items()
    }
    gc.disable()
    gc.collect()
    gc.freeze()  # the site's code stays, so it need not be scanned again
    return stages


_AT_ONCE = 5


def run_all(seeds: Iterable[int], jobs: int) -> Iterator[Run]:
    """Yield the result of each seed, in order; without the traces of good ones."""
    if jobs == 1:
        yield from map(_run, seeds)
        return
    from lab.simulation.prepared import prepared

    prepared()  # before forking
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_run, seeds, chunksize=_AT_ONCE)


def _run(seed: int) -> Run:
    found = run(seed)
    return found._replace(lines=[]) if found.is_good else found


def main() -> int:
    """Run the command line; return 1 if anything failed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lab.simulation.settings")
    django.setup()
    parser = argparse.ArgumentParser(prog="python -m lab.simulation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    many = commands.add_parser("run", help="play many seeds")
    many.add_argument("--seeds", type=int, default=200, help="how many (default: 200)")
    many.add_argument("--first", type=int, default=0, help="the first one (default: 0)")
    cores = len(os.sched_getaffinity(0))
    many.add_argument("--jobs", type=int, default=cores, help="how many at once (default: one a processor)")
    one = commands.add_parser("replay", help="play one seed twice, compare, and print what happened")
    one.add_argument("seed", type=int)
    one.add_argument("--steps", default="", help="only these steps: 0,3,4")
    options = parser.parse_args()
    try:
        return {"run": _run_many, "replay": _replay}[options.command](options)
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


def _run_many(options: argparse.Namespace) -> int:
    began, digest, failed = time.perf_counter(), hashlib.sha256(), list[Run]()
    seeds = range(options.first, options.first + options.seeds)
    for found in run_all(seeds, options.jobs):
        digest.update(found.digest.encode())
        if not found.is_good:
            failed.append(found)
            print(f"seed {found.seed} FAILED: {found.rule}: {found.seen[-2000:]}", flush=True)
            print(f"  python -m lab.simulation replay {found.seed}", flush=True)
    speed = options.seeds / (time.perf_counter() - began)
    print(f"{options.seeds} seeds, {len(failed)} failed, {speed:.1f} seeds/s with {options.jobs} processes")
    print(f"all traces: {digest.hexdigest()}, last trace: {found.digest}")
    return 1 if failed else 0


def _replay(options: argparse.Namespace) -> int:
    plan = plan_of(options.seed)
    if options.steps:
        plan = [plan[int(place)] for place in options.steps.split(",")]
    found, again = run(options.seed, plan), run(options.seed, plan)
    print("\n".join(found.lines))
    if found.digest != again.digest:
        print(f"NOT REPEATABLE: {found.digest} and then {again.digest}")
        return 1
    print(f"trace {found.digest}, twice")
    if not found.is_good:
        print(f"FAILED: {found.rule}: {found.seen}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
