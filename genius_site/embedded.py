"""Runs the Celery worker and beat as threads of the server's process, with the same tasks and schedule.

This is for one process and small groups. The in-memory broker loses queued tasks when the process ends, which does no
harm, because the database says what is due.
"""

import threading
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery
from celery.beat import Service
from celery.worker import WorkController
from celery.worker import state as worker_state

from genius_site.celery import InMemory

log = structlog.get_logger(__name__)

STOP_SECONDS = 10.0
"""How long a running task may take to finish when the worker stops; the worker checks every two seconds."""


class EmbeddedCelery:
    """Starts and stops both threads; `on_death` is called if one of them ends unasked."""

    def __init__(self, app: Celery, on_death: Callable[[], None], concurrency: int = 20) -> None:
        self._app = app
        self._on_death = on_death
        self._concurrency = concurrency
        self._stopping = threading.Event()
        self._beat: Any = None
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        worker_state.should_stop = None  # left at 0 by an earlier stop in this process
        # WorkController instead of the command's Worker leaves signals, logging and stdout alone. Threads instead of
        # prefork, because a process with threads must not fork.
        worker = WorkController(
            app=self._app,
            pool_cls="threads",
            concurrency=self._concurrency,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        self._beat = Service(self._app, scheduler_cls=InMemory, max_interval=1)
        for name, run in (("celery-worker", worker.start), ("celery-beat", self._beat.start)):
            thread = threading.Thread(target=self._guard, args=(name, run), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> bool:
        """Stop both threads; return whether they ended in time."""
        self._stopping.set()
        if self._beat is not None:
            self._beat.stop()
        worker_state.should_stop = 0  # type: ignore[assignment]  # an exit code, where the stubs expect None
        for thread in self._threads:
            thread.join(STOP_SECONDS)
        return not any(thread.is_alive() for thread in self._threads)

    def _guard(self, name: str, run: Callable[[], None]) -> None:
        try:
            run()
        except SystemExit:
            pass  # the worker's way to confirm that it was told to stop
        except Exception:
            log.exception("embedded_thread_failed", thread=name)
        if not self._stopping.is_set():
            log.critical("embedded_thread_ended", thread=name)
            self._on_death()
