"""Moments of a simulated site that no seed need find, in a process of their own, as all of the simulator is."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.simulation.world import World


def a_page_opened_right_before_a_deadline(worlds: Sequence[World]) -> None:
    """Nothing happens any more but that time passes. Of every match type, and each player looks."""
    from lab.simulation import invariants
    from lab.simulation.world import calm_down

    for world in worlds:
        with world.alive():
            ((due,),) = world.seats.ask("SELECT MIN(next_deadline_at) FROM matches_match")
            world.go_to(datetime.fromisoformat(due).replace(tzinfo=UTC) - timedelta(microseconds=1))
            for person in world.cast.players:
                for stage in world.cast.matches:
                    world.viewers.open(world.webs[0], stage, person)
            calm_down(world)
            invariants.at_end(world)


def what_a_process_has_to_tell_is_its_own(worlds: Sequence[World]) -> None:
    """A worker that dies has told nobody; the next one tells what it has to say itself, without a thread."""
    from matches.live.messages import Hint
    from seasons import notices as of_seasons
    from talk import notices as of_talk

    world = worlds[0]
    threads = threading.enumerate()  # whoever made the match types' stages may have begun one
    with world.alive():
        for of_app in (of_seasons, of_talk):
            for number, lives in ((1, False), (2, True)):
                with world.inside(world.worker):
                    of_app.publisher.hint(Hint("desk", number, ()))
                if lives:
                    world.worker.work()
                else:
                    world.kill(world.worker)
            told = [envelope.text for envelope in world.network.waiting]
            assert [f'"match_id": {number}' in "".join(told) for number in (1, 2)] == [False, True], told
            world.network.waiting.clear()
        assert threading.enumerate() == threads


def _worlds() -> list[World]:
    """One of each match type, and one with a season."""
    from lab.simulation.__main__ import _stages
    from lab.simulation.world import World

    return [World(seats, cast, seed) for seed, (seats, cast) in enumerate(_stages().values())]


def main() -> None:
    """Exit with 0 if all is as it should be."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lab.simulation.settings")
    import django

    django.setup()
    worlds = _worlds()
    what_a_process_has_to_tell_is_its_own(worlds)
    a_page_opened_right_before_a_deadline(worlds)


if __name__ == "__main__":
    main()
