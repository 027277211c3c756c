"""The cache: Redis, which all processes share, or this process's memory while Redis is unavailable.

It holds allauth's rate limits for sign-ins, sign-ups and the like. They must keep working without Redis: each process
then counts for itself. Everything written to Redis is also written to memory, so that nobody's count starts again at
zero when Redis goes away.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Any

import structlog
from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = structlog.get_logger(__name__)

_MOST_ENTRIES = 50_000
"""With Django's default of 300 entries, trying 300 names would push out the count of another one."""

_ANSWER_SECONDS = 1.0
_RETRY_SECONDS = 5.0


def configure(redis_url: str) -> dict[str, dict[str, Any]]:
    """Django's CACHES for Redis at that address, or for this process alone if it is empty."""
    options = {"MAX_ENTRIES": _MOST_ENTRIES}
    if not redis_url:
        return {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": options}}
    return {"default": {"BACKEND": "genius_site.cache.SharedCache", "LOCATION": redis_url, "OPTIONS": options}}


class _Redis:
    """One server, for all threads: its connections, and whether it is available."""

    def __init__(self, url: str) -> None:
        options = {
            "socket_connect_timeout": _ANSWER_SECONDS,
            "socket_timeout": _ANSWER_SECONDS,
            "retry": Retry(NoBackoff(), 1),  # at once: after a restart of the server, old connections are dead
        }
        self._cache = RedisCache(url, {"OPTIONS": options})
        self._lock = threading.Lock()
        self._is_away = False
        self._try_at = 0.0

    @property
    def is_away(self) -> bool:
        return self._is_away

    def ask(self, method: str, *arguments: Any) -> tuple[bool, Any]:
        """Whether the server answered, and what. While it is away, one caller tries again every few seconds."""
        if self._is_away and not self._my_turn():
            return False, None
        try:
            answer = getattr(self._cache, method)(*arguments)
        except (RedisError, OSError) as error:
            self._note(away=True, error=repr(error))
            return False, None
        self._note(away=False)
        return True, answer

    def _my_turn(self) -> bool:
        with self._lock:
            now = monotonic()
            if now < self._try_at:
                return False
            self._try_at = now + _RETRY_SECONDS
            return True

    def _note(self, *, away: bool, error: str = "") -> None:
        with self._lock:
            if away == self._is_away:
                return
            self._is_away, self._try_at = away, monotonic() + _RETRY_SECONDS
        if away:
            logger.error("redis_away", error=error, means="rate limits are counted by each process for itself")
        else:
            logger.warning("redis_back")


@cache
def _redis(url: str) -> _Redis:
    return _Redis(url)


def is_away() -> bool:
    """Whether Redis was unavailable when this process last asked; False where there is none."""
    url = settings.REDIS_URL
    return bool(url) and _redis(url).is_away


class SharedCache(BaseCache):
    """Redis while it is available, else memory. Django makes one of these for each thread."""

    def __init__(self, url: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._redis = _redis(url)
        self._memory = LocMemCache(f"while away: {url}", params)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        answered, added = self._redis.ask("add", key, value, timeout, version)
        if not answered:
            return self._memory.add(key, value, timeout, version)
        if added:
            self._memory.set(key, value, timeout, version)
        return bool(added)

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        answered, value = self._redis.ask("get", key, default, version)
        return value if answered else self._memory.get(key, default, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> None:
        self._both(self._memory.set, "set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return bool(self._both(self._memory.touch, "touch", key, timeout, version))

    def delete(self, key: Any, version: Any = None) -> bool:
        return bool(self._both(self._memory.delete, "delete", key, version))

    def clear(self) -> None:
        self._both(self._memory.clear, "clear")

    def _both(self, in_memory: Callable[..., Any], method: str, *arguments: Any) -> Any:
        """Do it in both places; the result is that of Redis, if it is available."""
        answered, answer = self._redis.ask(method, *arguments)
        own = in_memory(*arguments)
        return answer if answered else own
