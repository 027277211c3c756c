"""Several processes that do things at the same moment: what they do is in `race_tasks`.

Their runner is a fork (tests/fixtures/forks.py), and forks again for each task before it has opened any connection or
thread, which a test's own process has. It prints what came of each as JSON.
`unlocked` takes away the lock of the match: a control, to show that the tests would notice.
"""

import json
import multiprocessing
import os
import sys
import traceback
from collections import Counter
from importlib import import_module
from typing import Any

from tests.fixtures.forks import Fork
from tests.fixtures.processes import die_with_parent
from tests.services import meeting, race_tasks
from tests.services.race_tasks import Task

SECONDS = 500
"""For a race on a machine that does much else: where SQLite is locked often, some processes hardly ever get a turn."""

_DIED = "A process of the race has died:"


def race(tasks: list[Task]) -> list[Counter[str]]:
    """Run one process for each task, all let go at once; what each of them counted."""
    with Fork("tests.services.racer", {"tasks": tasks}) as runner:
        found = runner.result(SECONDS)
        # The site's own log is there as well: without the lock it tells of faults, which are what such a race is for.
        assert found, runner.errors
        assert _DIED not in runner.errors, runner.errors
    return [Counter(counted) for counted in json.loads(found)]


def import_all() -> None:
    """What the tasks need, before anybody forks."""
    for module in ("matches.services.deadlines", "matches.services.group.queue", "matches.services.hosting"):
        import_module(module)
    for module in ("matches.services.rehearsals", "matches.services.absences", "seasons.services.running"):
        import_module(module)
    import_module("tests.services.conftest")


def main(work: dict[str, Any]) -> None:
    import pytest

    from tests.services.conftest import register_tiny_game

    register_tiny_game(pytest.MonkeyPatch())  # for all of this process's life
    fork = multiprocessing.get_context("fork")
    gate, results = fork.Barrier(len(work["tasks"])), fork.SimpleQueue()
    me = os.getpid()
    runners = [fork.Process(target=_run, args=(*one, gate, results, me)) for one in enumerate(work["tasks"])]
    for runner in runners:
        runner.start()
    found = dict(results.get() for _ in runners)
    for runner in runners:
        runner.join()
    for _, died in found.values():
        sys.stderr.write(f"{_DIED} {died}" if died else "")
    json.dump([found[number][0] for number in range(len(runners))], sys.stdout)


def _run(number: int, task: Task, gate: Any, results: Any, parent: int) -> None:
    # Many tasks go on until something happens in a match: nobody would end them when the test is cut off.
    die_with_parent(parent)
    if task.get("unlocked"):
        _take_the_lock_away()
    meeting.meet_at(gate, is_control=bool(task.get("unlocked") or task.get("season_unlocked")))
    found: Counter[str] = Counter()
    died = ""
    try:
        gate.wait(60)
        found = race_tasks.WORK[task["do"]](task)
    except Exception:
        died = "" if task.get("unlocked") else traceback.format_exc()  # without the lock anything may happen
    finally:
        results.put((number, (found, died)))


def _take_the_lock_away() -> None:
    from django.db import connection

    from matches.models import Match, clock
    from matches.services import locking, rehearsals
    from matches.services.group import batch

    batch._LOCK = ""
    locking.lock_row_now = lambda match_id, wait=True: (  # type: ignore[assignment]
        Match.objects.get(pk=match_id),
        clock.now(),
    )
    rehearsals.lock_row_now = locking.lock_row_now  # type: ignore[attr-defined]
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
