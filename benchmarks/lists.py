"""Whether lists, records and bids cost more when there is more data: `python -m benchmarks.lists`.

One person plays in a few matches or in thousands, a match has few rows of history or thousands, and the database holds
few matches or thousands. Measured in this process, through all middleware: its CPU time (the median), SQL statements
and bytes, without a PostgreSQL server's own time. The database is a new one.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from time import perf_counter, process_time
from typing import Any

PLAYERS = 8
_FULL_PAGES = 1000  # enough bids to fill a page of every record


@contextmanager
def empty_database(kind: str = "sqlite") -> Iterator[None]:
    """Django in this process, on a database of its own; PostgreSQL flushes to disk, as SQLite does."""
    from tests.fixtures.postgres import postgres

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="genius-benchmark-"))
        if kind == "postgresql":
            os.environ["DATABASE_URL"] = stack.enter_context(postgres(fsync="on", full_page_writes="on"))
        os.environ |= {"DATA_DIR": folder, "LOCAL": "1", "ACTION_RATE": "0", "LOG_LEVEL": "ERROR"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "genius_site.settings"
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        from matches.infra.db_threads import close_all

        call_command("migrate", verbosity=0)
        yield
        close_all()
        connections.close_all()


class Scene:
    """A person who plays and hosts in more and more matches: copies of a running and of a finished one."""

    def __init__(self) -> None:
        from benchmarks.games import auction_game
        from matches.models import Match, clock
        from matches.services.deadlines import advance

        self.game = auction_game()
        self.finished, self.running, self.played = (self._match() for _ in range(3))
        with clock.fixed(clock.now()) as present:
            while (due := Match.objects.get(pk=self.finished.pk).next_deadline_at) is not None:
                present.instant = due
                advance(self.finished.pk)
        self.finished.refresh_from_db()

    def _match(self) -> Any:
        from matches.demo.load import make_load
        from matches.models import Match

        made = make_load(self.game, 1, PLAYERS, {})["matches"][0]
        return Match.objects.get(public_id=made["id"])

    def person(self) -> Any:
        """A person without matches."""
        from django.contrib.auth.models import Group

        from accounts.models import User
        from matches.services.hosts_group import HOSTS

        person = User.objects.create_user(f"person-{User.objects.count()}", is_staff=True)
        person.groups.add(Group.objects.get(name=HOSTS))
        return person


def look(path: str, user: Any, times: int) -> dict[str, Any]:
    """The median time of `times` requests for a page, and the statements and bytes of one."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")
    client.force_login(user)

    def get() -> int:
        response = client.get(path)
        if response.status_code != 200:
            raise SystemExit(f"{path} answers {response.status_code}")
        return len(response.content)

    get()
    with CaptureQueriesContext(connection) as queries:
        size = get()
    count = len(queries)
    return {"cpu_ms": cost(get, times), "queries": count, "kib": round(size / 1024, 1)}


def cost(act: Callable[[], Any], times: int) -> float:
    """The median CPU time of `act`, in milliseconds."""
    took = []
    for _ in range(times):
        start = process_time()
        act()
        took.append(process_time() - start)
    return round(median(took) * 1000, 2)


def bids_cost(bidding: Bidding, times: int) -> dict[str, float]:
    """CPU time of this process, and the time until the answer, which a database server shares; medians."""
    cpu, took = [], []
    for _ in range(times):
        start, waited = process_time(), perf_counter()
        bidding.bid()
        cpu.append(process_time() - start)
        took.append(perf_counter() - waited)
    return {"cpu_ms": round(median(cpu) * 1000, 2), "ms": round(median(took) * 1000, 2)}


def growth(few: dict[str, Any], many: dict[str, Any]) -> dict[str, Any]:
    """Both, and the ratio of the second to the first."""
    return {
        "few": few,
        "many": many,
        "cpu_ratio": round(many["cpu_ms"] / few["cpu_ms"], 2),
        "bytes_ratio": round(many["kib"] / few["kib"], 2),
    }


FULL_LIST = 24
LISTS = ("/", "/me/", "/matches/", "/api/v1/matches/?limit=20")
HOSTS_LISTS = ("/me/", "/admin/matches/match/")


