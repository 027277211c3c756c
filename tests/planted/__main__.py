"""Plants the faults of the lists, one after another, and says which of them the tests find.

python -m tests.planted [--some N] [--seed S] [--topic NAME] [--about WORDS] [--at-once N] [--seconds N]
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import secrets
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.planted.copies import Copy, Verdict, copied
from tests.planted.faults import Fault, all_faults

ENOUGH = 0.95
"""Of the faults, so many are to be found."""


def chosen(given: argparse.Namespace) -> list[tuple[str, Fault]]:
    """The faults to plant, each with its topic, in the order of the lists or, where there are to be `some`, by
    chance."""
    faults = [(topic, fault) for topic, some in all_faults().items() for fault in some]
    faults = [each for each in faults if given.topic in ("", each[0]) and given.about in each[1].wrong]
    if not given.some or given.some >= len(faults):
        return faults
    seed = given.seed if given.seed is not None else secrets.randbits(32)
    print(f"{given.some} of {len(faults)} faults; --seed {seed} takes the same again")
    return random.Random(seed).sample(faults, given.some)


def tried(faults: list[tuple[str, Fault]], at_once: int, seconds: float) -> Counter[Verdict]:
    """Plants them all, in so many copies at once, and prints a line for each as it comes."""
    with copied(at_once) as copies, ThreadPoolExecutor(at_once) as pool:
        free = queue.SimpleQueue[Copy]()
        for copy in copies:
            free.put(copy)

        def one(each: tuple[str, Fault]) -> Verdict:
            (topic, fault), copy, started = each, free.get(), time.monotonic()
            try:
                verdict, detail = copy.tried(fault, seconds)
            finally:
                free.put(copy)
            took = time.monotonic() - started
            print(f"{verdict:6} {took:5.1f} s  {topic}: {fault.wrong} [{detail}]", flush=True)
            return verdict

        try:
            return Counter(pool.map(one, faults))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.stop()  # or the pool would wait for their tests
            raise


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.planted")
    parser.add_argument("--some", type=int, default=0, help="so many of them, chosen by chance")
    parser.add_argument("--seed", type=int, help="what the choice is made by")
    parser.add_argument("--topic", default="", help="those of one list")
    parser.add_argument("--about", default="", help="those whose sentence has these words")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="how many copies")
    parser.add_argument("--seconds", type=float, default=180, help="the most that the tests of a fault may take")
    given = parser.parse_args()
    faults = chosen(given)
    count = tried(faults, min(given.at_once, max(len(faults), 1)), given.seconds)
    print(f"\n{len(faults)} planted: " + ", ".join(f"{count[verdict]} {verdict}" for verdict in Verdict))
    return int(not faults or count[Verdict.FOUND] < ENOUGH * len(faults))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that tests are ended and copies removed then too
    sys.exit(main())
