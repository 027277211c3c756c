"""Pushes that Redis loses before many sockets, and when all are whole again: `python -m benchmarks.lost`.

The full set-up (PostgreSQL, Redis). All sockets are at one web process; bids are placed at another one, whose line to
Redis passes a proxy that has so many of its messages delivered to nobody: Redis takes them, and answers that nobody
listens. In each round there are some bids, the last of which is lost too, so that nothing comes after it; then it is
measured how long it takes until every socket has what was answered last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.client import Table, percentile
from benchmarks.crowd import Crowd, Endpoint, run
from benchmarks.games import auction_game
from benchmarks.site import ROOT, Site, full_set_up, wait_for
from benchmarks.sockets import Bid, bidder
from faults.proxy import Proxy
from tests.fixtures.processes import free_port

_PUBLISH = re.compile(rb"(PUBLISH\r\n\$\d+\r\n)(.)")
_PATIENCE = 30.0


class LossyLine(Proxy):
    """Passes everything on, but a share of the messages goes to a channel on which nobody listens."""

    def __init__(self, port: int, target: int, seed: int) -> None:
        super().__init__(port, target)
        self.share, self.messages, self.lost = 0.0, 0, 0
        self._chance = random.Random(seed)

    def asked(self, data: bytes) -> bytes:
        return _PUBLISH.sub(self._led_astray, data)

    def _led_astray(self, found: re.Match[bytes]) -> bytes:
        self.messages += 1
        if self._chance.random() >= self.share:
            return found[0]
        self.lost += 1
        return found[1] + b"?"


async def rounds(site: Site, made: dict[str, Any], line: LossyLine, port: int, options: argparse.Namespace) -> Any:
    """How long it took in each round, from the last answer on, and how many sockets lacked it at first."""
    table = Table(made, site.get(f"/api/v1/matches/{made['id']}/"))
    crowd, took, behind = Crowd(), list[float](), list[int]()
    await crowd.gather([Endpoint(site.port, f"/ws/matches/{table.id}/?format={options.format}")] * options.sockets)
    bid: Bid = bidder(port, table)
    for _ in range(options.rounds):
        line.share = options.lost
        for _ in range(options.bids):
            await bid()
            await asyncio.sleep(0.1)
        line.share = 1.0
        version, answered = await bid(), perf_counter()
        behind.append(await crowd.until(version, 0.2))
        if await crowd.until(version, _PATIENCE):
            raise SystemExit(f"not whole after {_PATIENCE:g} s")
        took.append(perf_counter() - answered)
        await asyncio.sleep(random.random() * 5)  # rounds end at any moment between two looks
    crowd.leave()
    return took, behind


async def measure(site: Site, made: dict[str, Any], redis_port: int, options: argparse.Namespace) -> dict[str, Any]:
    line = LossyLine(free_port(), redis_port, options.seed)
    await line.start()
    port = free_port()
    env = {**site.env, "REDIS_URL": f"redis://127.0.0.1:{line.port}/0"}
    web = subprocess.Popen([sys.executable, "-m", "genius_site.web", "--port", str(port)], cwd=ROOT, env=env)
    try:
        await asyncio.to_thread(wait_for, port)
        took, behind = await rounds(site, made, line, port, options)
    finally:
        web.terminate()
        web.wait(20)
        await line.close()
    return {
        "messages": line.messages,
        "lost": line.lost,
        "behind_at_first": [min(behind), max(behind)],
        "whole_after_p50_s": round(percentile(took, 0.5), 2),
        "whole_after_most_s": round(max(took), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--format", choices=("json", "html"), default="json")
    parser.add_argument("--lost", type=float, default=0.3, help="share of the messages (default: 0.3)")
    parser.add_argument("--bids", type=int, default=20, help="in each round, besides the last")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with full_set_up(1, SOCKETS_PER_ADDRESS="100000", MOST_CONNECTIONS="100000") as site:
        (match,) = site.make_matches(auction_game().slug, 1, 8)
        redis_port = urlsplit(site.env["REDIS_URL"]).port or 6379
        found = run(measure(site, match, redis_port, options))
    asked = {"sockets": options.sockets, "format": options.format, "rounds": options.rounds}
    print(json.dumps({**asked, "share_lost": options.lost, **found}))


if __name__ == "__main__":
    main()
