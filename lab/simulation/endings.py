"""The end of a run: all faults end, everything that is under way comes to its end, and time passes for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.simulation.failures import need
from matches import tasks
from matches.services import deadlines
from notices import tasks as notices
from seasons.services import advancing

if TYPE_CHECKING:
    from lab.simulation.world import World

_SECONDS = 8
_MOST_TRIES = 5
_LOSES_THE_LAST = 0.3


def calm_down(world: World) -> None:
    """Let everything happen that is to happen."""
    world.network.is_away, world.receivers.are_well = False, True
    if world.chance.random() < _LOSES_THE_LAST:
        world.network.waiting.clear()  # nothing comes after these that would tell of the same
    for process in world.processes:
        process.skew = 0.0
    _settle(world)
    for _ in range(_MOST_TRIES):
        if not (left := world.journal.unanswered):
            break
        for request in left:
            world.journal.send(request, world.webs[0])
        _settle(world)
        world.pass_time(1.0)
    keys = [request.key for request in world.journal.unanswered]
    need(not keys, "everybody is answered in the end", keys)
    _do_tasks(world)
    for _ in range(_SECONDS):
        world.pass_time(1.0)
        with world.inside(world.worker):
            deadlines.sweep()  # as each second: a page that was opened right before a deadline shows what ends by it
        _settle(world)
    _do_tasks(world)  # for what has become due meanwhile
    _settle(world)
    errors = [error for process in world.processes for error in process.loop.errors]
    need(not errors, "no task dies unseen", errors)


def _do_tasks(world: World) -> None:
    """What a worker does over and over."""
    with world.inside(world.worker):
        tasks.sweep()
        advancing.sweep()
        notices.pass_on()
        for tell in (notices.remind, notices.tell_hosts, notices.tell_of_mentions, notices.tell_of_messages):
            tell()
        notices.send()
        notices.post_match_news()


def _settle(world: World) -> None:
    """Until nobody has anything to do at this moment."""
    while world.network.waiting or any(process.is_busy for process in world.processes):
        for process in world.processes:
            process.work()
        for envelope in world.network.waiting[:]:
            world.network.deliver(envelope)
            world.network.waiting.remove(envelope)
