"""Players and watchers during the faults: they act, retry, reconnect, and record everything."""

import asyncio
import contextlib
import random
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic
from typing import Any, NamedTuple

from lab.client import Connection, Crowd, Endpoint, Listener
from lab.crash.checker import Attempt

_COME_BACK = 0.3
_HANDSHAKE = 5.0


class Watcher:
    """One socket on one match at one web, reconnecting whenever it is cut off."""

    def __init__(self, crowd: Crowd, match: str, web: str, endpoint: Endpoint) -> None:
        self._crowd, self.match, self.web, self._endpoint = crowd, match, web, endpoint
        self._listener: Listener | None = None
        self.went_back = 0

    @property
    def version(self) -> int:
        """The version of the public board that it shows; -1 while it is not connected."""
        return self._listener.versions[-1] if self._listener is not None and self._listener.versions else -1

    async def watch(self) -> None:
        """Watch until cancelled."""
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                await self._life()
            self._listener = None
            await asyncio.sleep(_COME_BACK)

    async def _life(self) -> None:
        listener = Listener(self._crowd, self._endpoint)
        async with asyncio.timeout(_HANDSHAKE):
            await self._crowd.loop.create_connection(lambda: listener, "127.0.0.1", self._endpoint.port)
            await listener.opened
        self._listener = listener
        try:
            await listener.gone.wait()
        finally:
            listener.transport.abort()
            versions = listener.versions
            self.went_back += sum(later < earlier for earlier, later in pairwise(versions))


class Watchers:
    """All watchers, and what they must show: the newest version of each match that anybody was answered."""

    def __init__(self) -> None:
        self.all: list[Watcher] = []
        self.newest: dict[str, int] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, matches: list[str], webs: dict[str, int]) -> None:
        """Open one socket for each match at each web."""
        crowd = Crowd()
        for match in matches:
            for web, port in webs.items():
                endpoint = Endpoint(port, f"/ws/matches/{match}/?format=json")
                self.all.append(Watcher(crowd, match, web, endpoint))
        self._tasks = [asyncio.create_task(each.watch()) for each in self.all]

    def heard(self, match: str, version: int) -> None:
        """Record that somebody was answered with this version."""
        self.newest[match] = max(version, self.newest.get(match, 0))

    def behind(self, wanted: dict[str, int]) -> list[Watcher]:
        """Return the watchers that show less than these versions."""
        return [each for each in self.all if each.version < wanted.get(each.match, 0)]

    async def until_whole(self, seconds: float, *, soon: float = 1.0, steady: float = 2.0) -> float:
        """Wait until, for `steady` seconds, everybody has shown what anybody was answered a second (`soon`) before;
        return after how many seconds that began. Raises `TimeoutError` if it takes too long.

        Boards also refresh without pushes every few seconds: while people act, that is not steady.
        """
        begun = since = monotonic()
        past: deque[tuple[float, dict[str, int]]] = deque()
        wanted: dict[str, int] = {}
        while (now := monotonic()) - since < steady or now - begun < soon + steady:
            past.append((now, dict(self.newest)))
            while past and past[0][0] <= now - soon:
                wanted = past.popleft()[1]
            if self.behind(wanted):
                since = now
                if now - begun > seconds:
                    raise TimeoutError
            await asyncio.sleep(0.02)
        return since - begun

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


PATIENCE = 5.0
"""Seconds after which a request counts as unanswered."""

_RETRY_AFTER = 2.0
_GIVE_UP = 0.3


class Player(NamedTuple):
    """A place in a match."""

    match: str
    handle: str
    token: str


@dataclass
class Deed:
    """An action until it is answered: the webs that it was sent to, and how long it took."""

    player: Player
    key: str
    body: dict[str, Any]
    begun: float = field(default_factory=monotonic)
    ended: float = 0.0
    webs: set[str] = field(default_factory=set)
    statuses: list[int] = field(default_factory=list)


