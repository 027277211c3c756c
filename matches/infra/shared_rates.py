"""Rate limits of several web processes together.

Asking Redis before each action would cost as much as the action. So each process counts for itself, tells Redis a few
times a second what was taken, and takes out of its own buckets what the others took. Somebody who spreads their
requests over all processes can exceed the limit for that long. Without Redis each process counts alone.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from time import monotonic
from typing import Any, Protocol

import structlog
from redis import Redis
from redis.exceptions import RedisError

from matches.infra.buckets import Buckets

logger = structlog.get_logger(__name__)

_EVERY = 0.1  # seconds
_AFTER_FAILURE = 5.0
_KEPT_SECONDS = 60  # of a total that nobody adds to
_PREFIX = "rates:"


class Totals(Protocol):
    """Where all processes add up what was taken."""

    def add(self, taken: Mapping[Hashable, int]) -> Mapping[Hashable, int]:
        """Add to the totals of these keys; the totals after that. Raises `RedisError`."""


class RedisTotals:
    """Totals in Redis."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(url, socket_timeout=1.0, socket_connect_timeout=1.0)

    def add(self, taken: Mapping[Hashable, int]) -> Mapping[Hashable, int]:
        with self._client.pipeline(transaction=False) as pipe:
            for key, count in taken.items():
                pipe.incrby(f"{_PREFIX}{key}", count)
                pipe.expire(f"{_PREFIX}{key}", _KEPT_SECONDS)
            answers: list[Any] = pipe.execute()
        return dict(zip(taken, answers[::2], strict=True))


class SharedBuckets(Buckets):
    """`Buckets` that also count what other processes allowed. `share` exchanges it; `start` does so by itself."""

    def __init__(self, rate: float, burst: float, totals: Totals, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(rate, burst, clock)
        self._totals = totals
        self._taken: Counter[Hashable] = Counter()
        self._known: dict[Hashable, int] = {}
        self._something = threading.Event()

    def take(self, key: Hashable) -> float:
        wait = super().take(key)
        if not wait and self._rate:
            with self._lock:
                self._taken[key] += 1
            self._something.set()
        return wait

    def share(self) -> None:
        """Tell what was taken here since the last time, and take what was taken elsewhere. Raises `RedisError`."""
        self._something.clear()
        with self._lock:
            taken, self._taken = self._taken, Counter()
        if not taken:
            return
        totals = self._totals.add(taken)
        with self._lock:
            if len(self._known) > self._MOST:
                self._known.clear()
            for key, total in totals.items():
                # Of a key that is new here nobody knows how long ago the others took theirs.
                elsewhere = total - taken[key] - self._known.get(key, total - taken[key])
                self._known[key] = total
                bucket = self._buckets.get(key)
                if bucket is not None and elsewhere > 0:
                    bucket.spend(elsewhere)

    def start(self) -> SharedBuckets:
        """Share in a thread from now on."""
        threading.Thread(target=self._share_on, name="shared-rates", daemon=True).start()
        return self

    def _share_on(self) -> None:
        pause, resting = _EVERY, threading.Event()
        while True:
            self._something.wait()
            resting.wait(pause)
            try:
                self.share()
                pause = _EVERY
            except RedisError as error:
                if pause == _EVERY:
                    logger.warning("rates_not_shared", error=repr(error))
                pause = _AFTER_FAILURE