def lists(scene: Scene, few: int, many: int, times: int) -> dict[str, Any]:
    """The lists of people with few and with many matches, all of which run, or `few` of which run while all others are
    finished; and of people who host as many."""
    from benchmarks.copies import copies_of

    found: dict[str, Any] = {}

    def looks(paths: tuple[str, ...], person: Any) -> list[Any]:
        return [look(path, person, times) for path in paths]

    def measure(role: str, paths: tuple[str, ...]) -> None:
        first, other = scene.person(), scene.person()
        copies_of(scene.running, few, **{role: first})
        before = looks(paths, first)
        copies_of(scene.finished, many - few, **{role: first})
        mixed = looks(paths, first)
        copies_of(scene.running, many, **{role: other})
        for path, *each in zip(paths, before, mixed, looks(paths, other), strict=True):
            found[f"{path} of a {role}, {few} running"] = growth(each[0], each[1])
            found[f"{path} of a {role}, all running"] = growth(each[0], each[2])

    for match in (scene.running, scene.finished):  # of others: public lists are full before anything is measured
        copies_of(match, FULL_LIST)
    measure("player", LISTS)
    measure("host", HOSTS_LISTS)
    return found


class Bidding:
    """Bids that the match takes, one after another."""

    def __init__(self, match: Any) -> None:
        self.match, self.number = match, 0
        self.users = [player.user_id for player in match.players.order_by("position")]
        state = match.rules.public_view(match.rules.decode_state(match.state))
        self.seats = [seat.seat for row in state.board for seat in row]

    def bid(self) -> None:
        from matches.services.group.queue import submit

        number, self.number = self.number, self.number + 1
        seat, lap = number % len(self.seats), number // len(self.seats)
        user = self.users[(seat + lap) % len(self.users)]
        action = {"type": "bid", "seat": self.seats[seat], "amount": number + 1}
        answer = submit(self.match.pk, user, action)
        if not answer.accepted:
            raise SystemExit(answer.message)


def records(bidding: Bidding, times: int) -> dict[str, Any]:
    """The pages of a match's records, for one of its players."""
    from accounts.models import User

    url, player = bidding.match.get_absolute_url(), User.objects.get(pk=bidding.users[0])
    api = f"/api/v1{url}"
    paths = (url, f"{url}history/", f"{url}news/", f"{url}log/", f"{api}history/", f"{api}feed/")
    return {path.replace(bidding.match.public_id, "<id>"): look(path, player, times) for path in paths}


def over(match: Any, user: Any, times: int) -> dict[str, Any]:
    """The pages of a match that is over."""
    url = match.get_absolute_url()
    paths = (f"{url}result/", f"{url}log/", f"{url}log.json")
    return {path.replace(match.public_id, "<id>"): look(path, user, times) for path in paths}


def end(match: Any) -> None:
    """Cancel the match: its log is open from then on."""
    from matches.services.hosting import cancel

    cancel(match, match.hosts.get(), "the benchmark is over")
    match.refresh_from_db()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=20)
    parser.add_argument("--many", type=int, default=2000)
    parser.add_argument("--matches", type=int, default=10_000, help="in the database, for the last bids")
    parser.add_argument("--history", type=int, default=10_000, help="rows in the log of one match")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--bids", type=int, default=300)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--only-bids", action="store_true", help="neither lists nor records")
    options = parser.parse_args()
    with empty_database(options.database):
        from accounts.models import User
        from benchmarks.copies import copies_of
        from matches.models import Match

        scene = Scene()
        bidding = Bidding(scene.played)
        for _ in range(len(bidding.seats) * 2):
            bidding.bid()
        bids: dict[str, Any] = {"fresh": bids_cost(bidding, options.bids)}
        while bidding.number < _FULL_PAGES:
            bidding.bid()
        result: dict[str, Any] = {}
        if not options.only_bids:
            fresh = records(bidding, options.times)
        while bidding.number < options.history:
            bidding.bid()
        bids["long_history"] = bids_cost(bidding, options.bids)
        if not options.only_bids:
            long = records(bidding, options.times)
            end(scene.played)
            user = User.objects.get(pk=bidding.users[0])
            result = {
                "lists": lists(scene, options.few, options.many, options.times),
                "records": {path: growth(fresh[path], long[path]) for path in fresh},
                "over": over(Match.objects.get(pk=scene.played.pk), user, options.times),
            }
        copies_of(scene.running, options.matches - Match.objects.count())
        other = Bidding(scene.running)
        for _ in range(len(other.seats) * 2):
            other.bid()
        bids["many_matches"] = bids_cost(other, options.bids)
        for name in ("long_history", "many_matches"):
            bids[name] |= {f"{key}_ratio": round(bids[name][key] / bids["fresh"][key], 2) for key in ("cpu_ms", "ms")}
        print(json.dumps({"bids": bids, **result}, indent=1))


if __name__ == "__main__":
    main()
