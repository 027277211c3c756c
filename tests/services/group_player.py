"""A process that acts by the group writer without end; it is there to be killed.

It prints the hash of each receipt as soon as it has the answer.
"""

import sys
import threading
from importlib import import_module
from typing import Any


def import_all() -> None:
    """What it needs, before anybody forks."""
    import_module("matches.services.group.queue")
    import_module("tests.services.conftest")


def main(work: dict[str, Any]) -> None:
    import pytest

    from tests.services.conftest import register_tiny_game

    register_tiny_game(pytest.MonkeyPatch())  # for all of this process's life
    threads = [threading.Thread(target=_act, args=(number, task)) for number, task in enumerate(work["tasks"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _act(number: int, task: dict[str, Any]) -> None:
    from matches.services.group import queue

    count = 0
    while True:
        count += 1
        key = f"{task['run']}-{number}-{count}"
        answer = queue.submit(task["match"], task["user"], {"type": "buy_chips", "count": 1}, key)
        if answer.receipt is None:
            return
        sys.stdout.write(f"{answer.receipt['hash']}\n")
        sys.stdout.flush()
