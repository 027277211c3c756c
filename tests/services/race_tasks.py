"""What processes do at the same moment in a match (see `racer`, which runs them); for seasons, see `season_tasks`."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.services import season_tasks
from tests.services.meeting import meet, meeting_after

Task = dict[str, Any]


def _outcome(task: Task) -> str:
    from matches.services.errors import Refused
    from matches.services.group.queue import submit

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


def _answer(match: Any, host: Any, task: Task) -> None:
    from matches.services import hosting
    from matches.services.hosting import announcements

    if announcements._open.__name__ != "met":
        announcements._open = meeting_after(announcements._open)
    hosting.answer(match, host, task["question"], f"{host.username} says yes.")


def _substitute(match: Any, host: Any, task: Task) -> None:
    """Each host has somebody else in mind for the same place."""
    from accounts.models import User
    from matches.services import hosting
    from matches.services.hosting import places

    place = match.players.get(handle=task["place"])
    newcomer = User.objects.get(username=f"new_{host.username}")
    places.need_newcomer = meeting_after(places.need_newcomer)
    hosting.substitute(match, host, place, newcomer)


def _rehearse(match: Any, host: Any, task: Task) -> None:
    from matches.models import clock
    from matches.services import rehearsals

    rehearsals._need_rest = meeting_after(rehearsals._need_rest)
    rehearsals.ask(match, host, clock.now())  # and is still being played when the other one asks


def _undo(match: Any, host: Any, task: Task) -> None:
    """Take the last command back; behind the check that nothing has followed, a player gets the time to act."""
    from matches.services import hosting
    from matches.services.hosting import undoing

    undoing._to_take_back = meeting_after(meeting_after(undoing._to_take_back))
    hosting.undo(match, host, task["row"])


def _act_between(task: Task) -> Counter[str]:
    """Act once, between the check of somebody else and what follows from it, if there is no lock."""
    meet()
    found = Counter([_outcome(task)])
    meet()
    return found


def _extend_until(match: Any, host: Any, task: Task) -> None:
    from datetime import datetime

    from matches.services import hosting
    from matches.services.hosting import clock

    clock._due = meeting_after(clock._due)
    hosting.extend(match, host, until=datetime.fromisoformat(task["until"]))


def _resume(match: Any, host: Any, task: Task) -> None:
    from matches.services import hosting, outages

    outages.is_due = meeting_after(outages.is_due)
    hosting.resume(match, host)


def _sweep_until_open(task: Task) -> Counter[str]:
    """Sweep until a paused match goes on."""
    from matches.models import Match
    from matches.services import deadlines, outages

    outages.is_due = meeting_after(outages.is_due)
    outcomes: Counter[str] = Counter()
    while Match.objects.filter(pk=task["match"], status="paused").exists():
        try:
            outcomes["swept"] += deadlines.sweep()
        except Exception as error:
            outcomes[type(error).__name__] += 1
    return outcomes


WORK: dict[str, Callable[[Task], Counter[str]]] = {
    "settle": _as_host(season_tasks.settle),
    "create_season": season_tasks.create_season,
    "give": season_tasks.give,
    "withdraw": season_tasks.withdraw,
    "open_in_season": _as_host(season_tasks.open_in_season),
    "rehearse": _as_host(_rehearse),
    "undo": _as_host(_undo),
    "act_between": _act_between,
    "extend_until": _as_host(_extend_until),
    "resume": _as_host(_resume),
    "sweep_until_open": _sweep_until_open,
    "answer": _as_host(_answer),
    "substitute": _as_host(_substitute),
    "act": _act,
    "until_over": _act_until_over,
    "sweep": _sweep,
    "start": _start,
    "come_and_go": _come_and_go,
    "begin": _begin,
}
