"""Measures bids in many matches while people watch: `python -m lab.watched`.

Each match has a socket for each of its players, with their own view, and for some spectators. Bids come as fast as they
are answered (`--in-flight`), or at a fixed rate (`--rate`).
"""

import argparse
import asyncio
import json
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from lab.client import Connection, Crowd, Endpoint, Table, percentile
from lab.site import Site, embedded_server, make_matches

_GRACE = 3.0
"""Seconds in which boards may still catch up; those that do not count as left behind."""


class Placed(NamedTuple):
    """An accepted bid: its match, when it was sent and answered, and the version that shows it."""

    match: str
    sent: float
    answered: float
    version: int


class Load:
    """Bidders. Each match has at most one bid under way, so all are accepted."""

    def __init__(self, site: Site, tables: list[Table]) -> None:
        self._port = site.port
        self._free: asyncio.Queue[Table] = asyncio.Queue()
        for table in tables:
            self._free.put_nowait(table)
        self.placed: list[Placed] = []
        self.refused = 0

    async def as_fast_as_answered(self, in_flight: int, seconds: float) -> None:
        end = perf_counter() + seconds
        connections = [Connection(self._port) for _ in range(in_flight)]

        async def bidder(connection: Connection) -> None:
            while perf_counter() < end:
                await self._bid(connection)

        await asyncio.gather(*(bidder(connection) for connection in connections))
        await asyncio.gather(*(connection.close() for connection in connections))

    async def at_a_rate(self, rate: float, seconds: float) -> None:
        """Bid at equal intervals, whether or not the last bids are answered."""
        idle, tasks = list[Connection](), []

        async def one() -> None:
            connection = idle.pop() if idle else Connection(self._port)
            await self._bid(connection)
            idle.append(connection)

        start = perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0, start + number / rate - perf_counter()))
            tasks.append(asyncio.create_task(one()))
        await asyncio.gather(*tasks)
        await asyncio.gather(*(connection.close() for connection in idle))

    async def _bid(self, connection: Connection) -> None:
        table = await self._free.get()
        token, action = table.bid()
        sent = perf_counter()
        status, answer = await connection.post(table.path, token, action)
        if status == 200:
            self.placed.append(Placed(table.id, sent, perf_counter(), answer["versions"]["public"]))
        else:
            self.refused += 1
        self._free.put_nowait(table)


def endpoints(site: Site, made: list[dict[str, Any]], form: str, spectators: int) -> list[Endpoint]:
    """Return the sockets of all players and spectators."""
    found = []
    for match in made:
        path = f"/ws/matches/{match['id']}/?format={form}"
        tokens = [player["token"] for player in match["players"]] + [""] * spectators
        found += [Endpoint(site.port, path, token) for token in tokens]
    return found


async def run(site: Site, made: list[dict[str, Any]], options: argparse.Namespace) -> dict[str, Any]:
    tables = [site.table(match) for match in made]
    crowd = Crowd()
    if options.format != "none":
        await crowd.gather(endpoints(site, made, options.format, options.spectators))
    load = Load(site, tables)
    bid: Callable[[float], Any] = (
        (lambda seconds: load.at_a_rate(options.rate, seconds))
        if options.rate
        else (lambda seconds: load.as_fast_as_answered(options.in_flight, seconds))
    )
    await bid(2)
    load.placed.clear()
    await asyncio.sleep(0.5)
    frames, sent, cpu, start = crowd.frames, crowd.bytes, site.cpu_seconds(), perf_counter()
    await bid(options.seconds)
    took = perf_counter() - start
    await asyncio.sleep(0.5)
    cpu, frames, sent = site.cpu_seconds() - cpu, crowd.frames - frames, crowd.bytes - sent
    await asyncio.sleep(_GRACE)
    answers = [each.answered - each.sent for each in load.placed]
    found = {
        "sockets": len(crowd.listeners),
        "format": options.format,
        "accepted_per_second": round(len(load.placed) / took, 1),
        "refused": load.refused,
        "answer_p50_ms": round(percentile(answers, 0.5) * 1000, 1),
        "answer_p99_ms": round(percentile(answers, 0.99) * 1000, 1),
        "server_cpu_us_per_bid": round(cpu / len(load.placed) * 1e6),
        **board_lag(crowd, load.placed),
        "frames": frames,
        "bytes_per_frame": round(sent / frames) if frames else 0,
    }
    crowd.leave()
    return found


def board_lag(crowd: Crowd, placed: list[Placed]) -> dict[str, float]:
    """Measure from sending a bid until a board of its match shows it, for every board and bid."""
    if not crowd.listeners:
        return {}
    watching: dict[str, list[Any]] = {}
    for listener in crowd.listeners:
        watching.setdefault(listener.endpoint.path.split("/")[3], []).append(listener)
    lags, never = [], 0
    for bid in placed:
        for listener in watching[bid.match]:
            heard = listener.heard_at(bid.version)
            if heard is None:
                never += 1
            else:
                lags.append(heard - bid.sent)
    return {
        "lag_p50_ms": round(percentile(lags, 0.5) * 1000, 1),
        "lag_p95_ms": round(percentile(lags, 0.95) * 1000, 1),
        "lag_max_ms": round(max(lags) * 1000, 1),
        "left_behind": never,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--spectators", type=int, default=1)
    parser.add_argument("--format", choices=("json", "html", "none"), default="json")
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--rate", type=float, default=0, help="bids a second; 0: as fast as they are answered")
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    with embedded_server() as site:
        made = make_matches(site.env, options.matches, options.players)
        print(json.dumps(asyncio.run(run(site, made, options))))


if __name__ == "__main__":
    main()
