"""Sockets that watch matches at each web process, and come back when they are cut off, as pages do."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from itertools import pairwise
from time import monotonic

from lab.crowd import Crowd, Endpoint, Listener

_COME_BACK = 0.3
_HANDSHAKE = 5.0


class Watcher:
    """One socket on one match at one web, in all its lives."""

    def __init__(self, crowd: Crowd, match: str, web: str, endpoint: Endpoint) -> None:
        self._crowd, self.match, self.web, self._endpoint = crowd, match, web, endpoint
        self._listener: Listener | None = None
        self.went_back = 0

    @property
    def version(self) -> int:
        """Of the public board that it shows; -1 while it is not connected."""
        return self._listener.versions[-1] if self._listener is not None and self._listener.versions else -1

    async def watch(self) -> None:
        """Until it is cancelled."""
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                await self._life()
            self._listener = None
            await asyncio.sleep(_COME_BACK)

    async def _life(self) -> None:
        gone = asyncio.Event()
        listener = _Ending(self._crowd, self._endpoint, gone)
        async with asyncio.timeout(_HANDSHAKE):
            await self._crowd.loop.create_connection(lambda: listener, "127.0.0.1", self._endpoint.port)
            await listener.opened
        self._listener = listener
        try:
            await gone.wait()
        finally:
            listener.transport.abort()
            versions = listener.versions
            self.went_back += sum(later < earlier for earlier, later in pairwise(versions))


class _Ending(Listener):
    """A listener that says when its connection is gone."""

    def __init__(self, crowd: Crowd, endpoint: Endpoint, gone: asyncio.Event) -> None:
        super().__init__(crowd, endpoint)
        self._gone = gone

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError("cut off in the handshake"))


class Watchers:
    """All of them, and what they are measured by: the newest version of each match that anybody was answered."""

    def __init__(self) -> None:
        self.all: list[Watcher] = []
        self.newest: dict[str, int] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, matches: list[str], webs: dict[str, int]) -> None:
        """One socket for each match at each web."""
        crowd = Crowd()
        for match in matches:
            for web, port in webs.items():
                endpoint = Endpoint(port, f"/ws/matches/{match}/?format=json")
                self.all.append(Watcher(crowd, match, web, endpoint))
        self._tasks = [asyncio.create_task(each.watch()) for each in self.all]

    def heard(self, match: str, version: int) -> None:
        """Somebody was answered with this version."""
        self.newest[match] = max(version, self.newest.get(match, 0))

    def behind(self, wanted: dict[str, int]) -> list[Watcher]:
        """Those who show less than these versions."""
        return [each for each in self.all if each.version < wanted.get(each.match, 0)]

    async def until_whole(self, seconds: float, *, soon: float = 1.0, steady: float = 2.0) -> float:
        """Wait until for `steady` seconds everybody has shown what anybody had been answered a second (`soon`) before;
        from when on it was so, in seconds from now. Raises `TimeoutError` if it was not so soon enough.

        Boards come without pushes as well, every few seconds: while people act, that is not steady.
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
