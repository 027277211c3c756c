"""Rate limits: token buckets in this process's memory, and the limit on how fast a person may act and ask."""

import threading
from collections.abc import Callable, Hashable
from functools import cache
from ipaddress import IPv6Address
from math import ceil
from time import monotonic

from django.conf import settings
from django.http import HttpRequest

# -- buckets ---------------------------------------------------------------------------------------------
# A restart forgets them, which does no harm: they only keep one program from using up the server for everybody else.


class Buckets:
    """A token bucket for each key, for any thread: it allows `burst` at once, then `rate` per second. With a rate of 0
    there is no limit."""

    _MOST = 10_000
    _ROUNDING = 1e-9  # of instants, so that it refuses nobody the last of a burst

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._full_at: dict[Hashable, float] = {}  # when each bucket will be full again
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> float:
        """Take a token for this key. Returns 0.0, or the seconds until there is one."""
        if not self._rate:
            return 0.0
        with self._lock:
            now = self._clock()
            if key not in self._full_at and len(self._full_at) >= self._MOST:
                self._full_at = {each: at for each, at in self._full_at.items() if at > now}
            full_at = max(self._full_at.get(key, now), now) + 1 / self._rate
            wait = full_at - now - self._burst / self._rate
            if wait > self._ROUNDING:
                return wait
            self._full_at[key] = full_at
            return 0.0

    def headers(self, name: str, key: Hashable) -> tuple[tuple[str, str], ...]:
        """What is left for this key, as header fields (draft-ietf-httpapi-ratelimit-headers); none without a limit."""
        if not self._rate:
            return ()
        now = self._clock()
        missing = max(self._full_at.get(key, now) - now, 0)  # seconds until it is full
        left, seconds = int(self._burst - missing * self._rate + self._ROUNDING), ceil(missing - self._ROUNDING)
        policy = f'"{name}";q={int(self._burst)};w={ceil(self._burst / self._rate)}'
        return (("RateLimit-Policy", policy), ("RateLimit", f'"{name}";r={left};t={seconds}'))


# -- rate limits -----------------------------------------------------------------------------------------

TOO_FAST = "That was too fast, so nothing happened. Wait a few seconds and try again."
"""The message on pages and in chats to somebody who exceeds their rate."""

_BURST = 3  # how many seconds of the rate may be used at once


@cache
def action_rates() -> Buckets:
    """The limit on actions and forecasts, per user id, of each process by itself."""
    return Buckets(settings.ACTION_RATE, _BURST * settings.ACTION_RATE)


def wait_to_ask(request: HttpRequest, user_id: int | None) -> float:
    """Count one question. Returns 0.0, or the seconds to wait."""
    return action_rates().take(asker_of(request, user_id))


def asker_of(request: HttpRequest, user_id: int | None) -> Hashable:
    """The key under which a question counts: a person's user id, or a visitor's address."""
    return client_address(request) if user_id is None else user_id


def client_address(request: HttpRequest) -> str:
    """The client's network address, for counting."""
    return counted_address(request.META.get("HTTP_X_FORWARDED_FOR", ""), request.META.get("REMOTE_ADDR", ""))


def counted_address(forwarded: str, peer: str) -> str:
    """The address to count: the peer's, or what a trusted proxy reports (the last of `forwarded`). Of an IPv6 address
    its /64, all of which one machine can have."""
    text = forwarded.rsplit(",", 1)[-1].strip() if settings.SECURE_PROXY and forwarded else peer
    try:
        found = IPv6Address(text)
    except ValueError:
        return text
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
