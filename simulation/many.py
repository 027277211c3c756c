"""Plays many seeds, on all processors."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator

from simulation import runs
from simulation.runs import Run

_AT_ONCE = 5


def run_all(seeds: Iterable[int], jobs: int) -> Iterator[Run]:
    """What came of each seed, in their order; without the traces of good ones."""
    if jobs == 1:
        yield from map(_run, seeds)
        return
    runs.prepare_all()  # before anybody forks
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_run, seeds, chunksize=_AT_ONCE)


def _run(seed: int) -> Run:
    found = runs.run(seed)
    return found._replace(lines=[]) if found.is_good else found


def processors() -> int:
    """How many there are for us."""
    return len(os.sched_getaffinity(0))


def hunts(only: str, most: int, jobs: int) -> Iterator[tuple[str, Run | None]]:
    """The planted bugs with these words in their names, each with the first run that finds it, within `most` seeds."""
    runs.prepare_all()
    from simulation.planted import BUGS

    wanted = [(name, most) for name in BUGS if only in name]
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(_hunt, wanted, chunksize=1)


def _hunt(wanted: tuple[str, int]) -> tuple[str, Run | None]:
    from simulation.planted import BUGS

    name, most = wanted
    for seed in range(most):
        with BUGS[name]():
            found = runs.run(seed)
        if not found.is_good:
            if not (sound := runs.run(seed)).is_good:
                raise RuntimeError(f"seed {seed} fails without a bug: {sound.rule}: {sound.seen}")
            return name, found._replace(lines=[])
    return name, None
