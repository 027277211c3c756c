"""What players have sent, and every answer that they got: the other side's account of the books.

Each answer is compared with what is stored at the very moment at which it arrives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lab.simulation.failures import need
from lab.simulation.prepared import Person, Stage

if TYPE_CHECKING:
    from lab.simulation.process import Process
    from lab.simulation.world import World

_PASSING = {"busy", "match_fault", "overloaded", "too_many_refused"}
_BEFORE_THE_START = "match_not_open"
"""This refusal is not stored, and its key stays unused: there is no log to store it in."""


@dataclass(eq=False)
class Request:
    """An action under its key, sent once or more often."""

    person: Person
    stage: Stage
    key: str
    body: bytes
    asked: list[Process] = field(default_factory=list)
    """Processes that have not answered yet."""
    answers: list[tuple[int, Any]] = field(default_factory=list)
    """Those to this body that a repetition must give again: status, and decoded JSON."""
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
    """A request on its way to a process. `changed`: under its key goes something else; `was_settled`: whether its key
    had been used up when this was sent."""

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
        """Send an action to a process by the API; with another `body`, something else under the same key."""
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
        if code == _BEFORE_THE_START:
            need(not asked.was_settled, "a repetition gets the first answer", (request.key, request.answers, body))
        elif status in (200, 422):
            self._settled(request, status, body)

    def _settled(self, request: Request, status: int, body: Any) -> None:
        """An answer that is stored under its key, and every repetition gets again."""
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
        """The product tells its pages that a match has changed: that must be stored by now."""
        ((stored,),) = self._world.seats.ask("SELECT log_count FROM matches_match WHERE id = ?", match_id)
        need(stored >= head, "told is stored", f"match {match_id}: told {head}, stored {stored}")

    def lost(self, process: Process) -> None:
        """A process is dead: it answers nobody any more."""
        for request in self.requests:
            request.asked = [each for each in request.asked if each is not process]

    @property
    def unanswered(self) -> list[Request]:
        """Requests that nobody answers any more."""
        return [request for request in self.requests if request.key and not request.asked and not request.is_final]

    def check(self) -> None:
        """At the end: what was accepted is stored once, and nothing else is."""
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
    """What an answer says besides how things stand by now."""
    return {name: value for name, value in body.items() if name != "versions"}
