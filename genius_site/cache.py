"""The cache: Redis, which all processes share, or this process's memory without Redis.

It holds allauth's counts of failed tries and the codes of apps that were used, and the codes that link chat accounts.
While Redis is down nothing is counted, an app's code is good again within its minute, and people can still sign in and
play.
"""

from typing import Any

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = structlog.get_logger(__name__)

_MOST_ENTRIES = 50_000
"""With Django's default of 300 entries, trying 300 names would evict the count of another."""


def configure(redis_url: str) -> dict[str, dict[str, Any]]:
    """Return Django's CACHES for Redis at that URL, or for this process's memory if it is empty."""
    if not redis_url:
        options = {"MAX_ENTRIES": _MOST_ENTRIES}
        return {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": options}}
    # Retries at once: after a restart of the server, old connections are dead.
    waits = {"socket_connect_timeout": 1.0, "socket_timeout": 1.0, "retry": Retry(NoBackoff(), 1)}
    return {"default": {"BACKEND": "genius_site.cache.ForgivingCache", "LOCATION": redis_url, "OPTIONS": waits}}


class ForgivingCache(RedisCache):
    """Django's Redis cache that, while Redis is down, finds nothing and accepts everything."""

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return bool(self._ask(True, "add", key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return self._ask(default, "get", key, default, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> None:
        self._ask(None, "set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return bool(self._ask(False, "touch", key, timeout, version))

    def delete(self, key: Any, version: Any = None) -> bool:
        return bool(self._ask(False, "delete", key, version))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> int:
        return int(self._ask(delta, "incr", key, delta, version))

    def clear(self) -> None:
        self._ask(None, "clear")

    def _ask(self, otherwise: Any, method: str, *arguments: Any) -> Any:
        try:
            return getattr(super(), method)(*arguments)
        except (RedisError, OSError) as error:
            logger.error("redis_away", error=repr(error), means="tries are not counted, and used codes are not known")
            return otherwise
