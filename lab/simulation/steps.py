"""The steps of a simulation by name: functions of the world and a step's own chance, which return what happened."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from django.db import OperationalError

from accounts.models import User
from genius_site import tasks
from lab.simulation.people import Request
from lab.simulation.prepared import Person, Stage
from matches.engine.draw import Draw
from matches.games.registry import game_of
from matches.infra.db_waits import is_busy
from matches.models import Match
from matches.services import deadlines, hosting
from matches.services.errors import Refused
from notices import deliveries
from seasons.models import Season
from seasons.services import running

if TYPE_CHECKING:
    from lab.simulation.prepared import Step
    from lab.simulation.world import World

    Do = Callable[[World, Random], str]


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
    """Send an action; mostly the process handles it at once."""
    stage = _stage(world, draw)
    person = draw.choice(world.cast.players) if draw.random() < 0.97 else world.cast.people[-1]
    action = _action(world, stage, person, draw)
    request = Request(person, stage, f"k{draw.getrandbits(48):x}" if draw.random() < 0.95 else "", action)
    process = draw.choice(world.webs)
    world.journal.send(request, process)
    return f"{person.name} {action[:60]!r} {_work(world, draw, process)}"


def _work(world: World, draw: Random, process: Any) -> str:
    """Let the process work, mostly until it has nothing more to do."""
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
    """The action of a bot in this place; None before the opening, or if it wants nothing."""
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
    """Send again what was not answered, or what was; sometimes something else under a used key."""
    requests = world.journal.unanswered or world.journal.requests
    requests = [request for request in requests if request.key]
    if not requests:
        return "nothing to send again"
    request, process = draw.choice(requests), draw.choice(world.webs)
    body = b'{"type": "something else"}' if draw.random() < 0.15 else None
    world.journal.send(request, process, body if body != request.body else None)
    return f"{request.key} {_work(world, draw, process)}"


def work(world: World, draw: Random) -> str:
    """Let a process continue with what waits there."""
    process = draw.choice(world.processes)
    return f"{process.name} {process.work(draw.choice((1, 3, 10, 400)))}"


def die(world: World, draw: Random) -> str:
    """Kill the process that runs now."""
    if not world.is_running:
        return kill(world, draw)
    world.kill_running()
    return "killed"


def kill(world: World, draw: Random) -> str:
    """Kill a process, whatever waits there."""
    process = draw.choice(world.processes)
    world.kill(process)
    return process.name


def skew(world: World, draw: Random) -> str:
    """Set the clock of one process wrong by up to half a second, or right again."""
    process = draw.choice(world.processes)
    process.skew = draw.choice((0.0, draw.uniform(-0.5, 0.5)))
    return f"{process.name} {process.skew:.3f}"


def gap(world: World, draw: Random) -> str:
    """Stop all processes, and start them hours later."""
    for process in list(world.processes):
        world.kill(process)
    world.network.waiting.clear()
    hours = draw.choice((0.01, 0.2, 3, 30, 80))
    world.pass_time(hours * 3600)
    return f"{hours} hours"


def _command(name: str, match: Match, host: Any, draw: Random) -> None:
    match name:
        case "pause":
            hosting.pause(match, host, reason="a break")
        case "resume":
            hosting.resume(match, host)
        case "extend":
            hosting.extend(match, host, timedelta(minutes=draw.choice((10, 600))), reason="too early")
        case "close":
            hosting.close_deadline(match, host, reason="all have acted")
        case _:
            hosting.announce(match, host, "announcement", "Good luck to all of you.")


def host(world: World, draw: Random) -> str:
    """Give a host's command, which may be refused."""
    name = draw.choice(("pause", "resume", "resume", "extend", "extend", "close", "announce"))
    stage = world.cast.matches[draw.choice((0, 0, 0, 1))]
    with world.inside(draw.choice(world.webs)):
        try:
            _command(name, Match.objects.get(pk=stage.number), User.objects.get(pk=world.cast.host), draw)
        except Refused as refusal:
            return f"{name} {refusal.code}"
    return name


def season(world: World, draw: Random) -> str:
    """Sweep seasons, give a host's command, or name an opponent as a member."""
    if world.cast.season is None:
        return "none here"
    process = draw.choice((world.worker, *world.webs))
    with world.inside(process):
        if draw.random() < 0.5:
            return f"sweep {running.sweep()}"
        found = Season.objects.get(pk=world.cast.season)
        try:
            return _decide(world, found, draw)
        except Refused as refusal:
            return refusal.code


def _decide(world: World, found: Season, draw: Random) -> str:
    names = [person.name for person in world.cast.players]
    key = f"s{draw.getrandbits(8)}"
    if draw.random() < 0.3:
        person = draw.choice(world.cast.players)
        running.name_opponent(found, User.objects.get(pk=person.user), draw.choice(names), key=key)
        return "named"
    host = User.objects.get(pk=world.cast.host)
    if draw.random() < 0.3:
        hosting.publish(Match.objects.get(pk=world.cast.matches[1].number), host)
        return "published"
    amount = draw.choice((-12, -1, 1, 2))
    commands: tuple[dict[str, Any], ...] = (
        {"settle": True},
        {"correct": {"player": draw.choice(names), "asset": "garnet", "amount": amount}, "reason": "A gift."},
        {"name_opponent": draw.choice(names), "reason": "Away."},
        {"death_match": {"loser": draw.choice(names)}, "reason": "Lost."},
    )
    command = draw.choice(commands)
    running.command(found, host, command, key=key)
    return next(iter(command))


