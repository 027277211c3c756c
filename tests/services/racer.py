"""Several processes that do things at the same moment: `python -m tests.services.racer`.

Reads one line of JSON (a database, and a task for each process), prints what came of each as JSON.
The runner forks before it has opened any connection or thread, which a test's own process has.
`unlocked` takes away the lock of the match; `unguarded` also the transaction and the unique numbers
of the log behind it: controls, to show that the tests would notice.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import secrets
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Task = dict[str, Any]


def race(tasks: list[Task]) -> list[Counter[str]]:
    """Run one process for each task, all let go at once; what each of them counted."""
    from django.db import connection

    work = {"database": str(connection.settings_dict["NAME"]), "tasks": tasks}
    done = subprocess.run(
        [sys.executable, "-m", "tests.services.racer"],
        input=json.dumps(work),
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Counter(counted) for counted in json.loads(done.stdout)]


def main() -> None:
    work = json.load(sys.stdin)
    _set_up(work["database"])
    from tests.services.conftest import register_tiny_game

    register_tiny_game()
    fork = multiprocessing.get_context("fork")
    gate, results = fork.Barrier(len(work["tasks"])), fork.SimpleQueue()
    runners = [fork.Process(target=_run, args=(*one, gate, results)) for one in enumerate(work["tasks"])]
    for runner in runners:
        runner.start()
    found = dict(results.get() for _ in runners)
    for runner in runners:
        runner.join()
    json.dump([found[number] for number in range(len(runners))], sys.stdout)


def _run(number: int, task: Task, gate: Any, results: Any) -> None:
    if task.get("unlocked"):
        _take_the_lock_away()
    if task.get("unguarded"):
        _take_the_guards_away()
    work = _WORK[task["do"]]
    found: Counter[str] = Counter()
    try:
        gate.wait(60)
        found = work(task)
    finally:
        results.put((number, found))


def _set_up(database: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()


def _take_the_lock_away() -> None:
    from django.db import connection

    from matches.models import Match
    from matches.services import locking
    from matches.services.group import batch

    batch._LOCK = ""
    locking.lock_row = lambda match_id, wait=True: Match.objects.get(pk=match_id)  # type: ignore[assignment]
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"


def _take_the_guards_away() -> None:
    from matches.services import locking, writer
    from matches.services.storage import log

    class Unguarded:
        atomic = staticmethod(contextlib.nullcontext)
        on_commit = staticmethod(lambda function, robust: None)

    def append_anywhere(match: Any, row: Any) -> Any:
        match.log_count = secrets.randbelow(2**31)
        return numbered(match, row)

    numbered = log.append
    log.append = append_anywhere
    locking.transaction = writer.transaction = Unguarded  # type: ignore[assignment]


def _outcome(task: Task) -> str:
    from matches.services.actions import submit_action
    from matches.services.errors import Refused
    from matches.services.group import queue

    submit = queue.submit if task.get("threads") else submit_action
    try:
        answer = submit(task["match"], task["user"], task["action"], task.get("key", ""))
    except Refused as refused:
        return refused.code
    return answer.code or "accepted"


def _act(task: Task) -> Counter[str]:
    """The same action `times` times, `among` several matches in turn if they are given; how often which outcome. With
    `threads`: by so many, through the group writer."""
    among = task.get("among", [{}])
    tasks = [{**task, **among[number % len(among)]} for number in range(task["times"])]
    if threads := task.get("threads"):
        with ThreadPoolExecutor(threads) as pool:
            return Counter(pool.map(_outcome, tasks))
    return Counter(map(_outcome, tasks))


def _act_until_over(task: Task) -> Counter[str]:
    """The same action again and again until it is too late."""
    outcomes: Counter[str] = Counter()
    while outcomes["wrong_phase"] < 3:
        outcomes[_outcome(task)] += 1
    return outcomes


def _start(task: Task) -> Counter[str]:
    """Let a match's clock begin to run a moment from now."""
    from datetime import timedelta

    from matches.models import Match, clock

    start = clock.now() + timedelta(seconds=task["seconds"])
    due = start + timedelta(seconds=task["closes"])
    Match.objects.filter(pk=task["match"]).update(anchor_at=start, next_deadline_at=due)
    return Counter()


def _sweep(task: Task) -> Counter[str]:
    """Sweep until nothing is due any more in any match that is listed."""
    from matches.models import Match
    from matches.services.deadlines import sweep

    outcomes: Counter[str] = Counter()
    while Match.objects.filter(pk__in=task["matches"]).exclude(status="finished").exists():
        outcomes["swept"] += sweep()
    return outcomes


def _come_and_go(task: Task) -> Counter[str]:
    """Join and leave again and again until the match has begun."""
    from accounts.models import User
    from matches.models import Match
    from matches.services import joining
    from matches.services.errors import Refused

    match, user = Match.objects.get(pk=task["match"]), User.objects.get(pk=task["user"])
    outcomes: Counter[str] = Counter()
    while Match.objects.filter(pk=match.pk, status="scheduled").exists():
        for act in (joining.join, joining.leave):
            try:
                act(match, user)
                outcomes[act.__name__] += 1
            except Refused as refused:
                outcomes[refused.code] += 1
            except Exception as error:
                outcomes[type(error).__name__] += 1
    return outcomes


def _begin(task: Task) -> Counter[str]:
    """Let a match's start come once its log has grown by `rows`, and sweep until it has begun."""
    from matches.models import Match, clock
    from matches.services.deadlines import sweep

    matches = Match.objects.filter(pk=task["match"])
    enough = matches.get().log_count + task["rows"]
    while not matches.filter(log_count__gte=enough).exists():
        pass
    start = clock.now()
    matches.update(starts_at=start, next_deadline_at=start)
    while matches.filter(status="scheduled").exists():
        sweep()
    return Counter()


_WORK = {
    "act": _act,
    "until_over": _act_until_over,
    "sweep": _sweep,
    "start": _start,
    "come_and_go": _come_and_go,
    "begin": _begin,
}


if __name__ == "__main__":
    main()
