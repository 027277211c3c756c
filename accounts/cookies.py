"""What cookies are called.

Over https each name begins with `__Host-`. Browsers take such a cookie only from a page with TLS, of this very host:
neither a neighbour below its domain nor anybody on the way can plant one.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


def name_of(name: str) -> str:
    """The name under which browsers keep this cookie."""
    return f"__Host-{name}" if settings.SESSION_COOKIE_SECURE else name


class _InACookie(CookieStorage):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cookie_name = name_of("messages")


class Messages(FallbackStorage):
    """What the next page says once: in a cookie, and what is too long for one in the session, as Django does it."""

    storage_classes = (_InACookie, SessionStorage)
