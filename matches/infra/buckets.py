"""Token buckets, kept in this process's memory.

A restart forgets them, which does no harm: they only keep one program from using up the server for everybody else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from time import monotonic


class Bucket:
    """Allows `burst` at once, then `rate` per second. One caller at a time."""

    __slots__ = ("_burst", "_clock", "_left", "_rate", "_seen")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._seen = burst, clock()

    def take(self) -> float:
        """Take one: 0.0 if there was one, else the seconds until there will be."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate

    @property
    def is_full(self) -> bool:
        """Whether a new bucket would be the same, because nothing was taken for long enough."""
        return self._left + (self._clock() - self._seen) * self._rate >= self._burst


class Buckets:
    """A bucket for each key, for any thread. With a rate of 0 there is no limit."""

    _MOST = 10_000

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: dict[Hashable, Bucket] = {}
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> float:
        """Take one for this key: 0.0, or the seconds until there is one."""
        if not self._rate:
            return 0.0
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is None:
                if len(self._buckets) >= self._MOST:
                    self._forget()
                bucket = self._buckets[key] = Bucket(self._rate, self._burst, self._clock)
            return bucket.take()

    def _forget(self) -> None:
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full}
