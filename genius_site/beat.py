"""When beat wakes. Celery's own wakes 10 ms before a task is due and asks again and again until it is. With our
ticks, a fortieth of a processor goes into that."""

from __future__ import annotations

from celery.beat import PersistentScheduler, Scheduler


class _AtTheTime:
    def adjust(self, n: float, drift: float = 0.0) -> float:
        """The seconds until a task is due, to the point."""
        return n


class InMemory(_AtTheTime, Scheduler):
    """For beat as a thread of the server's process: it writes no file."""


class InFile(_AtTheTime, PersistentScheduler):
    """For beat as a process of its own."""
