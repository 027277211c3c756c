"""The event loop of a simulated process: it turns when it is told to, and its time is the simulation's."""

from __future__ import annotations

import asyncio
import threading
from asyncio import base_events, events
from collections.abc import Callable
from typing import Any


class _NoSelector:
    """There is nothing to wait for: whatever comes from outside is put into the loop by the simulation."""

    def select(self, timeout: float | None = None) -> list[Any]:
        return []


class Loop(base_events.BaseEventLoop):
    """A loop that is never run by itself. `time`: seconds, read whenever the loop asks."""

    def __init__(self, time: Callable[[], float]) -> None:
        super().__init__()
        self._selector = _NoSelector()
        self._time = time
        self._thread_id = threading.get_ident()  # it counts as running from the beginning
        self._clock_resolution = 1e-9
        self.set_exception_handler(self._note)
        self.errors: list[str] = []

    def _note(self, _: Any, context: dict[str, Any]) -> None:
        self.errors.append(f"{context.get('message')}: {context.get('exception')!r}")

    def time(self) -> float:
        return self._time()

    def _write_to_self(self) -> None:
        """Nobody sleeps who would have to be woken."""

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    @property
    def is_busy(self) -> bool:
        """Whether something can be done now."""
        loop: Any = self
        due = self.time() + self._clock_resolution
        return bool(loop._ready) or any(not t._cancelled and t._when <= due for t in loop._scheduled[:1])

    def turn(self) -> None:
        """Do once what is ready by now."""
        loop: Any = self
        events._set_running_loop(self)
        try:
            loop._run_once()
        finally:
            events._set_running_loop(None)

    def begin(self, coroutine: Any) -> asyncio.Task[Any]:
        """A task on this loop, from outside of it."""
        events._set_running_loop(self)
        try:
            return self.create_task(coroutine)
        finally:
            events._set_running_loop(None)

    def abandon(self) -> None:
        """The process is dead: nothing that waits here goes on."""
        loop: Any = self
        for task in asyncio.all_tasks(self):
            hushed: Any = task
            hushed._log_destroy_pending = False
        loop._ready.clear()
        loop._scheduled.clear()
        self._closed = True
