"""Accepted bids a second through HTTP, everything stored: `python -m benchmarks.bids`."""

from __future__ import annotations

import argparse
import asyncio
import json
import time

from benchmarks.client import Connection, Table, percentile
from benchmarks.games import auction_game
from benchmarks.site import embedded_server


async def load(port: int, tables: list[Table], in_flight: int, seconds: float) -> tuple[list[float], int]:
    """Latencies of accepted bids, and how many were refused."""
    free: asyncio.Queue[Table] = asyncio.Queue()
    for table in tables:
        free.put_nowait(table)
    end = time.perf_counter() + seconds
    latencies: list[float] = []
    refused = 0

    async def bidder() -> None:
        nonlocal refused
        connection = Connection(port)
        while (start := time.perf_counter()) < end:
            table = free.get_nowait()  # one bid at a time at each table, so that all are accepted
            token, action = table.bid()
            start = time.perf_counter()
            status, _ = await connection.post(table.path, token, action)
            free.put_nowait(table)
            if status == 200:
                latencies.append(time.perf_counter() - start)
            else:
                refused += 1
        await connection.close()

    await asyncio.gather(*(bidder() for _ in range(in_flight)))
    return latencies, refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    with embedded_server() as site:
        made = site.make_matches(auction_game().slug, options.matches, options.players)
        tables = [Table(match, site.get(f"/api/v1/matches/{match['id']}/")) for match in made]
        asyncio.run(load(site.port, tables, options.in_flight, 2))
        cpu, start = site.cpu_seconds(), time.perf_counter()
        latencies, refused = asyncio.run(load(site.port, tables, options.in_flight, options.seconds))
        took, cpu = time.perf_counter() - start, site.cpu_seconds() - cpu
        result = {
            "accepted_per_second": round(len(latencies) / took, 1),
            "refused": refused,
            "p50_ms": round(percentile(latencies, 0.5) * 1000, 1),
            "p99_ms": round(percentile(latencies, 0.99) * 1000, 1),
            "max_ms": round(max(latencies) * 1000, 1),
            "server_cpu_us_per_bid": round(cpu / len(latencies) * 1e6),
            "resident_mib": round(site.resident_kib() / 1024),
        }
        print(json.dumps(result))


if __name__ == "__main__":
    main()
