"""The channel layer between simulated processes: messages wait here until a step delivers, loses or doubles them."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

from lab.simulation.ground import AProcess
from lab.simulation.process import present


class Envelope(NamedTuple):
    """A message on its way to a process."""

    to: AProcess
    text: str


class Network:
    """What is on its way. While it `is_away`, sending and receiving fail as if the broker were gone."""

    def __init__(self) -> None:
        self.waiting: list[Envelope] = []
        self.is_away = False

    def send(self, processes: list[AProcess], message: dict[str, Any]) -> None:
        """Put a message on its way to all who listen."""
        if self.is_away:
            raise ConnectionError("the broker is away")
        text = json.dumps(message)
        self.waiting += [Envelope(each, text) for each in processes if each.inbox is not None]

    def deliver(self, envelope: Envelope) -> None:
        """Hand a message over, if the one who waited for it still lives."""
        if envelope.to.inbox is not None:
            envelope.to.inbox.put_nowait(json.loads(envelope.text))

    def go_away(self, processes: list[AProcess]) -> None:
        """The broker is gone with all that it had: those who listen are told of an error."""
        self.is_away = True
        for process in processes:
            if process.inbox is not None:
                process.inbox.put_nowait(None)
        self.waiting.clear()


class Layer:
    """The channel layer as the product knows it, for whichever process runs."""

    def __init__(self, **_: Any) -> None:
        pass

    async def new_channel(self) -> str:
        return "here"

    async def group_add(self, group: str, channel: str) -> None:
        process = _running()
        if process.world.network.is_away:
            raise ConnectionError("the broker is away")
        process.inbox = asyncio.Queue()

    async def receive(self, channel: str) -> dict[str, Any]:
        process = _running()
        if process.inbox is None:
            raise ConnectionError("nobody listens")
        message: dict[str, Any] | None = await process.inbox.get()
        if message is None:
            process.inbox = None
            raise ConnectionError("the broker is away")
        return message

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if (process := present()) is not None:
            process.world.network.send(process.world.listeners, message)


def _running() -> AProcess:
    process = present()
    if process is None:
        raise ConnectionError("no simulation runs")
    return process
