"""Measures how long a running match's page takes, and how many queries: `python -m lab.pages`.

It measures in this process, from request to response through all middleware, without a client's cost.
"""

import argparse
import asyncio
import json
from time import perf_counter, process_time
from typing import Any

from lab.client import Connection, Table, percentile
from lab.site import embedded_server, enter, make_matches


async def play(port: int, table: Table, count: int) -> None:
    """Place that many bids in one match."""
    connection = Connection(port)
    for _ in range(count):
        token, action = table.bid()
        await connection.post(table.path, token, action)
    await connection.close()


def look(path: str, user: Any, times: int) -> dict[str, Any]:
    """Return the median and 99th percentile of `times` requests, their median CPU time, and the queries of one."""
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
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
    return {
        "p50_ms": round(percentile(took, 0.5) * 1000, 1),
        "p99_ms": round(percentile(took, 0.99) * 1000, 1),
        "cpu_ms": round(percentile(spent, 0.5) * 1000, 1),
        "queries": len(queries),
        "kib": round(len(response.content) / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--bids", type=int, default=100)
    parser.add_argument("--times", type=int, default=200)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site.env)
        from matches.models import Match

        (made,) = make_matches(site.env, 1, options.players)
        asyncio.run(play(site.port, site.table(made), options.bids))
        player = Match.objects.get(public_id=made["id"]).players.select_related("user")[0]
        viewers = {"visitor": None, "player": player.user}
        print(json.dumps({name: look(made["url"], user, options.times) for name, user in viewers.items()}))


if __name__ == "__main__":
    main()
