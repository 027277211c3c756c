"""Many sockets on one match: how fast the last one gets a bid, at what cost: `python -m benchmarks.sockets`."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.client import Connection, Table, percentile
from benchmarks.games import auction_game
from benchmarks.site import Site, embedded_server


class Crowd:
    """Sockets that watch one match, and what they have received."""

    def __init__(self) -> None:
        self.sockets: list[ClientConnection] = []
        self.versions: dict[int, int] = {}
        self.deliveries = 0
        self.bytes = 0
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def gather(self, site: Site, match_id: str, size: int, form: str) -> None:
        url = f"ws://127.0.0.1:{site.port}/ws/matches/{match_id}/?format={form}"
        origin: Any = f"http://127.0.0.1:{site.port}"
        for start in range(0, size, 50):
            made = [
                connect(url, origin=origin, compression=None, max_size=None)
                for _ in range(start, min(size, start + 50))
            ]
            self.sockets += await asyncio.gather(*made)
        self._readers = [asyncio.create_task(self._read(number)) for number in range(size)]
        while len(self.versions) < size:
            await asyncio.sleep(0.01)

    async def _read(self, number: int) -> None:
        async for text in self.sockets[number]:
            self.deliveries += 1
            self.bytes += len(text)
            self.versions[number] = _version(text)
            for version in [version for version in self._waiting if self.all_have(version)]:
                self._waiting.pop(version).set_result(None)

    def all_have(self, version: int) -> bool:
        return all(seen >= version for seen in self.versions.values())

    async def until(self, version: int, seconds: float) -> bool:
        """Whether all receive that version within that many seconds."""
        if not self.all_have(version):
            future = self._waiting.setdefault(version, asyncio.get_running_loop().create_future())
            try:
                await asyncio.wait_for(future, seconds)
            except TimeoutError:
                self._waiting.pop(version, None)
                return False
        return True

    async def leave(self) -> None:
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets))


def _version(text: str | bytes) -> int:
    """Without decoding the whole frame, because the load generator shares the machine with the server."""
    start = text.index('"version":') + 10  # type: ignore[arg-type]
    return int(text[start : text.index(",", start)])  # type: ignore[arg-type]


async def bid(connection: Connection, table: Table) -> int:
    token, action = table.bid()
    status, answer = await connection.post(table.path, token, action)
    if status != 200:
        raise SystemExit(f"refused: {answer}")
    return int(answer["versions"]["public"])


async def run(site: Site, table: Table, size: int, form: str, bids: int, burst: int) -> dict[str, Any]:
    connection, crowd = Connection(site.port), Crowd()
    alone = await cost_alone(site, connection, table)
    memory = site.resident_kib()
    await crowd.gather(site, table.id, size, form)
    memory = site.resident_kib() - memory
    found = {
        "sockets": size,
        "format": form,
        **await latency(connection, crowd, table, bids),
        **await delivery_cost(site, connection, crowd, table, bids, alone),
        "kib_per_socket": round(memory / size, 1),
        **await after_burst(connection, crowd, table, burst),
        "alone_cpu_us_per_bid": round(alone * 1e6),
    }
    await crowd.leave()
    return found


async def cost_alone(site: Site, connection: Connection, table: Table) -> float:
    """The server's CPU seconds for a bid that nobody watches."""
    before = site.cpu_seconds()
    for _ in range(200):
        await bid(connection, table)
    return (site.cpu_seconds() - before) / 200


async def latency(connection: Connection, crowd: Crowd, table: Table, bids: int) -> dict[str, float]:
    """From sending a bid until it is answered, and until the last socket has it."""
    loop = asyncio.get_running_loop()
    last, answered = [], []
    for _ in range(bids):
        await asyncio.sleep(0.15)  # longer than the time within which pushes are merged
        start = loop.time()
        version = await bid(connection, table)
        answered.append(loop.time() - start)
        await crowd.until(version, 5)
        last.append(loop.time() - start)
    return {
        "last_p50_ms": round(percentile(last, 0.5) * 1000, 1),
        "last_p99_ms": round(percentile(last, 0.99) * 1000, 1),
        "answer_p50_ms": round(percentile(answered, 0.5) * 1000, 1),
    }


async def delivery_cost(
    site: Site, connection: Connection, crowd: Crowd, table: Table, bids: int, alone: float
) -> dict[str, float]:
    """The cost of one frame to one socket: each bid, every 110 ms, is one push to everybody. The cost of the bids
    themselves and of an idle server is subtracted."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(1)
    crowd.deliveries = crowd.bytes = 0
    cpu, start = site.cpu_seconds(), loop.time()
    for _ in range(bids):
        await bid(connection, table)
        await asyncio.sleep(0.11)
    await asyncio.sleep(0.3)
    idle = 0.02 * (loop.time() - start)
    cpu = site.cpu_seconds() - cpu - alone * bids - idle
    return {
        "cpu_us_per_delivery": round(cpu / crowd.deliveries * 1e6, 1),
        "bytes_per_delivery": round(crowd.bytes / crowd.deliveries),
    }


async def after_burst(connection: Connection, crowd: Crowd, table: Table, burst: int) -> dict[str, float]:
    """Bids as fast as they are answered. How many sockets still lack the last version 2 s later."""
    loop = asyncio.get_running_loop()
    crowd.deliveries = version = 0
    start = loop.time()
    for _ in range(burst):
        version = await bid(connection, table)
    took, start = loop.time() - start, loop.time()
    caught_up = await crowd.until(version, 2)
    return {
        "burst_bids": burst,
        "burst_seconds": round(took, 2),
        "burst_deliveries": crowd.deliveries,
        "left_behind": 0 if caught_up else sum(seen < version for seen in crowd.versions.values()),
        "caught_up_after_ms": round((loop.time() - start) * 1000, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--format", choices=("json", "html"), default="json")
    parser.add_argument("--bids", type=int, default=60)
    parser.add_argument("--burst", type=int, default=300)
    options = parser.parse_args()
    with embedded_server(SOCKETS_PER_ADDRESS="100000", MOST_CONNECTIONS="100000") as site:
        match = site.make_matches(auction_game().slug, 1, 8)[0]
        table = Table(match, site.get(f"/api/v1/matches/{match['id']}/"))
        print(json.dumps(asyncio.run(run(site, table, options.sockets, options.format, options.bids, options.burst))))


if __name__ == "__main__":
    main()
