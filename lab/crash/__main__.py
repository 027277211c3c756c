"""`python -m lab.crash --faults 200 --seed 1 [--embedded]`: exits with 1 if anything was wrong (lab/README.md)."""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from lab.crash.run import Run, text


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab.crash", description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="chooses the faults and their moments")
    parser.add_argument("--embedded", action="store_true", help="manage.py serve on SQLite, not the full set-up")
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--players", type=int, default=4, help="in each match")
    parser.add_argument("--rate", type=float, default=16.0, help="actions a second of all players together")
    parser.add_argument("--timers", type=int, default=40, help="matches of bots whose deadlines pass meanwhile")
    parser.add_argument("--only", action="append", default=[], help="only faults with this word, such as redis")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="genius-faults-"))
    run = Run(options, folder)
    violations = asyncio.run(run.run())
    print(text(run.figures, violations))
    if violations:
        print(f"Journal and logs: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main())
