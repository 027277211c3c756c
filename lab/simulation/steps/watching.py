"""People open and close pages, and what processes tell each other arrives, or not."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.simulation.world import World

_MOST_PAGES = 6


def watch(world: World, draw: Random) -> str:
    """Somebody opens a page: a player, a visitor, a stranger."""
    if len(world.viewers.live) >= _MOST_PAGES:
        return leave(world, draw)
    process = draw.choice(world.webs)
    person = draw.choice([None, *world.cast.people])
    stage = world.cast.matches[0] if draw.random() < 0.8 else world.cast.matches[1]
    viewer = world.viewers.open(process, stage, person)
    return f"{viewer.number} {person and person.name} {process.name} {process.work(draw.choice((0, 2, 400)))}"


def leave(world: World, draw: Random) -> str:
    """Somebody closes a page, or asks for the whole board again."""
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
    """Messages between processes arrive: in any order, some twice, some never; or the broker goes and comes back."""
    network = world.network
    if draw.random() < 0.05:
        if network.is_away:
            network.is_away = False
        else:
            network.go_away(world.listeners)
        return "away" if network.is_away else "back"
    draw.shuffle(network.waiting)
    count = min(len(network.waiting), draw.randint(1, 4))
    for _ in range(count):
        envelope = network.waiting.pop()
        for _ in range(draw.choice((0, 1, 1, 1, 2))):
            network.deliver(envelope)
    process = draw.choice(world.webs)
    return f"{count} {process.name} {process.work(draw.choice((1, 400)))}"


STEPS = {"watch": watch, "leave": leave, "deliver": deliver}
