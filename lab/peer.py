"""Runs the load of `lab.watched` on a peer, boardgame.io in memory: `python -m lab.peer`.

Needs node and npm; the peer is installed into a temporary folder. It stores nothing, and its auction has no rule but
that a bid must be higher, so it does much less for each bid.
"""

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
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any

from lab.client import Crowd, Endpoint, Listener, percentile
from lab.site import Process, program

_HERE = Path(__file__).parent / "boardgame_io"
_PATH = "/socket.io/?EIO=4&transport=websocket"
_STATE = re.compile(rb'"_stateID":(\d+)')


class Player(Listener):
    """A socket.io client of the namespace `auction`, which plays in a match or (without credentials) watches it."""

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
    """A match with its sockets, and bids that it accepts: the next amount, seat by seat."""

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


async def run(server: Process, options: argparse.Namespace) -> dict[str, Any]:
    crowd = Crowd()
    matches = [Match(await players_of(crowd, server.port, options)) for _ in range(options.matches)]
    while not all(each.frames for each in crowd.listeners):
        await asyncio.sleep(0.01)
    answers: list[float] = []
    end = perf_counter() + options.seconds

    async def bidder(mine: list[Match]) -> None:
        for match in cycle(mine):
            if (start := perf_counter()) > end:
                break
            await match.bid()
            answers.append(perf_counter() - start)

    cpu, start = server.cpu_seconds(), perf_counter()
    await asyncio.gather(*(bidder(matches[number :: options.in_flight]) for number in range(options.in_flight)))
    took, cpu = perf_counter() - start, server.cpu_seconds() - cpu
    return {
        "sockets": len(crowd.listeners),
        "accepted_per_second": round(len(answers) / took, 1),
        "answer_p50_ms": round(percentile(answers, 0.5) * 1000, 1),
        "server_cpu_us_per_bid": round(cpu / len(answers) * 1e6),
    }


async def players_of(crowd: Crowd, port: int, options: argparse.Namespace) -> list[Player]:
    """Make a match and return its players, each with a socket; opens sockets of spectators, too."""
    name, endpoint = _post(port, "create", {"numPlayers": options.players})["matchID"], Endpoint(port, _PATH)
    players = []
    for number in range(options.players):
        joined = _post(port, f"{name}/join", {"playerID": str(number), "playerName": f"p{number}"})
        players.append(Player(crowd, endpoint, name, number, joined["playerCredentials"]))
    for listener in [*players, *(Player(crowd, endpoint, name, None, "") for _ in range(options.spectators))]:
        await crowd.open(listener)
    return players


def _post(port: int, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/games/auction/{path}", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


@contextlib.contextmanager
def peer() -> Iterator[Process]:
    """Run the peer. Exits if node or npm are missing."""
    if not (shutil.which("node") and shutil.which("npm")):
        raise SystemExit("the peer needs node and npm")
    with tempfile.TemporaryDirectory(prefix="genius-peer-") as folder:
        shutil.copytree(_HERE, folder, dirs_exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-package-lock"], cwd=folder, check=True)
        with program(["node", "server.js"], r"^\s*(\d+)\s*$", cwd=folder) as found:
            yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--spectators", type=int, default=1)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    with peer() as server:
        print(json.dumps(asyncio.run(run(server, options))))


if __name__ == "__main__":
    main()
