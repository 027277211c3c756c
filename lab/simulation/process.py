"""A simulated process, web server or worker: its event loop, and all that the site keeps in a process's memory."""

from __future__ import annotations

import asyncio
import os
import threading
from asyncio import base_events, events
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from lab.simulation.database import Died
from matches.api import endpoint
from matches.infra.asgi import respond
from matches.infra.db_threads import DatabaseThreads, deliver
from matches.infra.locks import Turns
from matches.live import hub, publisher, socket
from matches.services import deadlines, locking
from matches.services.group import queue
from matches.services.group.writer import Memory

if TYPE_CHECKING:
    from lab.simulation.world import World


class _NoSelector:
    """Waits for nothing: the simulation puts whatever comes from outside into the loop."""

    def select(self, timeout: float | None = None) -> list[Any]:
        return []


class Loop(base_events.BaseEventLoop):
    """An event loop that never runs by itself. `time`: seconds, read whenever the loop asks."""

    def __init__(self, time: Callable[[], float]) -> None:
        super().__init__()
        self._selector = _NoSelector()
        self._time = time
        self._thread_id = threading.get_ident()  # it counts as running from the start
        self._clock_resolution = 1e-9
        self.set_exception_handler(self._note)
        self.errors: list[str] = []

    def _note(self, _: Any, context: dict[str, Any]) -> None:
        self.errors.append(f"{context.get('message')}: {context.get('exception')!r}")

    def time(self) -> float:
        return self._time()

    def _write_to_self(self) -> None:
        """Do nothing: nobody sleeps who would have to be woken."""

    def _process_events(self, event_list: Any) -> None:
        """Do nothing: there are none."""

    @property
    def is_busy(self) -> bool:
        """Whether something can be done now."""
        loop: Any = self
        due = self.time() + self._clock_resolution
        return bool(loop._ready) or any(not t._cancelled and t._when <= due for t in loop._scheduled[:1])

    def turn(self) -> None:
        """Run once what is ready now."""
        loop: Any = self
        events._set_running_loop(self)
        try:
            loop._run_once()
        finally:
            events._set_running_loop(None)

    def begin(self, coroutine: Any) -> asyncio.Task[Any]:
        """Start a task on this loop, from outside it."""
        events._set_running_loop(self)
        try:
            return self.create_task(coroutine)
        finally:
            events._set_running_loop(None)

    def abandon(self) -> None:
        """Drop everything that waits here, as the process is dead."""
        loop: Any = self
        for task in asyncio.all_tasks(self):
            hushed: Any = task
            hushed._log_destroy_pending = False
        loop._ready.clear()
        loop._scheduled.clear()
        self._closed = True


_TURNS_OF_A_TASK = 400


async def _unreadable(scope: Any, receive: Any, send: Any) -> None:
    """Stands in for Django, which gets what cannot be parsed."""
    await respond(send, 400, [], b'{"accepted": false, "code": "malformed_json"}')


class Process:
    """One of the site's processes, from start to death. One that `serves` answers requests, a worker does not."""

    def __init__(self, world: World, name: str, *, serves: bool, skew: float = 0.0) -> None:
        self.world, self.name, self.serves, self.skew = world, name, serves, skew
        self.is_alive = True
        self.inbox: asyncio.Queue[Any] | None = None
        self.loop = Loop(lambda: self.world.seconds)
        tells = publisher.Publisher()
        tells._own = (os.getpid(), self.loop)
        line: Any = queue._queue
        self._values: dict[tuple[Any, str], Any] = {
            (queue, "_memory"): Memory(),
            (queue, "_queue"): type(line)("group-writer", queue._work),
            (hub, "_hub"): None,
            (hub, "_threads"): DatabaseThreads("live", 2),
            (socket, "_admission"): DatabaseThreads("live-admission", 2, waiting=2000),
            (locking, "_turns"): Turns(most=20),
            (publisher.publisher, "__dict__"): vars(tells),  # other modules hold the publisher itself, by name
            (deadlines, "_waiting"): frozenset(),
            (deadlines, "_looked_after"): None,
            (endpoint.Holder, "_known"): {},
        }
        """The module attributes that belong to one process."""
        self.gate = endpoint.ApiGate(_unreadable)
        self._pools: list[Any] = [
            self._values[queue, "_queue"],
            self._values[hub, "_threads"],
            self._values[socket, "_admission"],
        ]

    def start(self) -> None:
        """Begin to serve."""
        if self.serves:
            with self.world.inside(self):
                self.loop.begin(_wake_hub())

    # -- what the site's modules hold while this process runs -------------------------------------------

    def swap_in(self) -> None:
        """Put this process's own values into the site's modules."""
        for (module, name), value in self._values.items():
            setattr(module, name, value)

    def swap_out(self) -> None:
        """Take them back, as some are rebound in use."""
        for module, name in self._values:
            self._values[module, name] = getattr(module, name)

    # -- work ------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether something waits that can be done now."""
        return self.loop.is_busy or any(pool._free_jobs() for pool in self._pools)

    def work_once(self) -> None:
        """Run one turn of the loop, or one thread's next job; the seed decides which."""
        ready = [pool for pool in self._pools if pool._free_jobs()]
        if self.loop.is_busy:
            ready.append(None)
        if ready:
            chosen = self.world.chance.choice(ready) if len(ready) > 1 else ready[0]
            with self.world.inside(self):
                if chosen is None:
                    self.loop.turn()
                    if self.world.failure is not None:
                        raise self.world.failure
                else:
                    self._do_jobs(chosen)

    def _do_jobs(self, pool: Any) -> None:
        jobs = pool._next(pool._generation)
        outcomes = pool._do(jobs)
        if not self.is_alive:
            raise Died
        for _, _, error in outcomes:
            if isinstance(error, BaseException) and not isinstance(error, Exception):
                raise error
        self.world.moment("answer")
        deliver(outcomes)

    def work(self, most: int = _TURNS_OF_A_TASK) -> int:
        """Work until there is nothing to do, or `most` times; return how often. A death on the way ends it."""
        for count in range(most):
            if not self.is_busy:
                return count
            self.work_once()
        return most

    def end(self) -> None:
        """End the process: whatever was under way is lost."""
        self.is_alive, self.inbox = False, None
        with self.world.inside(self):
            loop: Any = self.loop
            for task in sorted(asyncio.all_tasks(loop), key=lambda task: int(task.get_name().rpartition("-")[2])):
                coroutine: Any = task.get_coro()
                with suppress(RuntimeError):  # it would wait for something on its way out
                    coroutine.close()
            self.loop.abandon()


async def _wake_hub() -> None:
    hub.the_hub().start()


_stack: list[Process] = []


def present() -> Process | None:
    """Return the process whose code runs now; None while a world is being prepared."""
    return _stack[-1] if _stack else None


@contextmanager
def running_as(process: Process) -> Iterator[None]:
    """Run the site's code as this process within the block."""
    outer = _stack[-1] if _stack else None
    if outer is not None:
        outer.swap_out()
    process.swap_in()
    _stack.append(process)
    try:
        yield
    finally:
        process.swap_out()
        _stack.pop()
        if outer is not None:
            outer.swap_in()
