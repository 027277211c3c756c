"""Replaces what would make runs differ: chance, threads, and clocks with real time."""

from __future__ import annotations

import gc
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from unittest import mock

from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.utils import timezone

from lab.simulation.database import need
from matches.api import actions
from matches.infra import batches, db_threads, locks
from matches.infra.local_cache import LocalCache
from matches.live import watcher
from matches.models import clock
from matches.services import replay, signals
from notices import safe_http
from talk.queries import rights

if TYPE_CHECKING:
    from lab.simulation.world import World


_real_random: Any = random


@contextmanager
def seeded(chance: random.Random) -> Iterator[None]:
    """Let `os.urandom`, and with it `secrets` and `uuid4`, draw from `chance` within the block."""
    before, before_secrets, state = os.urandom, _real_random._urandom, random.getstate()
    os.urandom = _real_random._urandom = chance.randbytes
    random.seed(chance.getrandbits(64))
    try:
        yield
    finally:
        os.urandom, _real_random._urandom = before, before_secrets
        random.setstate(state)


class _Turn:
    """A lock of a line: whoever would have to wait fails at once, as the others do not run meanwhile."""

    def __init__(self) -> None:
        self._is_taken = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._is_taken:
            return False
        self._is_taken = True
        return True

    def release(self) -> None:
        self._is_taken = False


class _Queue:
    def __init__(self) -> None:
        self.turn = _Turn()
        self.size = 0


def _forget() -> None:
    """Clear caches with ids of the world before, which mean something else now."""
    for kept in _all_kept():
        kept.clear()
        kept._total = 0
    for read in (actions._match_id, replay._replayed, rights._fixed):
        read.cache_clear()
    ContentType.objects.clear_cache()
    caches["default"].clear()


@cache
def _all_kept() -> list[Any]:
    return [each for each in gc.get_objects() if isinstance(each, LocalCache)]


def _start_nothing(_: Any) -> None:
    """Start nothing: the simulation does the jobs of threads (`Process.work_once`), and mail needs no timer."""


def _start_no_thread(thread: threading.Thread) -> None:
    """Fail: a real thread would run at moments that no seed can repeat."""
    need(False, "simulation", f"a thread of its own: {thread.name}")


def _numbered() -> Callable[[Any], int]:
    """A hash for objects in sets by their order of use, not by their address in memory."""
    numbers = count()
    return lambda each: each.__dict__.setdefault("_number", next(numbers))


@contextmanager
def replaced(world: World) -> Iterator[None]:
    """Apply all replacements within the block."""

    def on_change(**facts: Any) -> None:
        world.journal.pushed(facts["match_id"], facts["head"])

    def seconds() -> float:
        return world.seconds

    def by_the_database(*_: Any, **__: Any) -> datetime:
        return world.wall

    _forget()
    signals.match_changed.connect(on_change)
    try:
        with (
            mock.patch.object(threading.Thread, "start", _start_no_thread),
            mock.patch.object(threading.Timer, "start", _start_nothing, create=True),
            mock.patch.object(db_threads.DatabaseThreads, "_start", _start_nothing),
            mock.patch.object(batches, "monotonic", seconds),
            mock.patch.object(batches, "_PAUSE", 0),  # nothing that could end a wait runs
            mock.patch.object(db_threads, "monotonic", seconds),
            mock.patch.object(locks, "_Queue", _Queue),
            mock.patch.object(safe_http, "post", world.receivers.post),
            mock.patch.object(time, "monotonic", seconds),
            mock.patch.object(watcher.Watcher, "__hash__", _numbered(), create=True),
            mock.patch.object(timezone, "now", clock.now),
            mock.patch.object(clock, "ask", by_the_database),
        ):
            yield
    finally:
        signals.match_changed.disconnect(on_change)
