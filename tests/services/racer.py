"""Several processes that do things at the same moment.

Their runner is a fork (tests/fixtures/forks.py), and forks again for each task before it has opened any connection or
thread, which a test's own process has. It prints what came of each as JSON.
`unlocked` takes away the lock of the match; `unguarded` also the transaction and the unique numbers
of the log behind it: controls, to show that the tests would notice.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from threading import BrokenBarrierError
from typing import Any

from tests.fixtures.forks import Fork
from tests.fixtures.processes import die_with_parent
from tests.services import season_tasks

Task = dict[str, Any]

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
    for module in ("matches.services.rehearsals", "matches.services.leniency", "seasons.services.running"):
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
    if task.get("unguarded"):
        _take_the_guards_away()
    global _gate
    work, _gate = _WORK[task["do"]], gate
    found: Counter[str] = Counter()
    died = ""
    try:
        gate.wait(60)
        found = work(task)
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


class _Unguarded:
    """Instead of transactions."""

    atomic = staticmethod(contextlib.nullcontext)
    on_commit = staticmethod(lambda function, robust: None)


def _take_the_guards_away() -> None:
    from matches.services import locking, writer
    from matches.services.storage import log

    def append_anywhere(match: Any, row: Any) -> Any:
        match.log_count = secrets.randbelow(2**31)
        return numbered(match, row)

    numbered = log.append
    log.append = append_anywhere
    locking.transaction = writer.transaction = _Unguarded  # type: ignore[assignment]


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


def _breathe() -> None:
    """SQLite's lock goes to whoever asks at the right moment: without pauses one process can have it for minutes."""
    time.sleep(0.005)


def _act_until_over(task: Task) -> Counter[str]:
    """The same action again and again until it is too late."""
    outcomes: Counter[str] = Counter()
    while outcomes["wrong_phase"] < 3:
        outcomes[_outcome(task)] += 1
        _breathe()
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
        _breathe()
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
            _breathe()
    return outcomes


def _begin(task: Task) -> Counter[str]:
    """Let a match's start come once its log has grown by `rows`, and sweep until it has begun."""
    from matches.models import Match, clock
    from matches.services.deadlines import sweep

    matches = Match.objects.filter(pk=task["match"])
    enough = matches.get().log_count + task["rows"]
    while not matches.filter(log_count__gte=enough).exists():
        _breathe()
    start = clock.now()
    matches.update(starts_at=start, next_deadline_at=start)
    while matches.filter(status="scheduled").exists():
        sweep()
        _breathe()
    return Counter()


def _as_host(command: Callable[[Any, Any, Task], Any]) -> Callable[[Task], Counter[str]]:
    """A host gives a command once, or once for each of the task's `questions`."""

    def work(task: Task) -> Counter[str]:
        from accounts.models import User
        from matches.models import Match
        from matches.services.errors import Refused

        match, host = Match.objects.get(pk=task["match"]), User.objects.get(pk=task["user"])
        outcomes: Counter[str] = Counter()
        for question in task.get("questions", [""]):
            try:
                command(match, host, {**task, "question": question})
                outcomes["done"] += 1
            except Refused as refused:
                outcomes[refused.code] += 1
            except Exception as error:
                outcomes[type(error).__name__] += 1
        return outcomes

    return work


_MEETING_SECONDS = 2.0
_gate: Any = None


def _meet() -> None:
    """Wait for the others to come to the same point, for a while: where there is a lock, they do not."""
    with contextlib.suppress(BrokenBarrierError):
        _gate.wait(_MEETING_SECONDS)


def _meeting_after(check: Callable[..., Any]) -> Callable[..., Any]:
    """The check, behind which everybody who has passed it meets before they go on."""

    def met(*args: Any) -> Any:
        found = check(*args)
        _meet()
        return found

    return met


def _answer(match: Any, host: Any, task: Task) -> None:
    from matches.services import hosting
    from matches.services.hosting import answers

    if answers._open.__name__ != "met":
        answers._open = _meeting_after(answers._open)
    hosting.answer(match, host, task["question"], f"{host.username} says yes.")


def _remind(match: Any, host: Any, task: Task) -> None:
    from matches.services import hosting
    from matches.services.hosting import reminders

    # The tiny game asks for nothing in its play: here it waits for everybody.
    reminders._missing = _meeting_after(lambda match, state, time: [(each, None) for each in match.players.all()])
    hosting.remind(match, host)


