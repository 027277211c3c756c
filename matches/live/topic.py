"""A topic: all sockets of this process that watch one thing, a match or a person's notices.

It reads once for all of them, builds each audience's frame once, and sends the same text to the whole audience. `pace`
decides when. Public views are pushed first and separately: if private ones delayed them, the timing of a push would
reveal something.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from itertools import count
from time import monotonic
from typing import Any, Protocol

import structlog

from matches.infra import metrics
from matches.live.pace import Pace
from matches.live.snapshots import Key, Look, Snapshot, Stored, encode_frame
from matches.live.transport import Frame
from matches.live.watcher import NOT_FOUND, RENEW, Watcher

logger = structlog.get_logger(__name__)

_CHUNK = 100
_RETRY_SECONDS = 1.0

LookAt = Callable[[Sequence[Key]], Awaitable[Look | None]]


class Audience:
    """The sockets that see the same. All `watchers` have seen `seen`, which was read by look number `latest_look`."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.seen: Snapshot | None = None
        self.latest_look = 0
        self.is_dirty = False
        self.dirty_since = 0.0
        self.sending = asyncio.Lock()


class Missed:
    """What has changed while the first frame of newcomers was being read, before they were in any audience."""

    def __init__(self) -> None:
        self.public = False
        self.players: set[int] = set()


class Owner(Protocol):
    """What topics need of the hub."""

    public: Pace
    own: Pace

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]: ...
    def fell_behind(self, watcher: Watcher) -> None: ...
    def drop(self, watcher: Watcher, code: int) -> None: ...


