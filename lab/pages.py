"""How long a running match's page takes, and how many queries: `python -m lab.pages [GAME]`.

Measured in this process, from request to response through all middleware, without the cost of a client. Without GAME
the match is one with bids through the API; a match of GAME is played by its bots for some rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
from datetime import datetime, timedelta
from time import perf_counter, process_time
from typing import Any

from lab.client import Connection, Table, percentile
from lab.inside import enter
from lab.site import embedded_server

_FRESH = 15  # requests for which nothing is kept


async def play(port: int, table: Table, count: int) -> None:
    """Place that many bids in one match."""
    connection = Connection(port)
    for _ in range(count):
        token, action = table.bid()
        await connection.post(table.path, token, action)
    await connection.close()


def play_by_bots(match_id: int, deadlines: int) -> datetime:
    """Let the bots act, at the start and after each of that many deadlines. Returns the time when they are done."""
    from matches.models import Match, clock
    from matches.services import bots, outages
    from matches.services.deadlines import advance

    with outages.ignored(), clock.fixed(clock.now()) as present:
        for passed in range(deadlines + 1):
            match = Match.objects.get(pk=match_id)
            if passed and match.next_deadline_at:
                present.instant = max(present.instant, match.next_deadline_at)
                advance(match_id)
            match.players.update(bot_acts_at=None)
            for player in match.players.all():
                bots.move(player)
            present.forward(timedelta(seconds=1))
        return present.instant


def forget() -> None:
    """As in a process that has shown other matches, and never this one."""
    from matches.infra.kept import Kept

    for each in gc.get_objects():
        if issubclass(type(each), Kept):  # others may answer for what they stand for
            each.clear()


def look(path: str, user: Any, times: int) -> dict[str, Any]:
    """Median and 99th percentile of `times` requests, their median CPU time, that of requests for which nothing was
    kept, and the number of queries of one."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")
    if user is not None:
        client.force_login(user)

    def timed() -> tuple[float, float]:
        start, cpu = perf_counter(), process_time()
        response = client.get(path)
        if response.status_code != 200:
            raise SystemExit(f"{path} answers {response.status_code}")
        return perf_counter() - start, process_time() - cpu

    took, spent = (list(each) for each in zip(*(timed() for _ in range(times)), strict=True))
    fresh: list[float] = []
    for _ in range(_FRESH):
        forget()
        fresh.append(timed()[1])
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
    return {
        "p50_ms": round(percentile(took, 0.5) * 1000, 1),
        "p99_ms": round(percentile(took, 0.99) * 1000, 1),
        "cpu_ms": round(percentile(spent, 0.5) * 1000, 1),
        "fresh_cpu_ms": round(percentile(fresh, 0.5) * 1000, 1),
        "queries": len(queries),
        "kib": round(len(response.content) / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", help="the slug of a match type; else the one of an open auction")
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--deadlines", type=int, default=4, help="with GAME: how many deadlines its bots play through")
    parser.add_argument("--bids", type=int, default=100)
    parser.add_argument("--times", type=int, default=200)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site)
        from lab.games import auction_game
        from matches.models import Match, clock

        (made,) = site.make_matches(options.game or auction_game().slug, 1, options.players)
        match = Match.objects.get(public_id=made["id"])
        if options.game:
            moment = play_by_bots(match.pk, options.deadlines)
        else:
            asyncio.run(play(site.port, Table(made, site.get(f"/api/v1/matches/{made['id']}/")), options.bids))
            moment = clock.now()
        player = match.players.select_related("user")[0]
        with clock.fixed(moment):
            found: dict[str, Any] = {
                name: look(made["url"], user, options.times)
                for name, user in (("visitor", None), ("player", player.user))
            }
        print(json.dumps(found))


if __name__ == "__main__":
    main()