def _correct_note(match: Any, host: Any, task: Task) -> None:
    from matches.services import hosting
    from matches.services.hosting import notes

    notes._present = _meeting_after(notes._present)
    hosting.announce(match, host, "clarification", f"{host.username} knows better.", corrects=task["note"])


def _substitute(match: Any, host: Any, task: Task) -> None:
    """Each host has somebody else in mind for the same place."""
    from accounts.models import User
    from matches.services import hosting
    from matches.services.hosting import who_plays

    place = match.players.get(handle=task["place"])
    newcomer = User.objects.get(username=f"new_{host.username}")
    who_plays.need_newcomer = _meeting_after(who_plays.need_newcomer)
    hosting.substitute(match, host, place, newcomer)


def _rehearse(match: Any, host: Any, task: Task) -> None:
    from matches.models import clock
    from matches.services import rehearsals

    rehearsals._need_rest = _meeting_after(rehearsals._need_rest)
    rehearsals.ask(match, host, clock.now())  # and is still being played when the other one asks


def _undo(match: Any, host: Any, task: Task) -> None:
    """Take the last command back; behind the check that nothing has followed, a player gets the time to act."""
    from matches.services import hosting
    from matches.services.hosting import undoing

    undoing._to_take_back = _meeting_after(_meeting_after(undoing._to_take_back))
    hosting.undo(match, host, task["row"])


def _act_between(task: Task) -> Counter[str]:
    """Act once, between the check of somebody else and what follows from it, if there is no lock."""
    _meet()
    found = Counter([_outcome(task)])
    _meet()
    return found


def _extend_until(match: Any, host: Any, task: Task) -> None:
    from datetime import datetime

    from matches.services import hosting
    from matches.services.hosting import clock

    clock._due = _meeting_after(clock._due)
    hosting.extend(match, host, until=datetime.fromisoformat(task["until"]))


def _resume(match: Any, host: Any, task: Task) -> None:
    from matches.services import by_itself, hosting

    by_itself._ends_pause = _meeting_after(by_itself._ends_pause)
    hosting.resume(match, host)


def _sweep_until_open(task: Task) -> Counter[str]:
    """Sweep until a paused match goes on."""
    from matches.models import Match
    from matches.services import by_itself, deadlines

    by_itself._ends_pause = _meeting_after(by_itself._ends_pause)
    outcomes: Counter[str] = Counter()
    while Match.objects.filter(pk=task["match"], status="paused").exists():
        try:
            outcomes["swept"] += deadlines.sweep()
        except Exception as error:
            outcomes[type(error).__name__] += 1
    return outcomes


def _grace(match: Any, player: Any, task: Task) -> None:
    from matches.services import leniency

    leniency.graces_left = _meeting_after(leniency.graces_left)
    leniency.take_grace(match.pk, player.pk)


def _guess(task: Task) -> Counter[str]:
    """Try wrong passwords. `most`: the limit for one name; `uncounted`: everybody counts without a lock."""
    from accounts.models import Tries, User
    from accounts.sign_in import checks, tries

    checks.OF_A_NAME = task.get("most", checks.OF_A_NAME)
    if task.get("uncounted"):
        tries.transaction = _Unguarded  # type: ignore[assignment]
        tries._locked = _meeting_after(lambda keys: list(Tries.objects.filter(key__in=keys)))
    ann = User.objects.get(username="ann")
    outcomes: Counter[str] = Counter()
    for number in range(task["times"]):
        try:
            checks.is_password(None, ann, f"guess {number}", "ann")
            outcomes["looked at"] += 1
        except tries.TooMany:
            outcomes["refused"] += 1
    return outcomes


_WORK = {
    "settle": _as_host(partial(season_tasks.settle, _meeting_after)),
    "create_season": partial(season_tasks.create_season, _meeting_after, _Unguarded),
    "open_in_season": _as_host(partial(season_tasks.open_in_season, _meeting_after)),
    "grace": _as_host(_grace),
    "rehearse": _as_host(_rehearse),
    "undo": _as_host(_undo),
    "act_between": _act_between,
    "extend_until": _as_host(_extend_until),
    "resume": _as_host(_resume),
    "sweep_until_open": _sweep_until_open,
    "answer": _as_host(_answer),
    "remind": _as_host(_remind),
    "substitute": _as_host(_substitute),
    "correct_note": _as_host(_correct_note),
    "act": _act,
    "until_over": _act_until_over,
    "sweep": _sweep,
    "start": _start,
    "come_and_go": _come_and_go,
    "begin": _begin,
    "guess": _guess,
}