class Topic:
    """All sockets of this process that watch one thing."""

    def __init__(self, hub: Owner, look: LookAt) -> None:
        self._hub = hub
        self._look = look
        self._numbers = count(1)
        self._audiences: dict[Key, Audience] = {}
        self._newcomers: set[Watcher] = set()
        self._greeting: asyncio.Task[None] | None = None
        self._missed = Missed()
        self.checked = -1
        """The length of the match's log at the last `check`."""

    @property
    def is_empty(self) -> bool:
        return not self._newcomers and not self._audiences

    @property
    def players(self) -> set[int]:
        """The ids of the players whose private views are watched."""
        return {key.player for key in self._audiences if key.player is not None}

    def welcome(self, watcher: Watcher) -> None:
        """Send a socket everything as soon as it is read, and changes from then on. Also for one that lost track."""
        self._forget(watcher)
        self._newcomers.add(watcher)
        if self._greeting is None or self._greeting.done():
            self._greeting = self._hub.spawn(self._greet_all())

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
        """Push what may have changed: the public view, and the private views of these players (ids)."""
        for key in self._audiences:
            if key.player in players or (public and (key.player is None or key.format == "html")):
                self._push_soon(key)
        if self._newcomers:
            self._missed.public |= public
            self._missed.players.update(players)

    def check(self, stored: Stored | None, players: Mapping[int, int]) -> None:
        """Push again to audiences for which something newer is stored than was shown, or nothing any more."""
        self.checked = -1 if stored is None else stored.head
        for key, audience in self._audiences.items():
            public = stored and stored.version
            own = public if key.player is None else players.get(key.player)
            if audience.seen is not None and audience.seen.is_older_than(public, own):
                self._push_soon(key)

    # -- pushes ----------------------------------------------------------------------------------

    def _push_soon(self, key: Key) -> None:
        audience = self._audiences[key]
        if not audience.is_dirty:
            audience.is_dirty, audience.dirty_since = True, monotonic()
        if key.player is None:
            self._hub.public.ask(self._push_public)
        else:
            self._hub.own.ask(self._push_own)

    async def _push_public(self) -> None:
        await self._push([key for key in self._dirty() if key.player is None])

    async def _push_own(self) -> None:
        await self._push([key for key in self._dirty() if key.player is not None])

    def _dirty(self) -> list[Key]:
        return [key for key, audience in self._audiences.items() if audience.is_dirty]

    async def _push(self, keys: Collection[Key]) -> None:
        if not keys:
            return
        since = min(self._audiences[key].dirty_since for key in keys)
        for key in keys:
            self._audiences[key].is_dirty = False
        try:
            await self._look_and_tell(keys)
        except Exception:
            for key in keys:
                if key in self._audiences:
                    self._audiences[key].is_dirty = True
            raise
        metrics.PUSHES.observe(monotonic() - since)

    async def _look_and_tell(self, keys: Iterable[Key]) -> tuple[int, Look | None]:
        """Read for these audiences, and send them what is new. A look that began before the one that they last saw is
        left out, since it may be older."""
        number = next(self._numbers)
        look = await self._look(sorted(keys, key=lambda key: (key.player or 0, key.format)))
        if look is None or look.hidden:
            self._turn_out(everybody=look is None)
        if look is not None:
            self._turn_out_missing(set(keys) - look.snapshots.keys())
            for key, snapshot in look.snapshots.items():
                await self._tell(key, snapshot, look, number)
        return number, look

    def _turn_out(self, *, everybody: bool) -> None:
        inside = {watcher for audience in self._audiences.values() for watcher in audience.watchers}
        for watcher in inside | self._newcomers:
            if everybody or not watcher.is_insider:
                self._hub.drop(watcher, NOT_FOUND)

    def _turn_out_missing(self, keys: Iterable[Key]) -> None:
        """Close the sockets of people who have lost their places; they reconnect and watch like everybody."""
        for key in keys:
            for watcher in tuple(self._audiences[key].watchers) if key in self._audiences else ():
                self._hub.drop(watcher, RENEW)

    async def _tell(self, key: Key, snapshot: Snapshot, look: Look, number: int) -> None:
        audience = self._audiences.get(key)
        if audience is None:
            return
        async with audience.sending:
            if number < audience.latest_look:
                return
            audience.latest_look = number
            fields = snapshot.fields(audience.seen)
            if snapshot.stamp != (audience.seen and audience.seen.stamp):
                audience.seen = snapshot
            if fields:
                await self._send(audience, encode_frame(fields, look.now))

    async def _send(self, audience: Audience, text: str) -> None:
        frame, inside = Frame(text), audience.watchers
        for number, watcher in enumerate(tuple(inside), 1):
            if watcher in inside and not watcher.offer(frame):  # it may have left meanwhile
                self._hub.fell_behind(watcher)
            if number % _CHUNK == 0:
                await asyncio.sleep(0)  # let others be served as well

    # -- newcomers -------------------------------------------------------------------------------

    async def _greet_all(self) -> None:
        while self._newcomers:
            self._missed = Missed()
            newcomers = tuple(self._newcomers)
            try:
                number, look = await self._look_and_tell({key for watcher in newcomers for key in watcher.keys})
            except Exception:
                logger.exception("live_greeting_failed")
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if look is not None:
                await self._greet(look, number, newcomers)
            self.changed(public=self._missed.public, players=self._missed.players)

    async def _greet(self, look: Look, number: int, newcomers: Iterable[Watcher]) -> None:
        alike: defaultdict[tuple[Key, ...], list[Watcher]] = defaultdict(list)
        for watcher in newcomers:
            if watcher not in self._newcomers:
                continue  # it has left in the meantime
            if all(key in look.snapshots for key in watcher.keys):
                alike[watcher.keys].append(watcher)
            else:
                self._hub.drop(watcher, NOT_FOUND)
        for keys, watchers in alike.items():
            for start in range(0, len(watchers), _CHUNK):
                if start:
                    await asyncio.sleep(0)
                present = [watcher for watcher in watchers[start : start + _CHUNK] if watcher in self._newcomers]
                if present:
                    self._let_in(keys, present, look, number)

    def _let_in(self, keys: tuple[Key, ...], watchers: Collection[Watcher], look: Look, number: int) -> None:
        """Move newcomers into their audiences, and send them what these have seen: this look, or a newer one."""
        fields: dict[str, Any] = {}
        sums: dict[str, str] = {}
        for key in keys:
            audience = self._audiences.setdefault(key, Audience())
            if audience.seen is None:
                audience.seen, audience.latest_look = look.snapshots[key], number
            fields |= audience.seen.fields()
            if key.format == "html":
                sums |= audience.seen.sums()
            audience.watchers.update(watchers)
        self._newcomers.difference_update(watchers)
        if sums:
            fields["texts"] = sums
        frame = Frame(encode_frame(fields, look.now))
        for watcher in watchers:
            if not watcher.offer(frame):
                self._hub.fell_behind(watcher)
