"""The channel layer of the one-process server: in memory, and safe to send to from any thread.

Channels' own `InMemoryChannelLayer` keeps asyncio queues. A task in a worker thread that sends through
`async_to_sync` runs on an event loop of its own and would put into queues that belong to the server's loop, which is
not thread-safe and does not wake that loop: messages would lie there for up to a second. This layer remembers which
loop receives from a channel and puts messages into it there.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer


class LoopBoundInMemoryChannelLayer(InMemoryChannelLayer):
    """Sends from whatever loop or thread; a message arrives at once on the loop that receives from its channel."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._loops: dict[str, asyncio.AbstractEventLoop] = {}
        self._groups_lock = threading.Lock()

    async def receive(self, channel: str) -> dict[str, Any]:
        """Waits for the next message of a channel. Given up (cancelled), the channel belongs to no loop any more."""
        self._loops[channel] = asyncio.get_running_loop()
        try:
            return await super().receive(channel)
        except asyncio.CancelledError:
            self._loops.pop(channel, None)
            raise

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Puts a message into a channel; raises ChannelFull."""
        put, loop = super().send(channel, message), self._loops.get(channel)
        if loop is None or loop.is_closed() or loop is asyncio.get_running_loop():
            await put
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(put, loop))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Puts a message into every channel of a group; a full one goes without, as on any layer."""
        self.require_valid_group_name(group)
        with self._groups_lock:
            channels = list(self.groups.get(group, ()))
        for channel in channels:
            with suppress(ChannelFull):
                await self.send(channel, message)

    async def group_add(self, group: str, channel: str) -> None:
        with self._groups_lock:  # nothing inside waits for anything
            await super().group_add(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        with self._groups_lock:
            await super().group_discard(group, channel)
