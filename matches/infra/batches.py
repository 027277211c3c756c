"""A worker thread with its own database connection that takes all waiting jobs at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from time import monotonic
from typing import Generic, TypeVar

from matches.infra.db_threads import DatabaseThreads, Job, Outcome

A = TypeVar("A")
R = TypeVar("R")

_MOST_TOGETHER = 64
INSIST = 4.5  # seconds for which a job is tried again
_PAUSE = 0.01  # seconds between tries if only jobs to be tried again are waiting


class Again(Exception):
    """Returned for a job that cannot be done just now: it goes back to the end of the queue, for a limited time."""


class Batches(DatabaseThreads, Generic[A, R]):
    """A queue whose one thread hands all waiting jobs to `work`, in order. `work` returns for each job its result, or
    an exception to raise for its caller (`Again` only after a while). For the limits see `DatabaseThreads`."""

    def __init__(
        self,
        name: str,
        work: Callable[[Sequence[A]], Sequence[R | Exception]],
        *,
        waiting: int = 1000,
        patience: float = 5.0,
    ) -> None:
        super().__init__(name, 1, waiting=waiting, patience=patience)
        self._work_together = work

    async def ask(self, key: Hashable, asked: A) -> R:
        """Queue a job from a coroutine, and return its result. Raises `Overloaded` if it was not begun, or the
        exception that `work` returned for it. Jobs of one `key` share a limit."""
        loop = asyncio.get_running_loop()
        return await self._wait_for(Job(key, asked, loop, until=monotonic() + INSIST), loop)  # type: ignore[no-any-return]

    def ask_in_thread(self, key: Hashable, asked: A, *, insist: float = INSIST) -> R:
        """The same for a thread, which is blocked meanwhile. `insist`: the seconds for which it is tried again; it must
        be begun within a second more."""
        job = Job(key, asked, None, until=monotonic() + insist)
        self._enqueue(job)
        try:
            return job.future.result(min(self._patience, insist + 1))  # type: ignore[no-any-return,call-arg]
        except FutureTimeoutError:
            self._give_up(job)  # unless it has been begun
            return job.future.result()  # type: ignore[no-any-return]

    def _free_jobs(self) -> list[Job]:
        return [job for job, _ in zip(self._waiting, range(_MOST_TOGETHER), strict=False)]

    def _do(self, jobs: list[Job]) -> list[Outcome]:
        results = self._work_together([job.work for job in jobs])
        done, again = list[Outcome](), list[Job]()
        for job, result in zip(jobs, results, strict=True):
            if isinstance(result, Again) and monotonic() < job.until:
                again.append(job)
            elif isinstance(result, Exception):
                done.append((job, None, result))
            else:
                done.append((job, result, None))
        self._put_back(again, rest=not done)
        return done

    def _put_back(self, jobs: list[Job], *, rest: bool) -> None:
        if not jobs:
            return
        with self._changed:
            if rest:
                self._changed.wait(_PAUSE)
            self._waiting.extend(jobs)
            self._waiting_by_key.update(job.key for job in jobs)
