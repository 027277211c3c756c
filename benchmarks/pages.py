"""How long a running match's page takes, and how many queries: `python -m benchmarks.pages`.

Measured in this process, from request to response through all middlewares, so that it is the page and not the client.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from time import perf_counter
from typing import Any

from benchmarks.client import Connection, Table, percentile
from benchmarks.inside import enter
from benchmarks.site import embedded_server


async def play(port: int, table: Table, count: int) -> None:
    """So many bids in one match."""
    connection = Connection(port)
    for _ in range(count):
        token, action = table.bid()
        await connection.post(table.path, token, action)
    await connection.close()


def look(path: str, user: Any, times: int) -> dict[str, Any]:
    """Median and 99th percentile of that many looks, and the queries of one."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")
    if user is not None:
        client.force_login(user)
    took = []
    for _ in range(times):
        start = perf_counter()
        response = client.get(path)
        took.append(perf_counter() - start)
        if response.status_code != 200:
            raise SystemExit(f"{path} answers {response.status_code}")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(path)
    return {
        "p50_ms": round(percentile(took, 0.5) * 1000, 1),
        "p99_ms": round(percentile(took, 0.99) * 1000, 1),
        "queries": len(queries),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bids", type=int, default=100)
    parser.add_argument("--times", type=int, default=200)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site)
        from benchmarks.games import auction_game
        from matches.models import Match

        (made,) = site.make_matches(auction_game().slug, 1, 8)
        asyncio.run(play(site.port, Table(made, site.get(f"/api/v1/matches/{made['id']}/")), options.bids))
        player = Match.objects.get(public_id=made["id"]).players.select_related("user")[0]
        found = {
            name: look(made["url"], user, options.times) for name, user in (("visitor", None), ("player", player.user))
        }
        print(json.dumps(found))


if __name__ == "__main__":
    main()
