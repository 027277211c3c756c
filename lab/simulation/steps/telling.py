"""What happened is told elsewhere: the outbox is emptied, mail is sent. Each task may come late, twice, or die."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from django.db import OperationalError

from notices import tasks

if TYPE_CHECKING:
    from lab.simulation.world import World


def pass_on(world: World, draw: Random) -> str:
    """The outbox is emptied."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    with world.inside(process):
        tasks.pass_on()
    return process.name


def mail(world: World, draw: Random) -> str:
    """Mail is sent, and people's own webhooks get their news."""
    _send(world, draw, tasks.send)
    return f"{sum(world.post.sent.values())} {sum(world.receivers.acknowledged.values())}"


def news(world: World, draw: Random) -> str:
    """Webhooks of matches get their news."""
    _send(world, draw, tasks.post_match_news)
    return str(sum(world.receivers.acknowledged.values()))


def _send(world: World, draw: Random, task: Callable[[], None]) -> None:
    """Where the process dies, or finds the database locked, what was taken may not be noted: it is sent once more."""
    deaths, process = world.deaths, draw.choice((world.worker, world.worker, world.webs[0]))
    try:
        with world.inside(process):
            task()
    except OperationalError:
        world.failed_while_sending = True
        raise
    finally:
        world.failed_while_sending |= world.deaths > deaths


def remind(world: World, draw: Random) -> str:
    """People are reminded of deadlines, hosts hear that all have submitted, people hear that they were named or that
    they have left something unread."""
    process = draw.choice((world.worker, world.worker, world.webs[0]))
    task = draw.choice((tasks.remind, tasks.remind, tasks.tell_hosts, tasks.tell_of_mentions, tasks.tell_of_messages))
    with world.inside(process):
        task()
    return f"{process.name} {task.__name__}"


STEPS = {"pass_on": pass_on, "mail": mail, "news": news, "remind": remind}
