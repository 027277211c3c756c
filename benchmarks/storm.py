"""The web process ends while many pages are open, and begins again: `python -m benchmarks.storm`.

It is killed (-9), or with `--orderly` ended as for an update. All sockets are lost at once, and each comes back as the
pages' script does: after half a second, then twice as long each time, each by a chance of its own. Somebody bids until
the end; what was answered must be on every page afterwards. The embedded server, on SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from benchmarks.client import Connection, Table, percentile
from benchmarks.crowd import Crowd, Endpoint, Listener, run
from benchmarks.games import auction_game
from benchmarks.site import ROOT, Process, Site, embedded_server

_FIRST_DELAY, _LONGEST_DELAY = 0.5, 30.0  # as static/js/live.js has it
_PATIENCE = 120.0


class Tab(Listener):
    """A socket that says when it is lost."""

    def __init__(self, crowd: Crowd, endpoint: Endpoint) -> None:
        super().__init__(crowd, endpoint)
        self.lost = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError("lost before it was open"))


class Page:
    """An open page: it has a socket, or tries to get one, from one of these and then from the next."""

    def __init__(self, crowd: Crowd, *endpoints: Endpoint) -> None:
        self._crowd, self._endpoints = crowd, itertools.cycle(endpoints)
        self.tab: Tab | None = None
        self.failed = 0

    async def stay(self) -> None:
        failures = 0
        while True:
            tab = Tab(self._crowd, next(self._endpoints))
            try:
                await self._crowd.open(tab)
                self.tab, failures = tab, 0
                await tab.lost.wait()
            except OSError:
                self.failed += 1
            self.tab, failures = None, failures + 1
            delay = min(_LONGEST_DELAY, _FIRST_DELAY * 2 ** (failures - 1))
            await asyncio.sleep(delay * (0.5 + random.random()))

    def shows(self, version: int) -> bool:
        """Whether it has that version, or a later one, over the socket that it has now."""
        return self.tab is not None and self.tab.has(version)


async def storm(site: Site, made: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """What happens to all pages."""
    table = Table(made, site.get(f"/api/v1/matches/{made['id']}/"))
    crowd, endpoint = Crowd(), Endpoint(site.port, f"/ws/matches/{table.id}/?format={options.format}")
    pages = [Page(crowd, endpoint) for _ in range(options.sockets)]
    tasks = []
    for start in range(0, len(pages), 50):
        tasks += [asyncio.create_task(page.stay()) for page in pages[start : start + 50]]
        await all_show(pages[: start + 50], 0)
    told = await _bid_until_the_end(site, table, options.orderly)
    end, failed = perf_counter(), sum(page.failed for page in pages)
    again = subprocess.Popen([sys.executable, "manage.py", "serve", "--port", str(site.port)], cwd=ROOT, env=site.env)
    try:
        process, looks = Process(site.port, again.pid), asyncio.create_task(_looks(site.port, table, made))
        await all_show(pages, told)
        back = sorted(page.tab.times[0] - end for page in pages if page.tab)
        version, answered = await _bid(Connection(site.port), table), perf_counter()
        await all_show(pages, version)
        whole, memory = perf_counter() - answered, process.resident_kib()
        looks.cancel()
        answers, first = await looks
        return {
            "answered_again_after_s": round(first - end, 1),
            **{f"back_{name}_s": round(percentile(back, part), 1) for name, part in (("first", 0), ("p50", 0.5))},
            "back_last_s": round(back[-1], 1),
            "most_back_in_a_second": max(Counter(int(each) for each in back).values()),
            "tries_failed": sum(page.failed for page in pages) - failed,
            "next_bid_on_all_after_s": round(whole, 2),
            "looks_meanwhile": dict(answers),
            "resident_mib": round(memory / 1024),
        }
    finally:
        for task in tasks:
            task.cancel()
        again.terminate()
        again.wait(20)


async def _bid_until_the_end(site: Site, table: Table, orderly: bool) -> int:
    """Bid over and over while the process is ended; the last version that was answered."""
    connection, told = Connection(site.port), 0
    for number in range(10_000):
        if number == 20:
            os.kill(site.pid, signal.SIGTERM if orderly else signal.SIGKILL)
        try:
            told = max(told, await _bid(connection, table))
        except (OSError, EOFError):
            break
    await asyncio.to_thread(os.waitid, os.P_PID, site.pid, os.WEXITED | os.WNOWAIT)
    return told


async def _bid(connection: Connection, table: Table) -> int:
    token, action = table.bid()
    status, answer = await connection.post(table.path, token, action)
    if status != 200:
        raise ConnectionError(f"refused: {answer}")
    return int(answer["versions"]["public"])


async def _looks(port: int, table: Table, made: dict[str, Any]) -> tuple[Counter[int], float]:
    """Ask for the board over and over, from the first answer on; what the answers were, and when the first came."""
    answers, first, token = Counter[int](), 0.0, made["players"][0]["token"]
    try:
        while True:
            connection = Connection(port)
            try:
                status, _ = await connection.get(f"/api/v1/matches/{table.id}/", token)
                first = first or perf_counter()
                answers[status] += 1
            except (OSError, EOFError):
                if first:
                    answers[0] += 1
            connection.abandon()
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        return answers, first


async def all_show(pages: Sequence[Page], version: int) -> None:
    """Wait until all have that version."""
    async with asyncio.timeout(_PATIENCE):
        while not all(page.shows(version) for page in pages):
            await asyncio.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--format", choices=("json", "html"), default="json")
    parser.add_argument("--orderly", action="store_true", help="end it as for an update, not by kill -9")
    options = parser.parse_args()
    with embedded_server(SOCKETS_PER_ADDRESS="100000", MOST_CONNECTIONS="100000") as site:
        (match,) = site.make_matches(auction_game().slug, 1, 8)
        found = run(storm(site, match, options))
    print(json.dumps({"sockets": options.sockets, "format": options.format, "orderly": options.orderly, **found}))


if __name__ == "__main__":
    main()
