"""Many sockets on one match: how soon the last hears of a bid, at what cost: `python -m lab.sockets`.

The same sockets watch a bare broadcaster (`floors`) in the same run, which writes as many bytes to as many sockets.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from lab.client import Connection, Table, percentile
from lab.crowd import Crowd, Endpoint, run
from lab.floors import broadcaster
from lab.games import auction_game
from lab.site import Process, Site, embedded_server

Bid = Callable[[], Awaitable[int]]


def bidder(port: int, table: Table) -> Bid:
    """Places a bid; the version that shows it."""
    connection = Connection(port)

    async def bid() -> int:
        token, action = table.bid()
        status, answer = await connection.post(table.path, token, action)
        if status != 200:
            raise SystemExit(f"refused: {answer}")
        return int(answer["versions"]["public"])

    return bid


@dataclass
class Side:
    """One of the two that are compared: a program, its bids, and the sockets that watch it."""

    program: Process
    bid: Bid
    crowd: Crowd
    found: dict[str, Any]

    @classmethod
    async def opened(cls, program: Process, path: str, bid: Bid, options: argparse.Namespace) -> Side:
        """Everything but the latency, with the sockets left open."""
        alone = await cost_alone(program, bid)
        memory, crowd = program.resident_kib(), Crowd()
        await crowd.gather([Endpoint(program.port, path)] * options.sockets)
        memory = program.resident_kib() - memory
        found = {
            **await delivery_cost(program, crowd, bid, options.bids, alone),
            "kib_per_socket": round(memory / options.sockets, 1),
            **await after_burst(crowd, bid, options.burst),
            "alone_cpu_us_per_bid": round(alone * 1e6),
        }
        return cls(program, bid, crowd, found)


async def compare(
    site: Site, made: dict[str, Any], options: argparse.Namespace
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was found of the site and of the broadcaster. Each has bids of its own: whose turn it is to bid on a seat
    depends on the bids that were placed there."""
    path, board = f"/ws/matches/{made['id']}/?format={options.format}", site.get(f"/api/v1/matches/{made['id']}/")
    ours = await Side.opened(site, path, bidder(site.port, Table(made, board)), options)
    with broadcaster(ours.found["bytes_per_delivery"]) as floor:
        bare = await Side.opened(floor, "/", bidder(floor.port, Table(made, board)), options)
        await latency((ours, bare), options.bids)
        for side in (ours, bare):
            side.crowd.leave()
    return ours.found, bare.found


async def cost_alone(program: Process, bid: Bid) -> float:
    """The CPU seconds for a bid that nobody watches."""
    before = program.cpu_seconds()
    for _ in range(200):
        await bid()
    return (program.cpu_seconds() - before) / 200


async def latency(sides: Sequence[Side], bids: int) -> None:
    """From sending a bid until it is answered, and until the last socket has it; in turn, since the generator's own
    reading is most of it, and a machine is not equally quick all the time."""
    last: list[list[float]] = [[] for _ in sides]
    answered: list[list[float]] = [[] for _ in sides]
    for _ in range(bids):
        for number, side in enumerate(sides):
            await asyncio.sleep(0.15)  # longer than pushes are merged for
            start = perf_counter()
            version = await side.bid()
            answered[number].append(perf_counter() - start)
            await side.crowd.until(version, 5)
            last[number].append(perf_counter() - start)
    for number, side in enumerate(sides):
        side.found |= {
            "last_p50_ms": round(percentile(last[number], 0.5) * 1000, 1),
            "last_p99_ms": round(percentile(last[number], 0.99) * 1000, 1),
            "answer_p50_ms": round(percentile(answered[number], 0.5) * 1000, 1),
        }


async def delivery_cost(program: Process, crowd: Crowd, bid: Bid, bids: int, alone: float) -> dict[str, float]:
    """The cost of one frame to one socket: a bid every 110 ms is one push to everybody; what the bids cost by
    themselves, and an idle server, goes off."""
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


async def after_burst(crowd: Crowd, bid: Bid, burst: int) -> dict[str, float]:
    """Bids as fast as they are answered: who still lacks the last version 2 s later."""
    frames, version, start = crowd.frames, 0, perf_counter()
    for _ in range(burst):
        version = await bid()
    took, start = perf_counter() - start, perf_counter()
    behind = await crowd.until(version, 2)
    return {
        "burst_bids": burst,
        "burst_seconds": round(took, 2),
        "burst_deliveries": crowd.frames - frames,
        "left_behind": behind,
        "caught_up_after_ms": round((perf_counter() - start) * 1000, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--format", choices=("json", "html"), default="json")
    parser.add_argument("--bids", type=int, default=60)
    parser.add_argument("--burst", type=int, default=300)
    options = parser.parse_args()
    with embedded_server(SOCKETS_PER_ADDRESS="100000") as site:
        match = site.make_matches(auction_game().slug, 1, 8)[0]
        found, bare = run(compare(site, match, options))
    ratios = {
        f"{name}_of_floor": round(found[name] / bare[name], 2)
        for name in ("last_p50_ms", "cpu_us_per_delivery")
        if bare[name]
    }
    asked = {"sockets": options.sockets, "format": options.format}
    print(json.dumps({**asked, **found, **ratios, "floor": bare}))


if __name__ == "__main__":
    main()
