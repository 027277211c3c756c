"""`python -m lab.simulation`: play seeds, or one again."""

import argparse
import hashlib
import os
import shutil
import sys
import time

import django
from django.conf import settings

from lab.simulation.plans import plan_of
from lab.simulation.runs import Run, run, run_all


def main() -> int:
    """Exit with 1 if anything fails."""
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
