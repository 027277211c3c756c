"""Names of cookies, storage of one-time messages, and names of browsers.

Over https each cookie's name begins with `__Host-`. Browsers accept such a cookie only over TLS and from this very
host, so neither another subdomain nor anybody on the network can plant one.
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
    """Return the name of a cookie as browsers store it."""
    return f"__Host-{name}" if settings.SESSION_COOKIE_SECURE else name


class _InACookie(CookieStorage):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cookie_name = name_of("messages")


class Messages(FallbackStorage):
    """Messages that the next page shows once. For signed-in people they are in the session, since they may mention
    sealed bids and browsers write cookies to disk; visitors have no session, so theirs are in a cookie."""

    storage_classes = (SessionStorage, _InACookie)
    _used_storages: set[BaseStorage]  # storages to clear once the messages were read

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Message], bool]:
        kept: list[Message] = []
        for storage in self.storages:  # both: somebody may have signed in or out since the message was stored
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


# -- browser names, from the User-Agent header -----------------------------------------------------------


_BROWSERS = {  # the first match counts, since browsers also name those that they claim to be
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
    """Return a name such as `Firefox 133 on Windows`, or the first 60 characters of an unknown User-Agent."""
    system = next((f" on {name}" for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    for mark, name in _BROWSERS.items():
        if version := re.search(rf"\b(?:{mark})/(\d+)", user_agent):
            return f"{name} {version[1]}{system}"
    return user_agent[:60] or "an unknown browser"
