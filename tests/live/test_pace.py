"""When pushes begin, by a clock that nobody waits for: every push here takes a set time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from matches.live.pace import LONGEST, REST, Pace
from tests.live.stage import Quickly, settled


class Pushes:
    """Named pushes that take so many seconds, and when each of them began and ended."""

    def __init__(self, **seconds: float) -> None:
        self.seconds = seconds
        self.begun: list[tuple[str, float]] = []
        self.under_way: set[str] = set()
        self.failures = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {}

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        return task

    def __getitem__(self, name: str) -> Callable[[], Coroutine[Any, Any, None]]:
        async def push() -> None:
            assert name not in self.under_way, "twice at the same time"
            self.begun.append((name, round(asyncio.get_running_loop().time(), 6)))
            self.under_way.add(name)
            await settled(self.seconds[name])
            self.under_way.discard(name)
            if self.failures:
                self.failures -= 1
                raise OSError("the database is away")

        return self._jobs.setdefault(name, push)

    @property
    def order(self) -> list[str]:
        return [name for name, _ in self.begun]


def crowded() -> bool:
    """Those who act wait for one another."""
    return True


def test_what_is_asked_for_while_nothing_happens_begins_at_once(quickly: Quickly) -> None:
    async def story() -> None:
        pushes = Pushes(a=0.004)
        pace = Pace(pushes.spawn, crowded)
        for _ in range(3):
            pace.ask(pushes["a"])
            await settled(0.1)
        assert pushes.begun == [("a", 0.0), ("a", 0.1), ("a", 0.2)]

    quickly(story())


def test_after_a_push_there_is_a_rest_that_follows_what_it_took(quickly: Quickly) -> None:
    async def story() -> None:
        pushes = Pushes(a=0.004, b=0.01)
        pace = Pace(pushes.spawn, crowded)
        for name in ("a", "b", "a"):
            pace.ask(pushes[name])
            pace.ask(pushes[name])
            await settled(0.001)
        await settled()
        assert pushes.begun[:3] == [
            ("a", 0.0),
            ("b", round(0.004 * (1 + REST), 6)),
            ("a", round(0.014 * (1 + REST), 6)),
        ]
        assert len(pushes.begun) == 3

    quickly(story())


def test_no_rest_is_longer_than_a_change_may_wait(quickly: Quickly) -> None:
    async def story() -> None:
        pushes = Pushes(a=1.0, b=0.001)
        pace = Pace(pushes.spawn, crowded)
        pace.ask(pushes["a"])
        await settled(1.01)
        pace.ask(pushes["b"])
        await settled()
        pace.ask(pushes["a"])
        await settled(0.5)
        pace.ask(pushes["b"])  # a is still under way, and has been for long
        await settled()
        begun = dict(pushes.begun[:2])
        assert begun["b"] == pytest.approx(1.0 + LONGEST)
        assert pushes.begun[3] == ("b", pytest.approx(1.81, abs=1e-3))

    quickly(story())


def test_one_that_is_stuck_holds_up_nobody_for_long(quickly: Quickly) -> None:
    async def story() -> None:
        pushes = Pushes(stuck=60.0, b=0.001)
        pace = Pace(pushes.spawn, crowded)
        pace.ask(pushes["stuck"])
        await settled(0.001)
        pace.ask(pushes["stuck"])
        for _ in range(10):
            pace.ask(pushes["b"])
            await settled(0.2)
        assert pushes.order == ["stuck"] + ["b"] * 10
        assert pushes.begun[1][1] <= LONGEST + 1e-9
        await settled(61)
        assert pushes.order[-1] == "stuck", "what was asked for meanwhile is forgotten"

    quickly(story())


def test_a_push_that_fails_is_tried_again_and_holds_up_nobody(quickly: Quickly) -> None:
    async def story() -> None:
        pushes = Pushes(a=0.001, b=0.001)
        pace, pushes.failures = Pace(pushes.spawn, crowded), 2
        pace.ask(pushes["a"])
        await settled(0.05)
        pace.ask(pushes["b"])
        await settled(5)
        assert pushes.order == ["a", "b", "a", "b"]

    quickly(story())


def test_where_nobody_who_acts_waits_a_push_follows_the_one_before(quickly: Quickly) -> None:
    async def story() -> None:
        waiting = True
        pushes = Pushes(a=0.01, b=0.01, c=0.01)
        pace = Pace(pushes.spawn, lambda: waiting)
        for name in ("a", "b", "c"):
            pace.ask(pushes[name])
        await settled(0.035)  # b begins after a rest, and during it the others become fewer
        waiting = False
        await settled()
        b = round(0.01 * (1 + REST), 6)
        assert pushes.begun == [("a", 0.0), ("b", b), ("c", round(b + 0.01, 6))]

    quickly(story())
