"""Everybody bids on one seat of one match: `python -m benchmarks.rush`, and the same on boardgame.io in memory.

Each bidder has a socket, bids one more than the highest amount that anybody here knows of, and bids again as soon as
they are answered, however that is. The site answers each bid, with what became of it. The peer answers nothing: there a
bidder knows more when their board shows a bid that it did not show before, their own or another's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from benchmarks.client import Connection, Table, percentile
from benchmarks.crowd import Crowd, Endpoint
from benchmarks.crowd import run as play
from benchmarks.games import auction_game
from benchmarks.peer import peer, players_of
from benchmarks.site import Process, Site, running_site

MOST_PLAYERS = 26  # of the site's match: further bidders are second tabs of the same players

Bid = Callable[[int], Awaitable[str]]
"""Bids as bidder number so-and-so; what became of it."""


async def rush(program: Process, bid: Bid, options: argparse.Namespace) -> dict[str, Any]:
    """All bid for some seconds."""
    found, took = Counter[str](), list[float]()

    async def bidder(number: int, end: float) -> None:
        while (start := perf_counter()) < end:
            found[await bid(number)] += 1
            took.append(perf_counter() - start)

    async def all_bid(seconds: float) -> float:
        start = perf_counter()
        await asyncio.gather(*(bidder(number, start + seconds) for number in range(options.bidders)))
        return perf_counter() - start

    await all_bid(1)
    found.clear()
    took.clear()
    cpu = program.cpu_seconds()
    seconds = await all_bid(options.seconds)
    cpu = program.cpu_seconds() - cpu
    return {
        "answers_per_second": round(len(took) / seconds, 1),
        "answer_p50_ms": round(percentile(took, 0.5) * 1000, 1),
        "answer_p99_ms": round(percentile(took, 0.99) * 1000, 1),
        "server_cpu_us_per_answer": round(cpu / len(took) * 1e6),
        **found,
    }


async def ours(site: Site, made: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """On this site."""
    table = Table(made, site.get(f"/api/v1/matches/{made['id']}/"))
    tokens = [made["players"][number % len(made["players"])]["token"] for number in range(options.bidders)]
    crowd, connections = Crowd(), [Connection(site.port) for _ in tokens]
    await crowd.gather(Endpoint(site.port, f"/ws/matches/{table.id}/?format=json", token) for token in tokens)
    highest = 0

    async def bid(number: int) -> str:
        nonlocal highest
        action = {"type": "bid", "seat": table.seats[0], "amount": highest + 1}
        status, _ = await connections[number].post(table.path, tokens[number], action)
        if status == 200:
            highest = max(highest, int(str(action["amount"])))
        return f"status_{status}"

    result = await rush(site, bid, options)
    crowd.leave()
    await asyncio.gather(*(each.close() for each in connections))
    return result


async def theirs(program: Process, options: argparse.Namespace) -> dict[str, Any]:
    """On the peer. Each bid that it takes is one more than the last, so the board's number is the amount."""
    crowd = Crowd()
    players = await players_of(crowd, program.port, options.bidders)
    while not all(each.frames for each in players):
        await asyncio.sleep(0.01)

    async def bid(number: int) -> str:
        known = players[number].versions[-1]
        players[number].bid(0, max(each.versions[-1] for each in players) + 1)
        await players[number].until(known + 1)
        return "boards_seen"

    result = await rush(program, bid, options)
    crowd.leave()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bidders", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    options = parser.parse_args()
    limits = {"SOCKETS_PER_ADDRESS": "100000", "MOST_CONNECTIONS": "100000", "SERVER": options.server}
    with running_site(**limits) as site:
        (made,) = site.make_matches(auction_game().slug, 1, min(options.bidders, MOST_PLAYERS))
        found = {"server": options.server, "ours": play(ours(site, made, options))}
    with peer() as program:
        found["boardgame.io"] = play(theirs(program, options))
    ratio = found["ours"]["answers_per_second"] / found["boardgame.io"]["answers_per_second"]
    print(json.dumps({**found, "of_boardgame.io": round(ratio, 2)}))


if __name__ == "__main__":
    main()
