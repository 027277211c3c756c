"""An event loop whose time jumps ahead whenever everybody waits, so that no test sleeps."""

import asyncio
import selectors
from collections.abc import Callable, Iterator
from typing import Any

import pytest


class _Patient(selectors.SelectSelector):
    """A selector that never waits: it moves its clock ahead by the timeout instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("everybody waits for something that never comes")
        self.now += timeout
        return super().select(0)


class QuickLoop(asyncio.SelectorEventLoop):
    """An event loop on which sleeping takes no time."""

    def __init__(self) -> None:
        self._patient = _Patient()
        super().__init__(self._patient)
        self._clock_resolution = 1e-9

    def time(self) -> float:
        return self._patient.now


@pytest.fixture
def quickly() -> Iterator[Callable[[Any], Any]]:
    """A function that runs a coroutine to its end on such a loop."""
    with asyncio.Runner(loop_factory=QuickLoop) as runner:
        yield runner.run
