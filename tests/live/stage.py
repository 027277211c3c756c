"""A hub with people who watch, a match that is a few numbers, and no database."""

import asyncio
import json
from collections.abc import Callable, Collection, Coroutine, Sequence
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Any

from matches.live.hub import Hub
from matches.live.snapshots import Key, Look, Snapshot, Stored, Versions
from matches.live.transport import Frame

Quickly = Callable[[Coroutine[Any, Any, Any]], Any]
"""The fixture `quickly`: plays a story on a loop whose time passes at once."""

MATCH = 7
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Socket:
    """Keeps what it is sent, and when."""

    def __init__(self, *keys: Key, user_id: int | None = None, session: str = "", insider: bool = False) -> None:
        self.keys = keys or (Key("json"),)
        self.user_id, self.session, self.is_insider = user_id, session, insider
        self.born = 0.0
        self.recheck_at = 60.0
        self.rights: list[int | Exception | None] = []
        self.rechecks = 0
        self.is_behind = False
        self.texts: list[str] = []
        self.times: list[float] = []
        self.closed: int | None = None

    async def recheck(self) -> int | None:
        """What the next reading of its rights finds; as long as nothing is said: that all is as it was."""
        self.rechecks += 1
        found = self.rights.pop(0) if self.rights else None
        if isinstance(found, Exception):
            raise found
        return found

    def offer(self, frame: Frame) -> bool:
        if self.is_behind:
            return False
        assert self.closed is None, "sent to after it was closed"
        self.texts.append(frame.text)
        self.times.append(asyncio.get_running_loop().time())
        return True

    def close(self, code: int) -> None:
        self.closed = code

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts]

    @property
    def version(self) -> int | None:
        """What it would show: the last version that it was told."""
        return next((frame["version"] for frame in reversed(self.frames) if "version" in frame), None)


class Stage:
    """The match: `public` is its version and all that there is to see; `private` the same for each player."""

    def __init__(
        self,
        *,
        read_seconds: float = 0.002,
        own_seconds: float = 0.0,
        late_seconds: float = 0.0,
        crowded: bool = True,
    ) -> None:
        """`own_seconds`: what a look for single players takes more; `late_seconds` pass after a look has read;
        `crowded`: whether those who act wait for one another."""
        self.public = 1
        self.private: dict[int, int] = {}
        self.parts: dict[str, str] = {"board": "empty"}
        self.private_parts: dict[int, dict[str, str]] = {}
        self.gone = self.hidden = False
        self.failures = 0
        self.reads = self.log = 0
        self.lost = False
        self.lates: list[float] = []
        """The same for the next looks, one after the other."""
        self._read_seconds, self._own_seconds, self._late_seconds = read_seconds, own_seconds, late_seconds
        self.hub = Hub(self._look, self._look_at_notices, self._versions, lambda: crowded)

    async def _look(self, match_id: int, keys: Sequence[Key]) -> Look | None:
        self.reads += 1
        await settled(self._read_seconds + (self._own_seconds if keys[0].player is not None else 0))
        if self.failures:
            self.failures -= 1
            raise OSError("the database is away")
        if self.gone:
            return None
        snapshots = {key: self._picture(key) for key in keys if key.player is None or key.player in self.private}
        look = Look(NOON, snapshots, self.hidden)
        await settled(self.lates.pop(0) if self.lates else self._late_seconds)
        return look

    def _picture(self, key: Key) -> Snapshot:
        if key.player is None:
            if key.format == "json":
                return Snapshot(self.public, {"version": self.public}, {"public": {"bids": self.public}, "match": "m"})
            return Snapshot(self.public, {"version": self.public}, dict(self.parts), "parts")
        own = self.private[key.player]
        if key.format == "json":
            return Snapshot(own, {"private_version": own}, {"private": {"of": key.player, "secret": own}})
        parts = dict(self.private_parts.get(key.player, {}))
        return Snapshot((self.public, own), {"private_version": own}, parts, "private_parts", self.public)

    async def _look_at_notices(self, user_id: int, keys: Collection[Key]) -> Look | None:
        self.reads += 1
        return Look(NOON, {key: Snapshot(self.public, {}, {"notices": [self.public]}) for key in keys})

    async def _versions(self, heads: dict[int, int], players: dict[int, set[int]]) -> Versions:
        moved = [match for match, head in heads.items() if head != self.log]
        own = {player: self.private[player] for match in moved for player in players[match] if player in self.private}
        return Versions(dict.fromkeys(moved, Stored(self.public, self.log)), own)

    # -- what happens ----------------------------------------------------------------------------

    async def enter(self, *sockets: Socket) -> None:
        """Let sockets watch, and wait until each has its first frame."""
        for socket in sockets:
            self.hub.watch_match(MATCH, socket)
        await settled()

    def bid(self, *told: int) -> None:
        """Something public, that also tells these players something."""
        self.public += 1
        for player in told:
            self.private[player] += 1
        self._tell(public=True, players=told)

    def whisper(self, player: int) -> None:
        """Something that only one player sees."""
        self.private[player] += 1
        self._tell(public=False, players=(player,))

    def _tell(self, *, public: bool, players: Collection[int]) -> None:
        self.log += 1
        if not self.lost:
            self.hub.changed(MATCH, public=public, players=players)


async def settled(seconds: float = 0.3) -> None:
    """Let so much of the loop's own time pass (`QuickLoop`: at once), and everything happen that is due in it."""
    await asyncio.sleep(seconds)


async def give_way() -> None:
    """Let everything happen that is ready, on any loop."""
    for _ in range(50):
        await asyncio.sleep(0)


def wait_for(what: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether something comes true in another thread: asks again and again."""
    end = monotonic() + seconds
    while not what():
        if monotonic() > end:
            return False
        sleep(0.005)
    return True
