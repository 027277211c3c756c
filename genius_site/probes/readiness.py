"""Whether this process can serve people: its database answers and is as new as the program.

Redis is not asked: without it people still sign in, play and watch, so a site that lost it must not be taken out of
service as well. `/healthz` tells of Redis, of the sweep and of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

import structlog
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from matches.infra import db_waits
from matches.infra.db_threads import DatabaseThreads, Overloaded

logger = structlog.get_logger(__name__)

KEPT_SECONDS = 1.0
"""So long an answer is given again: however often strangers ask, the database is asked once a second."""

READY = "ready"


class Readiness:
    """One for each process. `why` gives `READY`, or in a few words for the log what is missing."""

    def __init__(self) -> None:
        self._thread = DatabaseThreads("readiness", 1, waiting=100, patience=3.0)
        self._leaves: frozenset[tuple[str, str]] | None = None
        self._found, self._found_at = "", float("-inf")

    async def why(self) -> str:
        if self._is_fresh():
            return self._found
        try:
            return await self._thread.run(self._look_once)
        except Overloaded:
            return "the database does not answer"

    def forget(self) -> None:
        """Look again at the next question."""
        self._found_at = float("-inf")

    def _is_fresh(self) -> bool:
        return monotonic() - self._found_at < KEPT_SECONDS

    def _look_once(self) -> str:
        if self._is_fresh():  # somebody asked just before
            return self._found
        found = self._look()
        if found != self._found:
            log = logger.info if found == READY else logger.error
            log("readiness_changed", now=found)
        self._found, self._found_at = found, monotonic()
        return found

    def _look(self) -> str:
        try:
            with db_waits.alone() as alias:
                missing = self._newest() - set(_applied(alias))
        except Exception as error:
            return f"the database does not answer: {type(error).__name__}"
        if missing:
            return f"{len(missing)} apps lack migrations: {', '.join(sorted(app for app, _ in missing))}"
        return READY

    def _newest(self) -> frozenset[tuple[str, str]]:
        """The last migration of each app, as this program has them. A newer database serves an older program, too,
        since migrations only add what the program before does not need (docs/running.md)."""
        if self._leaves is None:
            self._leaves = frozenset(MigrationLoader(None).graph.leaf_nodes())
        return self._leaves


def _applied(alias: str) -> Iterable[tuple[str, str]]:
    recorder = MigrationRecorder(connections[alias])
    if not recorder.has_table():
        return ()
    return list(recorder.migration_qs.values_list("app", "name"))


of_this_process = Readiness()
