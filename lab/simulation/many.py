"""Plays many seeds, on all processors."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator

from lab.simulation import runs
from lab.simulation.runs import Run

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
