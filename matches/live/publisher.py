"""The publisher: it passes changes from the services' signals, in any thread, to this process's hub and to all other
processes, and never raises.

Changes of a match are merged while they wait, so a slow or missing channel layer costs no memory, and delays
neither the writer nor this process's own sockets. A lost message does no harm: sockets get the change with the next
push, or when the hub next checks.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Any

from django.db import transaction

from matches.live import hub
from matches.live.admission import fingerprint
from matches.live.messages import AccessChange, Hint, News, leads_nowhere, send


class Publisher:
    """The publisher of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news = News()
        self._told_soon_on: asyncio.AbstractEventLoop | None = None
        self._for_others = News()
        self._sending: asyncio.Task[None] | None = None
        self._own: tuple[int, asyncio.AbstractEventLoop] | None = None

    # -- receivers of signals --------------------------------------------------------------------

    def match_changed(self, *, match_id: int, public: bool, players: frozenset[int], **_: Any) -> None:
        """Receive `matches.services.signals.match_changed`."""
        self._add(lambda news: news.change(match_id, public, players))

    def people_told(self, *, people: frozenset[int], **_: Any) -> None:
        """Receive `matches.services.signals.people_told`."""
        self._add(lambda news: news.tell_people(people))

    def access_changed(self, *, user: Any, token: str, **_: Any) -> None:
        """Receive `accounts.signals.access_changed`."""
        change = AccessChange(None, fingerprint(token)) if token else AccessChange(user.pk, "")
        self._add(lambda news: news.end_access(change))

    def session_ended(self, session_key: str | None) -> None:
        """Close the sockets of a session that has ended, by signing out or otherwise."""
        if session_key:
            change = AccessChange(None, fingerprint(session_key))
            self._add(lambda news: news.end_access(change))

    def hint(self, hint: Hint) -> None:
        """Send a hint to pages, for other apps, after their commit."""
        self._add(lambda news: news.hint(hint))

    def _add(self, what: Callable[[News], None]) -> None:
        if (loop := self._loop()) is None:
            return
        with self._lock:
            what(self._news)
            self._tell_soon(loop)

    # -- telling ---------------------------------------------------------------------------------

    def _loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop to send from: the hub's, or one of our own; None if there is nobody to send to."""
        here = hub.running_hub()
        if here is not None:
            return here.loop
        if leads_nowhere():
            return None
        if self._own is None or self._own[0] != os.getpid():  # a forked worker needs a thread of its own
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="live-publisher", daemon=True).start()
            self._own = (os.getpid(), loop)
        return self._own[1]

    def _tell_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._told_soon_on is not loop:
            try:
                loop.call_soon_threadsafe(self._tell)
                self._told_soon_on = loop
            except RuntimeError:
                pass  # the loop has just ended

    def _tell(self) -> None:
        """Tell this process's hub at once, and start sending to the others. Runs on the loop."""
        with self._lock:
            news, self._news, self._told_soon_on = self._news, News(), None
        loop, here = asyncio.get_running_loop(), hub.running_hub()
        if here is not None and here.loop is not loop:
            here = None  # it has just started, and hears of this by the channel layer
        if here is not None:
            news.tell(here)
        if leads_nowhere():
            return
        self._for_others.add(news)
        if self._sending is None or self._sending.done() or self._sending.get_loop() is not loop:
            self._sending = loop.create_task(self._send_all("" if here is None else here.name))

    async def _send_all(self, sender: str) -> None:
        while self._for_others:
            news, self._for_others = self._for_others, News()
            for message in news.messages(sender):
                await send(message)


publisher = Publisher()


def on_logged_out(*, request: Any, **_: Any) -> None:
    """Receive Django's `user_logged_out`, which is sent before the session is emptied."""
    publisher.session_ended(getattr(getattr(request, "session", None), "session_key", None))


def on_session_deleted(*, instance: Any, **_: Any) -> None:
    """Receive the deletion of a session that its owner ended from elsewhere, so that nobody signs out of it."""
    transaction.on_commit(lambda: publisher.session_ended(instance.session_key))
