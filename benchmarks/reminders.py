"""How long a run of the reminders takes with thousands of open matches: `python -m benchmarks.reminders`.

Copies of one match that has just opened its first round, each with players of its own who have confirmed addresses and
have sent nothing. `quiet`: nothing is due. `spread`: the matches began at all times of the day, so that a few are due
in each run. `at_once`: all began in the same second, and everybody in all of them is to be reminded; then a run takes
what it takes at most, and others follow. The database is a new SQLite file or the empty one that DATABASE_URL names;
statements that do not go through Django's cursors are counted as well.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from benchmarks.lists import empty_database


def scene(slug: str, count: int, players: int) -> list[Any]:
    """The matches; those of one half of them began at the same instant, the others within the day before it."""
    from allauth.account.models import EmailAddress
    from django.db import transaction

    from accounts.models import User
    from benchmarks.copies import copies_of
    from matches.demo.load import make_load
    from matches.games.registry import all_games
    from matches.models import Match, Player

    games = [all_games()[slug]] if slug else list(all_games().values())
    for game in games:
        made = make_load(game, 1, max(players, game.sizes.least), {})["matches"][0]
        match = Match.objects.get(public_id=made["id"])
        if _asks(match):
            break
    else:
        raise SystemExit("no match type here asks something of everybody when its play begins")
    with transaction.atomic():
        host = User.objects.create_user("host-of-all")
        copies = copies_of(match, count, host=host)
        entered = list(Player.objects.filter(match__in=[copy.pk for copy in copies]))
        people = [User(username=f"person-{number}", password="!") for number in range(len(entered))]
        User.objects.bulk_create(people)
        for player, person in zip(entered, people, strict=True):
            player.user = person
        Player.objects.bulk_update(entered, ["user"], batch_size=500)
        mails = (EmailAddress(user=each, email=f"{each.username}@example.org", verified=True) for each in people)
        EmailAddress.objects.bulk_create(mails, batch_size=500)
    return copies


def _asks(match: Any) -> bool:
    from matches.queries.matches import Position

    position = Position(match)
    return all(view.asked for player in match.players.all() if (view := position.private_of(player)) is not None)


@contextmanager
def counted() -> Iterator[list[str]]:
    """What is executed within the block, by Django's cursors and by those of `storage.many`."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from matches.services.storage import many

    found: list[str] = []

    def counting(name: str) -> Any:
        real = getattr(many, name)

        def call(model: Any, rows: Any, *args: Any, **how: Any) -> Any:
            if rows:
                found.append(f"{name} {model.__name__}")
            return real(model, rows, *args, **how)

        return patch.object(many, name, call)

    with ExitStack() as stack:
        queries = stack.enter_context(CaptureQueriesContext(connection))
        for name in ("insert", "insert_numbered", "upsert"):
            stack.enter_context(counting(name))
        yield found
        found += [query["sql"] for query in queries.captured_queries]


def one_run(at: Any) -> dict[str, Any]:
    """A run at an instant, as worker and beat make it."""
    from matches.models import clock
    from notices import tasks
    from notices.models import Delivery, Notice

    before = Notice.objects.count(), Delivery.objects.count()
    with clock.fixed(at), counted() as statements:
        begun, used = time.perf_counter(), time.thread_time()
        tasks.remind()
        took = {"s": round(time.perf_counter() - begun, 3), "cpu_s": round(time.thread_time() - used, 3)}
    after = Notice.objects.count(), Delivery.objects.count()
    return {**took, "queries": len(statements), "notices": after[0] - before[0], "deliveries": after[1] - before[1]}


def spread(copies: list[Any], over: timedelta) -> None:
    """Let the matches have begun at different times."""
    from matches.models import Match

    for number, copy in enumerate(copies):
        copy.start_clock(copy.anchor_at - over * number / len(copies), copy.anchor_time)
    Match.objects.bulk_update(copies, ["anchor_at"], batch_size=500)


def noted(copies: list[Any], at: Any) -> float:
    """Note the deadlines of all matches again, as after a change of each of them; milliseconds of CPU for one."""
    from matches.models import clock
    from notices.models import AskedDeadline, LogSeen
    from notices.reminders.watching import catch_up

    AskedDeadline.objects.all().delete()
    with clock.fixed(at):
        LogSeen.objects.get_or_create(pk=1, defaults={"row": 10**9})
        used = time.thread_time()
        catch_up()
    return round((time.thread_time() - used) * 1000 / len(copies), 2)


def measure(copies: list[Any]) -> dict[str, Any]:
    """All three."""
    from notices.models import Reminder

    now = copies[0].anchor_at + timedelta(seconds=1)
    found: dict[str, Any] = {"cpu_ms_to_note_one_match": noted(copies, now), "quiet": one_run(now)}
    for spacing, name in (("half", "hosts_at_once"), ("0.8", "at_once")):
        due = Reminder.objects.filter(spacing=spacing).order_by("-due_at").first()
        if due is None or due.due_at is None:
            raise SystemExit("these matches remind nobody")
        runs = []
        while Reminder.objects.filter(due_at__lte=due.due_at).exists():
            runs.append(one_run(due.due_at))
        slowest = max(runs, key=lambda run: run["s"])
        found[name] = {"slowest": slowest, "runs": len(runs), "notices": sum(run["notices"] for run in runs)}
    spread(copies, timedelta(hours=20))
    noted(copies, now)
    dues: Any = Reminder.objects.filter(spacing="0.8").order_by("due_at").values_list("due_at", flat=True)
    start = dues[len(dues) // 2]
    Reminder.objects.filter(due_at__lte=start).delete()
    found["spread_a_minute"] = max(
        (one_run(start + timedelta(minutes=k)) for k in range(1, 6)), key=lambda run: run["s"]
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--game", default="", help="a match type's slug (otherwise the first that asks everybody)")
    options = parser.parse_args()
    with empty_database():
        print(json.dumps(measure(scene(options.game, options.matches, options.players))))


if __name__ == "__main__":
    main()
