"""Players send actions: good ones and rubbish, once and again."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from lab.simulation.journal import Request
from lab.simulation.prepared import Person, Stage
from matches.engine.draw import Draw
from matches.games.registry import game_of

if TYPE_CHECKING:
    from lab.simulation.world import World

_RUBBISH: tuple[bytes, ...] = (
    b"",
    b"{",
    b"null",
    b"[]",
    b'{"type": 7}',
    b'{"type": "bid"}',
    b'{"type": "no such thing", "amount": 1e400}',
    b'{"type": "bid", "amount": -1, "seat": "\\u0000", "lot": null}',
    b'{"type": "bid", "amount": 99999999999999999999999, "seat": "Z"}',
    b'{"type": "' + b"x" * 3000 + b'"}',
)


def _stage(world: World, draw: Random) -> Stage:
    return world.cast.matches[0] if draw.random() < 0.8 else draw.choice(world.cast.matches)


def act(world: World, draw: Random) -> str:
    """Somebody acts; mostly the process gets to it at once."""
    stage = _stage(world, draw)
    person = draw.choice(world.cast.players) if draw.random() < 0.97 else world.cast.people[-1]
    action = _action(world, stage, person, draw)
    request = Request(person, stage, f"k{draw.getrandbits(48):x}" if draw.random() < 0.95 else "", action)
    process = draw.choice(world.webs)
    world.journal.send(request, process)
    return f"{person.name} {action[:60]!r} {_work(world, draw, process)}"


def _work(world: World, draw: Random, process: Any) -> str:
    """The process works: mostly until it has nothing more to do."""
    share = draw.random()
    if share < 0.2:
        return "waits"
    return f"{process.name} {process.work(400 if share < 0.8 else draw.randint(1, 8))}"


def _action(world: World, stage: Stage, person: Person, draw: Random) -> bytes:
    if draw.random() < 0.08:
        return draw.choice(_RUBBISH)
    action = _wanted(world, stage, person, draw)
    if action is None:
        return draw.choice(_RUBBISH)
    if draw.random() < 0.1:
        action[draw.choice(list(action))] = draw.choice((None, -1, 0, 1, "", "A", 10**9, [], {}))
    return json.dumps(action).encode()


def _wanted(world: World, stage: Stage, person: Person, draw: Random) -> dict[str, Any] | None:
    """What a bot would do in this place; None before the opening, or if it wants nothing."""
    ((text,),) = world.seats.ask("SELECT state FROM matches_match WHERE id = ?", stage.number)
    player = person if person.players else world.cast.players[0]
    if not text:
        return None
    game = game_of(stage.game)
    state = game.decode_state(text)
    public, private = game.public_view(state), game.private_view(state, player.name)
    for _ in range(3):
        found = game.bot_action(public, private, state.core.time, Draw(draw.randbytes(32)))
        if found is not None:
            return dict(found)
    return None


def retry(world: World, draw: Random) -> str:
    """Somebody sends again what was not answered, or what was; sometimes something else under a used key."""
    requests = world.journal.unanswered or world.journal.requests
    requests = [request for request in requests if request.key]
    if not requests:
        return "nothing to send again"
    request, process = draw.choice(requests), draw.choice(world.webs)
    body = b'{"type": "something else"}' if draw.random() < 0.15 else None
    world.journal.send(request, process, body if body != request.body else None)
    return f"{request.key} {_work(world, draw, process)}"


def work(world: World, draw: Random) -> str:
    """A process goes on with what waits there."""
    process = draw.choice(world.processes)
    return f"{process.name} {process.work(draw.choice((1, 3, 10, 400)))}"


STEPS = {"act": act, "retry": retry, "work": work}
