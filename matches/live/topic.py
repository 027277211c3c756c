"""A topic: all sockets of this process that watch one thing, a match or a person's notices.

It reads once for all who are in it, builds each audience's frame once, and sends the same text to all of that
audience. It pushes at most once in `INTERVAL` to an audience; what happens in between is merged, the latest wins.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from typing import Any, Protocol

import structlog

from matches.live.snapshots import Key, Look, Snapshot, encode_frame
from matches.live.transport import Frame

logger = structlog.get_logger(__name__)

INTERVAL = 0.1
_CHUNK = 50
_RETRY_SECONDS = 1.0

NOT_FOUND = 4404
RENEW = 4408

LookAt = Callable[[Collection[Key]], Awaitable[Look | None]]


class Watcher(Protocol):
    """What the hub needs of a socket."""

    keys: tuple[Key, ...]
    user_id: int | None
    session: str
    is_insider: bool
    born: float
    recheck_at: float

    @property
    def is_behind(self) -> bool:
        """Whether the peer does not take what it was sent."""

    async def recheck(self) -> int | None:
        """Read its rights again; the code to close it with where they are not what they were."""

    def offer(self, frame: Frame) -> bool:
        """Send a frame; False, and nothing sent, where the peer is behind."""

    def close(self, code: int) -> None:
        """End it."""


class Host(Protocol):
    """What a topic needs of the hub that it belongs to."""

    def drop(self, watcher: Watcher, code: int) -> None:
        """End a socket."""

    def fell_behind(self, watcher: Watcher) -> None:
        """Note that a peer does not take what it is sent."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task."""


class Audience:
    """Those who see the same: `watchers` have seen `seen`."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.seen: Snapshot | None = None
        self.next_at = 0.0
        self.is_dirty = False


class Topic:
    """All sockets of this process that watch one thing."""

    def __init__(self, hub: Host, look: LookAt) -> None:
        self._hub = hub
        self._look = look
        self._audiences: defaultdict[Key, Audience] = defaultdict(Audience)
        self._newcomers: set[Watcher] = set()
        self._work: asyncio.Task[None] | None = None

    @property
    def is_empty(self) -> bool:
        return not self._newcomers and not self._audiences

    def welcome(self, watcher: Watcher) -> None:
        """Send a whole frame as soon as it is read, and changes from then on; also for one who lost track."""
        self._forget(watcher)
        self._newcomers.add(watcher)
        self._wake()

    def leave(self, watcher: Watcher) -> None:
        self._newcomers.discard(watcher)
        self._forget(watcher)

    def _forget(self, watcher: Watcher) -> None:
        for key in watcher.keys:
            audience = self._audiences.get(key)
            if audience is not None:
                audience.watchers.discard(watcher)
                if not audience.watchers:
                    del self._audiences[key]

    def changed(self, *, public: bool, players: Collection[int]) -> None:
        """What these audiences see may have changed."""
        for key, audience in self._audiences.items():
            if key.player in players or (public and (key.player is None or key.format == "html")):
                audience.is_dirty = True
                self._wake()

    def check(self, public: int | None, players: Mapping[int, int]) -> None:
        """Look again where what was shown is not what is stored by now."""
        for key, audience in self._audiences.items():
            stored = public if key.player is None else players.get(key.player)
            if audience.seen is not None and stored not in audience.seen.versions.values():
                audience.is_dirty = True
                self._wake()

    # -- rounds ----------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._work is None or self._work.done():
            self._work = self._hub.spawn(self._rounds())

    async def _rounds(self) -> None:
        loop = asyncio.get_running_loop()
        while (wait := self._wait(loop.time())) is not None:
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                await self._round(loop.time())
            except Exception:
                # A database that is away for a moment. Whoever waited goes on waiting.
                logger.exception("live_round_failed")
                await asyncio.sleep(_RETRY_SECONDS)

    def _wait(self, now: float) -> float | None:
        """Seconds until there is something to do; None when there is nothing."""
        if self._newcomers:
            return 0.0
        times = [audience.next_at for audience in self._audiences.values() if audience.is_dirty]
        return max(0.0, min(times) - now) if times else None

    async def _round(self, now: float) -> None:
        newcomers = tuple(self._newcomers)
        due = [key for key, audience in self._audiences.items() if audience.is_dirty and audience.next_at <= now]
        for key in due:
            self._audiences[key].is_dirty = False
        wanted = {*due, *(key for watcher in newcomers for key in watcher.keys)}
        keys = sorted(wanted, key=lambda key: (key.player or 0, key.format))  # everyone's first, then one's own
        try:
            look = await self._look(keys)
        except Exception:
            for key in wanted & self._audiences.keys():
                self._audiences[key].is_dirty = True
            raise
        if look is None or look.hidden:
            self._turn_out(everybody=look is None)
        if look is not None:
            self._turn_out_missing(wanted - look.snapshots.keys())
            await self._tell(look, newcomers)

    def _turn_out(self, *, everybody: bool) -> None:
        inside = {watcher for audience in self._audiences.values() for watcher in audience.watchers}
        for watcher in inside | self._newcomers:
            if everybody or not watcher.is_insider:
                self._hub.drop(watcher, NOT_FOUND)

    def _turn_out_missing(self, keys: Iterable[Key]) -> None:
        """Whoever was a player and is none any more looks at it as somebody else: by a new socket."""
        for key in keys:
            for watcher in tuple(self._audiences[key].watchers) if key in self._audiences else ():
                self._hub.drop(watcher, RENEW)

    async def _tell(self, look: Look, newcomers: Iterable[Watcher]) -> None:
        next_at = asyncio.get_running_loop().time() + INTERVAL
        for key, snapshot in look.snapshots.items():
            audience = self._audiences.get(key)
            if audience is None:
                continue
            fields = snapshot.fields(audience.seen)
            if snapshot.stamp != (audience.seen and audience.seen.stamp):
                audience.seen = snapshot
            if fields:
                audience.next_at = next_at
                await self._send(tuple(audience.watchers), encode_frame(fields, look.now))
        await self._greet(look, newcomers)

    async def _greet(self, look: Look, newcomers: Iterable[Watcher]) -> None:
        alike: defaultdict[tuple[Key, ...], list[Watcher]] = defaultdict(list)
        for watcher in newcomers:
            if watcher not in self._newcomers:
                continue  # left in the meantime
            self._newcomers.discard(watcher)
            if all(key in look.snapshots for key in watcher.keys):
                alike[watcher.keys].append(watcher)
            else:
                self._hub.drop(watcher, NOT_FOUND)
        for keys, watchers in alike.items():
            fields: dict[str, Any] = {}
            for key in keys:
                audience, snapshot = self._audiences[key], look.snapshots[key]
                fields |= snapshot.fields()
                audience.watchers.update(watchers)
                audience.seen = audience.seen or snapshot
            await self._send(watchers, encode_frame(fields, look.now))

    async def _send(self, watchers: Collection[Watcher], text: str) -> None:
        frame = Frame(text)
        for number, watcher in enumerate(watchers, 1):
            if not watcher.offer(frame):
                self._hub.fell_behind(watcher)
            if number % _CHUNK == 0:
                await asyncio.sleep(0)  # others want to be served as well