class Load:
    """The players' load. `rate`: actions a second of all players together; `webs`: name -> port."""

    def __init__(
        self, webs: dict[str, int], players: list[Player], seats: list[str], watchers: Watchers,
        *, rate: float, chance: random.Random,
    ) -> None:  # fmt: skip
        self._webs, self._players, self._seats = webs, players, seats
        self._watchers, self._chance = watchers, chance
        self.journal: list[Attempt] = []
        """All that was sent and answered, in the order of sending."""
        self._pause = len(players) / rate
        self._highest = dict.fromkeys((player.match for player in players), 0)
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True
        self.avoided = ""
        """A web to which nothing is sent for now, as by a proxy that has noticed that it does not answer."""
        self._number = 0
        self.under_way: dict[str, Deed] = {}
        self.done: list[Deed] = []
        self.answers = dict[str, float]()
        """For each web, when the last action that its rules answered (not with "busy") was sent."""

    def begin(self) -> None:
        """Start all players; they play until `end`."""
        self._tasks = [asyncio.create_task(self._play(player)) for player in self._players]

    async def end(self, seconds: float) -> None:
        """Start nothing more, and wait until everything is answered. Raises `TimeoutError`."""
        self._going = False
        async with asyncio.timeout(seconds):
            await asyncio.gather(*self._tasks)

    async def _play(self, player: Player) -> None:
        lines = {web: Connection(port) for web, port in self._webs.items()}
        spare = {web: Connection(port) for web, port in self._webs.items()}
        last: Deed | None = None
        while self._going:
            await asyncio.sleep(self._chance.expovariate(1 / self._pause))
            what = self._chance.random()
            if what < 0.08 and last is not None:
                await self._send(last, self._any_web(), lines)  # answered long ago: it must give the same answer
            else:
                last = self._new(player)
                if what < 0.18:
                    await self._twice_at_once(last, lines, spare)
                if not self._is_answered(last):
                    await self._until_answered(last, lines)
                if not self._is_answered(last):
                    last = None
        for line in (*lines.values(), *spare.values()):
            line.abandon()

    def _new(self, player: Player) -> Deed:
        self._number += 1
        return Deed(player, f"{player.handle}-{self._number}", self._action(player))

    def _action(self, player: Player) -> dict[str, Any]:
        what = self._chance.random()
        if what < 0.30:
            return {"type": "buy_chips", "count": self._chance.randrange(1, 4)}
        # Others bid at the same time, so many of these are too low and refused.
        amount = max(0, self._highest[player.match] + self._chance.choice((-3, 0, 1, 1, 1, 1, 2, 2, 3)))
        return {"type": "bid", "seat": self._chance.choice(self._seats), "amount": amount}

    def _any_web(self) -> str:
        return self._chance.choice([web for web in self._webs if web != self.avoided])

    @staticmethod
    def _is_answered(deed: Deed) -> bool:
        return any(status not in (0, 429, 500, 503) for status in deed.statuses)

    async def _until_answered(self, deed: Deed, lines: dict[str, Connection]) -> None:
        self.under_way[deed.key] = deed
        pause = 0.1
        gives_up = self._chance.random() < _GIVE_UP
        while not self._is_answered(deed):
            code = await self._send(deed, self._any_web(), lines)
            if code == "busy" and gives_up and set(deed.statuses) == {503}:
                break  # which promises that nothing was stored
            if not self._is_answered(deed):
                await asyncio.sleep(_RETRY_AFTER if code else pause * (1 + self._chance.random()))
                pause = min(2 * pause, 1.0)
        deed.ended = monotonic()
        del self.under_way[deed.key]
        self.done.append(deed)

    async def _twice_at_once(self, deed: Deed, lines: dict[str, Connection], spare: dict[str, Connection]) -> None:
        await asyncio.gather(self._send(deed, self._any_web(), lines), self._send(deed, self._any_web(), spare))

    async def _send(self, deed: Deed, web: str, lines: dict[str, Connection]) -> str:
        """Make one attempt; return the code of a refusal that is not the rules', or ""."""
        player, sent = deed.player, monotonic()
        deed.webs.add(web)
        place, attempt = len(self.journal), Attempt(player.match, player.handle, deed.key, deed.body, web, sent)
        self.journal.append(attempt)
        found = await self._ask(lines[web], f"/api/v1/matches/{player.match}/actions/", player.token, deed)
        if found is None:
            deed.statuses.append(0)
            return ""
        status, answer = found
        self.journal[place] = attempt._replace(answered=monotonic(), status=status, answer=answer)
        deed.statuses.append(status)
        if status == 200:
            if deed.body["type"] == "bid":
                self._highest[player.match] = max(self._highest[player.match], deed.body["amount"])
            self._watchers.heard(player.match, answer["versions"]["public"])
        if status not in (200, 422):
            return str(answer.get("code", ""))
        self.answers[web] = max(sent, self.answers.get(web, 0.0))
        return ""

    async def _ask(self, line: Connection, path: str, token: str, deed: Deed) -> tuple[int, dict[str, Any]] | None:
        try:
            async with asyncio.timeout(PATIENCE):
                return await line.post(path, token, deed.body, deed.key)
        except (OSError, EOFError, TimeoutError, ValueError):
            line.abandon()
            return None
