"""Players with all their requests and answers, and viewers with what their open pages show.

Each answer is compared with what is stored at the moment at which it arrives.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lab.simulation.database import need
from lab.simulation.prepared import Person, Stage
from matches.live import socket

if TYPE_CHECKING:
    from lab.simulation.process import Process
    from lab.simulation.world import World


_PASSING = {"busy", "match_fault", "overloaded", "too_many_refused"}
_BEFORE_THE_START = "match_not_open"
"""This refusal is not stored, and its key stays unused, as there is no log yet. Refusals after the end of a match are
not stored either: nothing is added to its log."""


@dataclass(eq=False)
class Request:
    """An action under its key, sent once or more often."""

    person: Person
    stage: Stage
    key: str
    body: bytes
    asked: list[Process] = field(default_factory=list)
    """Processes that have yet to answer."""
    answers: list[tuple[int, Any]] = field(default_factory=list)
    """The answers (status, decoded JSON) that a repetition must give again."""
    is_final: bool = False
    """Whether there is an answer after which nobody tries again."""

    @property
    def is_settled(self) -> bool:
        """Whether there is an answer that a repetition must give again."""
        return bool(self.answers)

    @property
    def actor(self) -> str:
        return f"player:{self.person.name}"


@dataclass(frozen=True, eq=False)
class _Asked:
    """A request on its way to a process. `changed`: it has another body under the same key; `was_settled`: whether the
    key was used up when it was sent."""

    request: Request
    process: Process
    changed: bool
    was_settled: bool


class Journal:
    """All requests of a run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.requests: list[Request] = []

    def send(self, request: Request, process: Process, body: bytes | None = None) -> None:
        """Send an action to a process through the API; with `body`, something else under the same key."""
        if request not in self.requests:
            self.requests.append(request)
        if body is None:
            request.asked.append(process)
        asked = _Asked(request, process, changed=body is not None, was_settled=request.is_settled)
        process.loop.begin(self._ask(asked, request.body if body is None else body))

    async def _ask(self, asked: _Asked, body: bytes) -> None:
        request = asked.request
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {request.person.secret}".encode())]
        headers += [(b"idempotency-key", request.key.encode())] if request.key else []
        path = f"/api/v1/matches/{request.stage.public}/actions/"
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
        answer: dict[str, Any] = {}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            answer.update(message)

        await asked.process.gate(scope | {"scheme": "http"}, receive, send)
        with self._world.watching():
            self._answered(asked, answer["status"], json.loads(answer["body"]))

    def _answered(self, asked: _Asked, status: int, body: Any) -> None:
        request, process, code = asked.request, asked.process, body.get("code", "")
        self._world.note(f"answer {request.key} {process.name} {status} {code} {json.dumps(body, sort_keys=True)}")
        need(status < 500 or code in _PASSING, "no server errors", f"{request.key}: {status} {body}")
        if asked.changed:
            refused = not asked.was_settled or status in (409, 429, 503)
            need(refused, "a used key takes nothing else", f"{request.key}: {status}")
            return
        request.asked.remove(process)
        request.is_final = request.is_final or (status < 500 and status != 429)
        if not request.key:
            return
        if code == _BEFORE_THE_START or (status == 422 and self._is_over(request) and not self._stored(request)):
            need(not asked.was_settled, "a repetition gets the first answer", (request.key, request.answers, body))
        elif status in (200, 422):
            self._settled(request, status, body)

    def _settled(self, request: Request, status: int, body: Any) -> None:
        """Check an answer that is stored under its key and that every repetition gets again."""
        stored = self._stored(request)
        need(stored, "answered is stored", f"{request.key} of {request.actor}")
        if status == 200:
            receipt = body["receipt"]
            need(stored == (1, "", receipt["hash"], receipt["number"]), "the receipt is the stored one", (stored, body))
        else:
            need(stored and stored[:2] == (0, body["code"]), "a refusal is the stored one", (stored, body))
        for before, said in request.answers:
            same = before == status and _of_the_action(said) == _of_the_action(body)
            need(same, "a repetition gets the first answer", (request.key, said, body))
        request.answers.append((status, body))

    def _is_over(self, request: Request) -> bool:
        found = self._world.seats.ask("SELECT status FROM matches_match WHERE id = ?", request.stage.number)
        return bool(found[0][0] in ("finished", "cancelled"))

    def _stored(self, request: Request) -> tuple[Any, ...] | None:
        rows = self._world.seats.ask(
            "SELECT accepted, code, receipt_hash, own_number FROM matches_submission"
            " WHERE match_id = ? AND actor = ? AND key = ? AND NOT key = ''",
            request.stage.number,
            request.actor,
            request.key,
        )
        need(len(rows) < 2, "once a key", request.key)
        return rows[0] if rows else None

    def pushed(self, match_id: int, head: int) -> None:
        """Check that a match's change is stored when the site tells open pages of it."""
        ((stored,),) = self._world.seats.ask("SELECT log_count FROM matches_match WHERE id = ?", match_id)
        need(stored >= head, "told is stored", f"match {match_id}: told {head}, stored {stored}")

    def lost(self, process: Process) -> None:
        """Forget that a dead process was asked."""
        for request in self.requests:
            request.asked = [each for each in request.asked if each is not process]

    @property
    def unanswered(self) -> list[Request]:
        """Requests that no process will answer any more."""
        return [request for request in self.requests if request.key and not request.asked and not request.is_final]

    def check(self) -> None:
        """Check at the end that what was accepted is stored once, and nothing else is."""
        asked = {(request.stage.number, request.actor, request.key): request for request in self.requests}
        rows = self._world.seats.ask(
            "SELECT match_id, actor, key, accepted, payload FROM matches_submission WHERE kind = 'action'"
        )
        for match, actor, key, accepted, payload in rows:
            request = asked.get((match, actor, key))
            if not key:
                continue
            need(request is not None, "nothing stored that was not sent", (actor, key, payload))
            if request is not None and accepted:
                need(json.loads(payload) == json.loads(request.body), "stored as sent", (key, payload))
        for request in self.requests:
            if request.key and any(status == 200 for status, _ in request.answers):
                need(self._stored(request), "answered stays stored", request.key)


def _of_the_action(body: Any) -> Any:
    """The part of an answer that does not depend on when it was given."""
    return {name: value for name, value in body.items() if name != "versions"}


_LEFT = 0
"""Stands for a close code: the page itself has closed the socket."""


class Viewer:
    """A program on a socket. `person`: None for a visitor."""

    def __init__(self, number: int, world: World, process: Process, stage: Stage, person: Person | None) -> None:
        self.number, self.process, self.stage, self.person = number, process, stage, person
        self._world = world
        self.shown: dict[str, Any] = {}
        self.hints = set[str]()
        """Channels of talk about which this viewer got a hint."""
        self.is_open = False
        self.closed: int | None = None
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        process.loop.begin(self._watch())

    @property
    def player(self) -> int | None:
        """The id of the player whose private view this viewer may see."""
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
            return  # it was on its way when the viewer left
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
        """Send a request over the socket."""
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
        """The viewers that wait for news or for their first frame."""
        return [viewer for viewer in self.all if viewer.closed is None]

    def open(self, process: Process, stage: Stage, person: Person | None) -> Viewer:
        """Open a page."""
        viewer = Viewer(len(self.all), self._world, process, stage, person)
        self.all.append(viewer)
        return viewer

    def lost(self, process: Process) -> None:
        """Close the sockets of a dead process."""
        for viewer in self.live:
            if viewer.process is process:
                viewer.is_open, viewer.closed = False, 1006
