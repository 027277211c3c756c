"""A small HTTP client on plain asyncio streams: the load generator must cost less than the server it loads."""

from __future__ import annotations

import asyncio
import json
from typing import Any


class Connection:
    """One kept-alive connection; one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, token: str, body: dict[str, Any], key: str = "") -> tuple[int, dict[str, Any]]:
        """Status and JSON answer of an action, sent with that Idempotency-Key if there is one."""
        return await self._ask("POST", path, token, json.dumps(body).encode(), key)

    async def get(self, path: str, token: str) -> tuple[int, dict[str, Any]]:
        """Status and JSON answer."""
        return await self._ask("GET", path, token, b"", "")

    async def _ask(self, method: str, path: str, token: str, data: bytes, key: str) -> tuple[int, dict[str, Any]]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        reader, writer = self._streams
        more = f"Idempotency-Key: {key}\r\n" if key else ""
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\n{more}Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = int(head[9:12]), 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        return status, json.loads(await reader.readexactly(length))

    def abandon(self) -> None:
        """Drop the connection, whatever is under way on it; the next request opens another one."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


class Table:
    """A match of the load test and bids that it accepts: the next amount, seat by seat, in turn."""

    def __init__(self, made: dict[str, Any], board: dict[str, Any]) -> None:
        self.path = f"/api/v1/matches/{made['id']}/actions/"
        self.id = made["id"]
        self.version = 0
        self._tokens = [player["token"] for player in made["players"]]
        self.seats = [seat["seat"] for row in board["public"]["board"] for seat in row]
        self._number = 0

    def bid(self) -> tuple[str, dict[str, Any]]:
        """The next bidder's token and action."""
        number, self._number = self._number, self._number + 1
        # In each round another player comes first, so that nobody bids on a seat where they stand.
        seat, lap = number % len(self.seats), number // len(self.seats)
        token = self._tokens[(seat + lap) % len(self._tokens)]
        return token, {"type": "bid", "seat": self.seats[seat], "amount": number + 1}


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of the values lies, such as 0.99."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