def pass_on(world: World, draw: Random) -> str:
    """Empty the outbox."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    with world.inside(process):
        tasks.pass_on()
    return process.name


def mail(world: World, draw: Random) -> str:
    """Send mail, and posts to people's own webhooks."""
    _send(world, draw, "email", "push", "webhook")
    return f"{sum(world.mailed.values())} {sum(world.receivers.acknowledged.values())}"


def news(world: World, draw: Random) -> str:
    """Send posts to matches' webhooks."""
    _send(world, draw, "news")
    return str(sum(world.receivers.acknowledged.values()))


def _send(world: World, draw: Random, *channels: str) -> None:
    """Send through these channels. If the process dies or finds the database locked, a sent message may not be
    recorded, and is sent again."""
    deaths, process = world.deaths, draw.choice((world.worker, world.worker, world.webs[0]))
    try:
        with world.inside(process):
            for channel in channels:
                for address in deliveries.due(channel):
                    deliveries.deliver(channel, address)
    except OperationalError:
        world.failed_while_sending = True
        raise
    finally:
        world.failed_while_sending |= world.deaths > deaths


def remind(world: World, draw: Random) -> str:
    """Run a task that reminds of deadlines, or tells hosts of submissions or people of mentions or messages."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    task = draw.choice((tasks.remind, tasks.remind, tasks.tell_hosts, tasks.tell_of_mentions, tasks.tell_of_messages))
    with world.inside(process):
        task()
    return f"{process.name} {task.__name__}"


_MOST_PAGES = 6


def watch(world: World, draw: Random) -> str:
    """Open a page as a player, a visitor or a stranger."""
    if len(world.viewers.live) >= _MOST_PAGES:
        return leave(world, draw)
    process = draw.choice(world.webs)
    person = draw.choice([None, *world.cast.people])
    stage = world.cast.matches[0] if draw.random() < 0.8 else world.cast.matches[1]
    viewer = world.viewers.open(process, stage, person)
    return f"{viewer.number} {person and person.name} {process.name} {process.work(draw.choice((0, 2, 400)))}"


def leave(world: World, draw: Random) -> str:
    """Close a page, or ask for the whole board again."""
    viewers = world.viewers.live
    if not viewers:
        return "nobody is there"
    viewer = draw.choice(viewers)
    if draw.random() < 0.5:
        viewer.say("resync")
    else:
        viewer.leave()
    return f"{viewer.number} {viewer.process.name} {viewer.process.work()}"


def deliver(world: World, draw: Random) -> str:
    """Deliver messages between processes in any order, some twice, some never; or take the broker down or up."""
    network = world.network
    if draw.random() < 0.05:
        if network.is_away:
            network.is_away = False
        else:
            network.go_away(world.processes)
        return "away" if network.is_away else "back"
    draw.shuffle(network.waiting)
    count = min(len(network.waiting), draw.randint(1, 4))
    for _ in range(count):
        envelope = network.waiting.pop()
        for _ in range(draw.choice((0, 1, 1, 1, 2))):
            network.deliver(envelope)
    process = draw.choice(world.webs)
    return f"{count} {process.name} {process.work(draw.choice((1, 400)))}"


def sweep(world: World, draw: Random) -> str:
    """Sweep deadlines, by the worker or by a second one beside it."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    with world.inside(process):
        if draw.random() < 0.2:
            tasks.sweep()
        else:
            deadlines.sweep()  # what every sweep begins with
    return process.name


def wait(world: World, draw: Random) -> str:
    """Let time pass."""
    seconds = draw.choice((0.001, 0.1, 1.0, 6.0, 60.0, 900.0, 3600.0, 6 * 3600.0))
    world.pass_time(seconds)
    return f"{seconds} seconds"


def due(world: World, draw: Random) -> str:
    """Go to the next deadline, a moment before or after it. Then people act, and somebody sweeps."""
    rows = world.seats.ask("SELECT MIN(next_deadline_at) FROM matches_match WHERE next_deadline_at IS NOT NULL")
    if rows[0][0] is None:
        return "nothing is due"
    instant = datetime.fromisoformat(rows[0][0]).replace(tzinfo=UTC)
    world.go_to(instant + draw.choice((-1, 0, 0, 1, 1000)) * timedelta(microseconds=1))
    done = [act, sweep, act, sweep][draw.randint(0, 2) :]
    draw.shuffle(done)
    return " ".join(step(world, draw) for step in done)


_ALL: dict[str, Do] = {
    step.__name__: step
    for step in (
        act, retry, work, die, kill, skew, gap, host, season, pass_on, mail, news, remind, watch, leave, deliver,
        sweep, wait, due,
    )
}  # fmt: skip


def act_on(world: World, step: Step) -> str:
    """Do a step."""
    try:
        return _ALL[step.kind](world, Random(step.seed))
    except OperationalError as error:
        if not is_busy(error):
            raise
        return "locked"  # a task that fails like this runs again a second later
