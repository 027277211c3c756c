"""The channel layer of the one-process server: in memory, and safe to send to from any thread.

Channels' own `InMemoryChannelLayer` keeps asyncio queues. A task in a worker thread that sends through
`async_to_sync` runs on an event loop of its own and would put into queues that belong to the server's loop, which is
not thread-safe and does not wake that loop: messages would lie there for up to a second. This layer remembers the
loop that receives and does all its work there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from channels.layers import InMemoryChannelLayer


class LoopBoundInMemoryChannelLayer(InMemoryChannelLayer):  # type: ignore[misc]
    """Sends from whatever loop or thread, delivered at once on the loop that called `receive` first."""

    home: asyncio.AbstractEventLoop | None = None

    async def receive(self, channel: str) -> dict[str, Any]:
        """Waits for the next message of one channel; the first caller's loop becomes home."""
        if self.home is None or self.home.is_closed():
            self.home = asyncio.get_running_loop()
        return await super().receive(channel)  # type: ignore[no-any-return]

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        await self._at_home(super().send(channel, message))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._at_home(super().group_send(group, message))

    async def group_add(self, group: str, channel: str) -> None:
        await self._at_home(super().group_add(group, channel))

    async def group_discard(self, group: str, channel: str) -> None:
        await self._at_home(super().group_discard(group, channel))

    async def _at_home(self, call: Coroutine[Any, Any, None]) -> None:
        """Runs the call on the home loop; where nobody has listened yet, or on that loop itself, right here."""
        home = self.home
        if home is None or home.is_closed() or home is asyncio.get_running_loop():
            await call
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, home))
