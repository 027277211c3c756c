"""The hub, one for each process, which sends changes to all sockets of the process that watch something.

The hub hears of changes from its own process, and on one channel of the channel layer, however many sockets there are.
It has a topic for each match (and each person's notices) that somebody watches.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import structlog

from matches.infra import metrics
from matches.infra.db_threads import DatabaseThreads
from matches.live import snapshots
from matches.live.desks import Desks
from matches.live.messages import PRESENT, AccessChange, Hint, listen, send
from matches.live.pace import Pace
from matches.live.presence import Presence
from matches.live.snapshots import Key, Look, Versions, encode_hint
from matches.live.topic import LookAt, Topic
from matches.live.transport import Frame
from matches.live.watcher import RENEW, RIGHTS_SECONDS, SIGNED_OUT, TOO_SLOW, Watcher
from matches.services.group.queue import is_crowded

logger = structlog.get_logger(__name__)

_CARE_SECONDS = 1.0
_CHECK_EVERY = 3  # in turns of `_CARE_SECONDS`, so that a page recovers from a lost message within five seconds
_LONGEST_BEHIND = 30.0
_LONGEST_LIFE = 3600.0


class Arrival:
    """A socket whose rights are being read. It collects the changes of access meanwhile, since no topic has it yet."""

    def __init__(self) -> None:
        self.changes: list[AccessChange] = []

    def is_outdated(self, user_id: int | None, session: str) -> bool:
        """Whether this person lost access while their rights were being read."""
        return any(change.concerns(user_id, session) for change in self.changes)


class Hub:
    """The topics of one process, on one event loop.

    `look_at_match`, `look_at_notices` and `versions` read the database; `is_crowded` says whether actions delay each
    other. Tests pass their own.
    """

    def __init__(
        self,
        look_at_match: Callable[[int, Sequence[Key]], Awaitable[Look | None]] | None = None,
        look_at_notices: Callable[[int, Sequence[Key]], Awaitable[Look | None]] | None = None,
        versions: Callable[[dict[int, int], dict[int, set[int]]], Awaitable[Versions]] | None = None,
        is_crowded: Callable[[], bool] = is_crowded,
    ) -> None:
        self._look_at_match = look_at_match or _in_thread(snapshots.match_snapshots)
        self._look_at_notices = look_at_notices or _in_thread(snapshots.notice_snapshots)
        self._versions = versions or _in_thread(snapshots.versions)
        self._matches: dict[int, Topic] = {}
        self._people: dict[int, Topic] = {}
        self._topic_of: dict[Watcher, tuple[dict[int, Topic], int]] = {}
        self._behind: dict[Watcher, float] = {}
        self._arrivals: set[Arrival] = set()
        self._rechecking: set[Watcher] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.public = Pace(self.spawn, is_crowded)
        self.own = Pace(self.spawn, is_crowded, before=self.public)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.name = secrets.token_hex(8)
        self.addresses: Counter[str] = Counter()
        self.users: Counter[int] = Counter()
        self.desks = Desks()
        self.presence = Presence()

    def __len__(self) -> int:
        return len(self._topic_of)

    # -- sockets come and go ---------------------------------------------------------------------

    def watch_match(self, match_id: int, watcher: Watcher) -> None:
        """Let a socket watch a match."""
        self._enter(self._matches, match_id, watcher, lambda keys: self._look_at_match(match_id, keys))

    def watch_notices(self, user_id: int, watcher: Watcher) -> None:
        """Let a socket watch a person's notices."""
        self._enter(self._people, user_id, watcher, lambda keys: self._look_at_notices(user_id, keys))

    def _enter(self, topics: dict[int, Topic], number: int, watcher: Watcher, look: LookAt) -> None:
        self.start()
        topic = topics.get(number)
        if topic is None:
            topic = topics[number] = Topic(self, look)
        if watcher not in self._topic_of:
            metrics.SOCKETS.inc()
        self._topic_of[watcher] = (topics, number)
        topic.welcome(watcher)

    def resync(self, watcher: Watcher) -> None:
        """Send everything to a socket again."""
        if watcher in self._topic_of:
            topics, number = self._topic_of[watcher]
            topics[number].welcome(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Remove a socket."""
        self._behind.pop(watcher, None)
        self.desks.leave(watcher)
        self.presence.leave(watcher)
        topics, number = self._topic_of.pop(watcher, (None, 0))
        if topics is not None:
            metrics.SOCKETS.dec()
            topics[number].leave(watcher)
            if topics[number].is_empty:
                del topics[number]

    def drop(self, watcher: Watcher, code: int) -> None:
        """Close a socket. Nothing more is sent to it."""
        self.leave(watcher)
        watcher.close(code)

    # -- what happens ----------------------------------------------------------------------------

    def changed(self, match: int, public: bool, players: Collection[int]) -> None:
        """Push the changes of a match: of its `public` view, and of the private views of these players (ids)."""
        self.desks.changed(match)
        topic = self._matches.get(match)
        if topic is not None:
            topic.changed(public=public, players=frozenset(players))

    def notices_changed(self, people: Collection[int]) -> None:
        """Push the changed notices of these people (user ids)."""
        for user_id in people:
            if user_id in self._people:
                self._people[user_id].changed(public=True, players=())

    @contextmanager
    def arriving(self) -> Iterator[Arrival]:
        """Collect changes of access while a socket's rights are being read, so that no sign-out is missed."""
        self.start()
        arrival = Arrival()
        self._arrivals.add(arrival)
        try:
            yield arrival
        finally:
            self._arrivals.discard(arrival)

    def access_changed(self, change: AccessChange) -> None:
        """Close the sockets of somebody who has lost access, and tell those that are just opening."""
        for arrival in self._arrivals:
            arrival.changes.append(change)
        for watcher in list(self._topic_of):
            if change.concerns(watcher.user_id, watcher.session):
                self.drop(watcher, SIGNED_OUT)

    def hinted(self, hint: Hint) -> None:
        """Send a hint to the sockets for which it is. Those that are behind will get everything later."""
        frame = None
        for watcher, (topics, number) in list(self._topic_of.items()):
            watches = topics is self._matches and number == hint.match_id
            is_theirs = hint.users is not None and watcher.user_id in hint.users
            if ((watches or topics is self._people) and is_theirs) or (watches and hint.users is None):
                frame = frame or Frame(encode_hint(hint.of, hint.facts))
                if not watcher.offer(frame):
                    self.fell_behind(watcher)

    def present(self, sender: str, here: list[tuple[int, list[str]]], whole: bool) -> None:
        """Take over what another process says about presence."""
        self.presence.heard(sender, here, whole, asyncio.get_running_loop().time())

    def fell_behind(self, watcher: Watcher) -> None:
        """Note that a peer is too slow: it gets nothing more until it has read everything, and then a whole frame."""
        if watcher in self._topic_of:
            self._behind.setdefault(watcher, asyncio.get_running_loop().time())

    # -- running ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to listen and to do the regular work, unless that has begun."""
        if self.loop is None:
            self.loop = asyncio.get_running_loop()
            self.spawn(listen(self, self._resync_all))
            self.spawn(self._care())

    async def stop(self) -> None:
        """Close all sockets and end all tasks."""
        for watcher in list(self._topic_of):
            self.drop(watcher, RENEW)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that lives at most as long as the hub."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _resync_all(self) -> None:
        for watcher in list(self._topic_of):
            self.resync(watcher)

    async def _care(self) -> None:
        """Do the regular work: slow peers, old sockets, rights that have ended, presence, lost messages."""
        loop = asyncio.get_running_loop()
        for turn in itertools.count(1):
            await asyncio.sleep(_CARE_SECONDS)
            now = loop.time()
            for watcher, since in list(self._behind.items()):
                if not watcher.is_behind:
                    del self._behind[watcher]
                    self.resync(watcher)
                elif now - since > _LONGEST_BEHIND:
                    self.drop(watcher, TOO_SLOW)
            for watcher in [watcher for watcher in self._topic_of if now - watcher.born > _LONGEST_LIFE]:
                self.drop(watcher, RENEW)
            self._recheck_rights(now)
            self.desks.tell(self.fell_behind)
            if told := self.presence.turn(now):
                self.spawn(send({"type": PRESENT, "sender": self.name, **told}))
            if turn % _CHECK_EVERY == 0:
                await self._check()

    def _recheck_rights(self, now: float) -> None:
        """Read the rights of signed-in sockets again once a minute, since the message that ends one may be lost."""
        for watcher in self._topic_of:
            if watcher.user_id is not None and now >= watcher.recheck_at and watcher not in self._rechecking:
                self._rechecking.add(watcher)
                self.spawn(self._recheck(watcher))

    async def _recheck(self, watcher: Watcher) -> None:
        try:
            code = await watcher.recheck()
        except Exception:  # perhaps the database is away for a moment: the next turn tries again
            logger.exception("live_recheck_failed")
            return
        finally:
            self._rechecking.discard(watcher)
        watcher.recheck_at = asyncio.get_running_loop().time() + RIGHTS_SECONDS
        if code is not None and watcher in self._topic_of:
            self.drop(watcher, code)

    async def _check(self) -> None:
        """Compare what was shown with what is stored, since the channel layer may lose a message silently."""
        if not self._matches:
            return
        heads = {number: topic.checked for number, topic in self._matches.items()}
        players = {number: topic.players for number, topic in self._matches.items()}
        try:
            found = await self._versions(heads, players)
        except Exception:
            logger.exception("live_check_failed")
            return
        for number, stored in found.matches.items():
            if number in self._matches:
                self._matches[number].check(stored, found.players)


_threads = DatabaseThreads("live", 2)


def _in_thread(read: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    async def wrapper(*args: Any) -> Any:
        return await _threads.run(read, *args)

    return wrapper


# -- the hub of this process -----------------------------------------------------------------------

_hub: Hub | None = None


def the_hub() -> Hub:
    """The hub of the running event loop. A process serves on one loop; tests use one after another."""
    global _hub
    if _hub is None or _hub.loop not in (None, asyncio.get_running_loop()):
        _hub = Hub()
    return _hub


def running_hub() -> Hub | None:
    """This process's hub, from any thread; None if there is none that listens."""
    listens = _hub is not None and _hub.loop is not None and _hub.loop.is_running()
    return _hub if listens else None
