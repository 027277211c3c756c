"""What cookies are called, and what the browser is called that sends them.

Over https each name begins with `__Host-`. Browsers take such a cookie only from a page with TLS, of this very host:
neither a neighbour below its domain nor anybody on the way can plant one.
"""

import re
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.base import BaseStorage, Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

CSRF_FAILED = "The CSRF token is missing or wrong. Send the X-CSRFToken header, or use an API token."


def name_of(name: str) -> str:
    """The name under which browsers keep this cookie."""
    return f"__Host-{name}" if settings.SESSION_COOKIE_SECURE else name


class _InACookie(CookieStorage):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cookie_name = name_of("messages")


class Messages(FallbackStorage):
    """What the next page says once. The session keeps it for those who are signed in, as it may name what they have
    sealed, and browsers write cookies down; a cookie keeps it for visitors, who have no session."""

    storage_classes = (SessionStorage, _InACookie)
    _used_storages: set[BaseStorage]  # those that have to be emptied

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Message], bool]:
        kept: list[Message] = []
        for storage in self.storages:  # somebody may have signed in or out since it was said
            found, _ = storage._get()
            if found:
                self._used_storages.add(storage)
                kept += found
        return kept, True

    def _store(self, messages: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        user = getattr(self.request, "user", None)
        has_session = user is not None and user.is_authenticated
        self.storages.sort(key=lambda storage: isinstance(storage, _InACookie) is has_session)
        return super()._store(messages, response, *args, **kwargs)  # type: ignore[misc]


# -- the name of a browser, as people say it, from what it sends with each request -----------------------


_BROWSERS = {  # browsers name those below them, too
    "Edg[A-Za-z]*": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox|FxiOS": "Firefox",
    "Chrome|CriOS": "Chrome",
    "Version": "Safari",
}
_SYSTEMS = {
    "Windows": "Windows",
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iPadOS",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def browser_name(user_agent: str) -> str:
    """`Firefox 133 on Windows`; for a program that is not known, the beginning of what it sent."""
    system = next((f" on {name}" for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    for mark, name in _BROWSERS.items():
        if version := re.search(rf"\b(?:{mark})/(\d+)", user_agent):
            return f"{name} {version[1]}{system}"
    return user_agent[:60] or "an unknown browser"
