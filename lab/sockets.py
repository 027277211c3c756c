"""Measures how soon the last of many sockets on one match learns of a bid, at what cost: `python -m lab.sockets`.

In the same run, as many sockets watch a bare broadcaster (`floors`) that writes as many bytes.
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from lab.client import Connection, Crowd, Endpoint, Table, percentile
from lab.floors import broadcaster
from lab.site import Process, Site, embedded_server, make_matches

Bid = Callable[[], Awaitable[int]]


def bidder(port: int, table: Table) -> Bid:
    """Return a function that places a bid and returns the version that shows it."""
    connection = Connection(port)

    async def bid() -> int:
        token, action = table.bid()
        status, answer = await connection.post(table.path, token, action)
        if status != 200:
            raise SystemExit(f"refused: {answer}")
        return int(answer["versions"]["public"])

    return bid


class Side:
    """One of the two programs that are compared, with its bids and the sockets that watch it."""

    def __init__(self, program: Process, bid: Bid) -> None:
        self.program, self.bid, self.crowd = program, bid, Crowd()
        self.last: list[float] = []

    async def open(self, path: str, options: argparse.Namespace) -> dict[str, Any]:
        """Open the sockets, and measure everything but latency."""
        alone = await cost_alone(self.program, self.bid)
        memory = self.program.resident_kib()
        await self.crowd.gather([Endpoint(self.program.port, path)] * options.sockets)
        memory = self.program.resident_kib() - memory
        return {
            **await delivery_cost(self.program, self.crowd, self.bid, options.bids, alone),
            "kib_per_socket": round(memory / options.sockets, 1),
            "alone_cpu_us_per_bid": round(alone * 1e6),
        }


async def compare(
    site: Site, made: dict[str, Any], options: argparse.Namespace
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure the site and the broadcaster. Each has bids of its own, since the next bidder depends on earlier bids."""
    ours = Side(site, bidder(site.port, site.table(made)))
    found = await ours.open(f"/ws/matches/{made['id']}/?format={options.format}", options)
    with broadcaster(found["bytes_per_delivery"]) as floor:
        bare = Side(floor, bidder(floor.port, site.table(made)))
        bare_found = await bare.open("/", options)
        for _ in range(options.bids):
            for side in (ours, bare):  # alternating, as the machine's speed varies
                await until_last(side)
        for side, about in ((ours, found), (bare, bare_found)):
            about["last_p50_ms"] = round(percentile(side.last, 0.5) * 1000, 1)
            side.crowd.leave()
    return found, bare_found


async def cost_alone(program: Process, bid: Bid) -> float:
    """Return the CPU seconds for a bid that nobody watches."""
    before = program.cpu_seconds()
    for _ in range(200):
        await bid()
    return (program.cpu_seconds() - before) / 200


async def until_last(side: Side) -> None:
    """Place a bid, and measure how long it takes until the last socket has it."""
    await asyncio.sleep(0.15)  # longer than pushes are merged for
    start = perf_counter()
    await side.crowd.until(await side.bid(), 5)
    side.last.append(perf_counter() - start)


async def delivery_cost(program: Process, crowd: Crowd, bid: Bid, bids: int, alone: float) -> dict[str, float]:
    """Measure the cost of one frame to one socket, with a bid every 110 ms, which is one push to everybody. Subtracts
    the cost of the bids themselves and of an idle server."""
    await asyncio.sleep(1)
    start, cpu, idle = perf_counter(), program.cpu_seconds(), 0.0
    await asyncio.sleep(3)
    idle = (program.cpu_seconds() - cpu) / (perf_counter() - start)
    frames, sent, cpu, start = crowd.frames, crowd.bytes, program.cpu_seconds(), perf_counter()
    for _ in range(bids):
        await bid()
        await asyncio.sleep(0.11)
    await asyncio.sleep(0.3)
    cpu = program.cpu_seconds() - cpu - alone * bids - idle * (perf_counter() - start)
    frames, sent = crowd.frames - frames, crowd.bytes - sent
    return {"cpu_us_per_delivery": round(cpu / frames * 1e6, 1), "bytes_per_delivery": round(sent / frames)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--format", choices=("json", "html"), default="json")
    parser.add_argument("--bids", type=int, default=60)
    options = parser.parse_args()
    with embedded_server() as site:
        match = make_matches(site.env, 1, 8)[0]
        found, bare = asyncio.run(compare(site, match, options))
    ratios = {
        f"{name}_of_floor": round(found[name] / bare[name], 2)
        for name in ("last_p50_ms", "cpu_us_per_delivery")
        if bare[name]
    }
    asked = {"sockets": options.sockets, "format": options.format}
    print(json.dumps({**asked, **found, **ratios, "floor": bare}))


if __name__ == "__main__":
    main()
