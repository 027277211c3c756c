"""Simulates what leaves a process: messages through the channel layer, mail, and posts to other servers."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.mail.backends.base import BaseEmailBackend

from lab.simulation.process import present
from notices.safe_http import Answer, NotReached

if TYPE_CHECKING:
    from lab.simulation.process import Process
    from lab.simulation.world import World


class Envelope(NamedTuple):
    """A message on its way to a process."""

    to: Process
    text: str


class Network:
    """The messages on their way. While it `is_away`, sending and receiving fail as if the broker were down."""

    def __init__(self) -> None:
        self.waiting: list[Envelope] = []
        self.is_away = False

    def send(self, processes: list[Process], message: dict[str, Any]) -> None:
        """Send a message to all processes that listen."""
        if self.is_away:
            raise ConnectionError("the broker is away")
        text = json.dumps(message)
        self.waiting += [Envelope(each, text) for each in processes if each.inbox is not None]

    def deliver(self, envelope: Envelope) -> None:
        """Deliver a message, if its receiver still lives."""
        if envelope.to.inbox is not None:
            envelope.to.inbox.put_nowait(json.loads(envelope.text))

    def go_away(self, processes: list[Process]) -> None:
        """Take the broker down with all its messages: those who listen get an error."""
        self.is_away = True
        for process in processes:
            if process.inbox is not None:
                process.inbox.put_nowait(None)
        self.waiting.clear()


class Layer:
    """The channel layer of whichever process runs."""

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
            process.world.network.send(process.world.processes, message)


def _running() -> Process:
    process = present()
    if process is None:
        raise ConnectionError("no simulation runs")
    return process


class Backend(BaseEmailBackend):
    """Django's interface to the simulated mail server."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        process = present()
        if process is not None:
            for message in email_messages:
                sent = message.extra_headers.get("Message-ID", message.subject)
                process.world.mailed.update((address, sent) for address in message.recipients())
        return len(email_messages)


_FAILS, _ANSWER_IS_LOST = 0.1, 0.05


class Receivers:
    """All receivers of posts. `acknowledged`: how often a post (address, id) was taken and the site was told; `taken`:
    ids by address, in the order in which they came first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.acknowledged: Counter[tuple[str, str]] = Counter()
        self.taken: dict[str, dict[str, None]] = {}
        self.are_well = False

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Replace `safe_http.post`. The sender may die just before the post arrives, and just after."""
        self._world.moment("posting")
        id, share = headers["webhook-id"], 1.0 if self.are_well else self._world.chance.random()
        self._world.note(f"post {url} {id} {share:.3f}")
        if share < _FAILS:
            return Answer(503)
        self.taken.setdefault(url, {})[id] = None
        self._world.moment("posted")
        if share < _FAILS + _ANSWER_IS_LOST:
            raise NotReached("no_answer", "No answer came.")
        self.acknowledged[url, id] += 1
        return Answer(204)
