"""The load of `lab.watched` on a peer, boardgame.io in memory: `python -m lab.peer`.

Needs node and npm; the peer is installed into a temporary folder. It stores nothing, and its auction has no rules but
that a bid is higher, so it does much less for each bid.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from lab.client import percentile
from lab.crowd import Crowd, Endpoint, Listener
from lab.crowd import run as play
from lab.site import Process

_HERE = Path(__file__).parent / "boardgame_io"
_PATH = "/socket.io/?EIO=4&transport=websocket"
_STATE = re.compile(rb'"_stateID":(\d+)')


class Player(Listener):
    """A socket.io client of the namespace `auction`, who plays in a match or (without credentials) watches it."""

    def __init__(self, crowd: Crowd, endpoint: Endpoint, match: str, number: int | None, credentials: str) -> None:
        super().__init__(crowd, endpoint)
        self.match, self.number, self.credentials = match, number, credentials

    def _read(self, opcode: int, payload: bytes) -> None:
        if payload.startswith(b"0"):
            self._say("40/auction,")
        elif payload == b"2":
            self._say("3")
        elif payload.startswith(b"40"):
            number = None if self.number is None else str(self.number)
            self._emit("sync", self.match, number, self.credentials or None, 8)
        elif (found := _STATE.search(payload)) is not None:
            self.note(int(found[1]), len(payload))

    def bid(self, seat: int, amount: int) -> None:
        move = {"type": "bid", "args": [seat, amount], "playerID": str(self.number), "credentials": self.credentials}
        self._emit("update", {"type": "MAKE_MOVE", "payload": move}, self.versions[-1], self.match, str(self.number))

    def _emit(self, *arguments: Any) -> None:
        self._say("42/auction," + json.dumps(arguments))

    def _say(self, text: str) -> None:
        data = text.encode()
        head = bytes((0x81, 0x80 | len(data))) if len(data) < 126 else b"\x81\xfe" + len(data).to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + data)


class Match:
    """A match with its sockets, and bids that it accepts: always the next amount, seat after seat."""

    def __init__(self, players: list[Player]) -> None:
        self._players = players
        self._number = 0

    async def bid(self) -> None:
        """Bid, and wait until the bidder's own board shows it: the peer gives no other answer."""
        number, self._number = self._number, self._number + 1
        player = self._players[number % len(self._players)]
        known = player.versions[-1]
        player.bid(number % 8, number + 1)
        await player.until(known + 1)


async def run(port: int, pid: int, options: argparse.Namespace) -> dict[str, Any]:
    crowd, matches = Crowd(), []
    for _ in range(options.matches):
        players = await players_of(crowd, port, options.players)
        for _ in range(options.spectators):
            await _join(crowd, Endpoint(port, _PATH), players[0].match, None, "")
        matches.append(Match(players))
    while not all(each.frames for each in crowd.listeners):
        await asyncio.sleep(0.01)
    free: asyncio.Queue[Match] = asyncio.Queue()
    for match in matches:
        free.put_nowait(match)
    answers: list[float] = []
    end = perf_counter() + options.seconds

    async def bidder() -> None:
        while (start := perf_counter()) < end:
            match = free.get_nowait()
            await match.bid()
            answers.append(perf_counter() - start)
            free.put_nowait(match)

    program = Process(port, pid)
    cpu, start = program.cpu_seconds(), perf_counter()
    await asyncio.gather(*(bidder() for _ in range(options.in_flight)))
    took, cpu = perf_counter() - start, program.cpu_seconds() - cpu
    return {
        "sockets": len(crowd.listeners),
        "accepted_per_second": round(len(answers) / took, 1),
        "answer_p50_ms": round(percentile(answers, 0.5) * 1000, 1),
        "server_cpu_us_per_bid": round(cpu / len(answers) * 1e6),
    }


async def players_of(crowd: Crowd, port: int, count: int) -> list[Player]:
    """The players of a new match, each with a socket."""
    name = _post(port, "create", {"numPlayers": count})["matchID"]
    keys = [
        _post(port, f"{name}/join", {"playerID": str(number), "playerName": f"p{number}"})["playerCredentials"]
        for number in range(count)
    ]
    return [await _join(crowd, Endpoint(port, _PATH), name, number, key) for number, key in enumerate(keys)]


async def _join(crowd: Crowd, endpoint: Endpoint, match: str, number: int | None, key: str) -> Player:
    player = Player(crowd, endpoint, match, number, key)
    await crowd.open(player)
    return player


def _post(port: int, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/games/auction/{path}", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


@contextlib.contextmanager
def peer() -> Iterator[Process]:
    """The peer, running. Exits where node or npm are missing."""
    if not (shutil.which("node") and shutil.which("npm")):
        raise SystemExit("the peer needs node and npm")
    with tempfile.TemporaryDirectory(prefix="genius-peer-") as folder:
        shutil.copytree(_HERE, folder, dirs_exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-package-lock"], cwd=folder, check=True)
        quiet: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}  # it reports each bad bid
        with subprocess.Popen(["node", "server.js"], cwd=folder, **quiet) as process:
            assert process.stdout is not None
            port = next(int(line) for line in process.stdout if line.strip().isdigit())  # after a greeting
            found = Process(port, process.pid)
            found.pin()
            try:
                yield found
            finally:
                process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--spectators", type=int, default=1)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    with peer() as program:
        print(json.dumps(play(run(program.port, program.pid, options))))


if __name__ == "__main__":
    main()
