"""What can be asked for on the command line."""

from __future__ import annotations

import argparse
import hashlib
import time

from lab.simulation.many import processors, run_all
from lab.simulation.plans import plan_of
from lab.simulation.runs import Run, run


def add_to(parser: argparse.ArgumentParser) -> None:
    """The commands and their options."""
    commands = parser.add_subparsers(dest="command", required=True)
    many = commands.add_parser("run", help="play many seeds")
    many.add_argument("--seeds", type=int, default=200, help="how many (default: 200)")
    many.add_argument("--first", type=int, default=0, help="the first one (default: 0)")
    many.add_argument("--jobs", type=int, default=processors(), help="how many at once (default: one a processor)")
    one = commands.add_parser("replay", help="play one seed twice, compare, and print what happened")
    one.add_argument("seed", type=int)
    one.add_argument("--steps", default="", help="only these steps: 0,3,4")


def obey(options: argparse.Namespace) -> int:
    """Do it; 1 if anything fails."""
    return {"run": _run_many, "replay": _replay}[options.command](options)


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
