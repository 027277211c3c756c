"""People at open pages: what they were sent, and what they would show."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from lab.simulation.failures import need
from lab.simulation.prepared import Person, Stage
from matches.live import socket

if TYPE_CHECKING:
    from lab.simulation.process import Process
    from lab.simulation.world import World

_LEFT = 0
"""In place of a close code: nobody has closed the socket but the page itself."""


class Viewer:
    """A program at a socket. `person`: None for a visitor."""

    def __init__(self, number: int, world: World, process: Process, stage: Stage, person: Person | None) -> None:
        self.number, self.process, self.stage, self.person = number, process, stage, person
        self._world = world
        self.shown: dict[str, Any] = {}
        self.hints = set[str]()
        """Channels in which this one was told that there is something to read."""
        self.is_open = False
        self.closed: int | None = None
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        process.loop.begin(self._watch())

    @property
    def player(self) -> int | None:
        """The id of the player whose own view this one may see."""
        return None if self.person is None else self.person.players.get(self.stage.number)

    async def _watch(self) -> None:
        headers = [(b"host", b"localhost")]
        if self.person is not None:
            headers.append((b"authorization", f"Bearer {self.person.secret}".encode()))
        scope = {
            "type": "websocket",
            "headers": headers,
            "query_string": b"format=json",
            "client": (f"10.0.0.{self.number % 200}", 1),
            "url_route": {"kwargs": {"public_id": self.stage.public}},
        }
        await socket.match_socket(scope, self._said.get, self._sent)

    async def _sent(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.accept":
            self.is_open = True
        elif message["type"] == "websocket.close":
            self.is_open, self.closed = False, message["code"]
            self._world.note(f"viewer {self.number} closed {message['code']}")
        else:
            with self._world.watching():
                self._take(message["text"])

    def _take(self, text: str) -> None:
        if self.closed == _LEFT:
            return  # it was on its way when this one left
        frame = json.loads(text)
        need(self.closed is None, "nothing after the end", text)
        self._world.note(f"viewer {self.number} {text}")
        if "error" in frame or "type" in frame:
            return
        if self.player is None:
            need(not {"private", "private_version"} & set(frame), "private frames are for one", text)
        elif frame.get("private") is not None:
            need(frame["private"].get("handle") in (None, self.person and self.person.name), "private frames", text)
        if (hint := frame.pop("hint", None)) is not None:
            self.hints.add(hint["channel"])
        for version in ("version", "private_version"):
            if version in frame and version in self.shown:
                need(frame[version] >= self.shown[version], "no frame goes back", text)
        self.shown |= frame

    def say(self, kind: str) -> None:
        """Ask for something over the socket."""
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": kind})})

    def leave(self) -> None:
        """Close the page."""
        self.is_open, self.closed = False, _LEFT
        self._said.put_nowait({"type": "websocket.disconnect"})


class Viewers:
    """All pages of a run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.all: list[Viewer] = []

    @property
    def live(self) -> list[Viewer]:
        """Those that still wait for news, or for their first frame."""
        return [viewer for viewer in self.all if viewer.closed is None]

    def open(self, process: Process, stage: Stage, person: Person | None) -> Viewer:
        """Somebody opens a page."""
        viewer = Viewer(len(self.all), self._world, process, stage, person)
        self.all.append(viewer)
        return viewer

    def lost(self, process: Process) -> None:
        """A process is dead, and with it its sockets."""
        for viewer in self.live:
            if viewer.process is process:
                viewer.is_open, viewer.closed = False, 1006
