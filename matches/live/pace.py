"""When pushes begin: at once while little happens, but under load with rests between them, which leave the CPU to
actions.

While actions delay each other, the process rests after a push for `REST` times as long as the push took, from the read
until the last frame was handed over. Changes that come meanwhile are merged. All matches of a process take turns, the
one that has waited longest first. No push waits for more than `LONGEST` (seconds) because of a rest, and none holds up
others for longer than that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog

logger = structlog.get_logger(__name__)

LONGEST = 0.1
REST = 2.0
_RETRY_SECONDS = 1.0

Push = Callable[[], Awaitable[None]]
"""A function that reads what has changed and sends it. Compared by equality, like bound methods."""

Spawn = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]


class Pace:
    """The queue of pushes of one process. They begin only while no push of `before` is running, and rest only while
    `is_crowded()`."""

    def __init__(self, spawn: Spawn, is_crowded: Callable[[], bool], before: Pace | None = None) -> None:
        self._spawn = spawn
        self._is_crowded = is_crowded
        self._before = before
        self._waiting: dict[Push, float] = {}
        self._under_way: set[Push] = set()
        self._rested_at = 0.0
        self._news = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def ask(self, push: Push) -> None:
        """Queue a push. If it is asked for again before it has begun, it runs only once."""
        self._waiting.setdefault(push, asyncio.get_running_loop().time())
        self._wake()
        if self._work is None or self._work.done():
            self._work = self._spawn(self._take_turns())

    async def _take_turns(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            push = next((each for each in self._waiting if each not in self._under_way), None)
            if push is None:
                await self._any_news(None)
                continue
            latest = self._waiting[push] + LONGEST
            wait = min(self._rested_at, latest) - loop.time()
            if wait > 0 and self._is_crowded():
                await asyncio.sleep(wait)
            elif self._before is not None and self._before._under_way and latest > loop.time():
                await self._before._any_news(latest - loop.time())
            else:
                await self._begin(push)

    async def _begin(self, push: Push) -> None:
        del self._waiting[push]
        self._under_way.add(push)
        await asyncio.wait({self._spawn(self._do(push))}, timeout=LONGEST)

    async def _do(self, push: Push) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            await push()
        except Exception:
            # Perhaps the database is away for a moment: try again later.
            logger.exception("live_push_failed")
            self._spawn(self._ask_later(push))
        finally:
            took = loop.time() - start
            self._rested_at = loop.time() + min(REST * took, LONGEST)
            self._under_way.discard(push)
            self._wake()

    async def _ask_later(self, push: Push) -> None:
        await asyncio.sleep(_RETRY_SECONDS)
        self.ask(push)

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _any_news(self, seconds: float | None) -> None:
        """Wait until a push has ended or is asked for, but at most `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass
