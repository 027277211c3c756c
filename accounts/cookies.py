"""What cookies are called, and what the browser is called that sends them.

Over https each name begins with `__Host-`. Browsers take such a cookie only from a page with TLS, of this very host:
neither a neighbour below its domain nor anybody on the way can plant one.
"""

from typing import Any

from django.conf import settings
from django.contrib.messages.storage.base import BaseStorage, Message
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


def browser_name(user_agent: str) -> str:
    """`Firefox 133 on Windows`; for a program that is not known, the beginning of what it sent."""
    from ua_parser import parse  # hundreds of patterns, which only the few pages that show browsers need

    found = parse(user_agent)
    if found.user_agent is None:
        return user_agent[:60] or "an unknown browser"
    version = f" {found.user_agent.major}" if found.user_agent.major else ""
    system = f" on {found.os.family}" if found.os else ""
    return f"{found.user_agent.family}{version}{system}"
