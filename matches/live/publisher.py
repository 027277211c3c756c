"""Sends what has changed from the services' signals to the channel layer, from any thread, and never raises.

Changes of a match are merged while they wait, so a channel layer that is slow or away costs no memory and never delays
the writer. A lost push does no harm: sockets get the change with the next push, or when they ask for it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any

import structlog
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from accounts.signals import Reason
from matches.live import hub
from matches.live.admission import fingerprint

logger = structlog.get_logger(__name__)

_SEND_SECONDS = 5.0
_MOST_ACCESS_CHANGES = 10_000


class Publisher:
    """One for each process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: dict[int, dict[str, Any]] = {}
        self._access: list[dict[str, Any]] = []
        self._under_way = False
        self._own: tuple[int, asyncio.AbstractEventLoop] | None = None

    # -- receivers of signals --------------------------------------------------------------------

    def match_changed(
        self, *, match_id: int, head: int, public: bool, players: frozenset[int], notices: frozenset[int], **_: Any
    ) -> None:
        """What `matches.services.signals.match_changed` says."""
        if (loop := self._loop()) is None:
            return
        with self._lock:
            change = self._changes.setdefault(
                match_id, {"match": match_id, "head": head, "public": False, "players": set(), "notices": set()}
            )
            change["head"] = max(change["head"], head)
            change["public"] = change["public"] or public
            change["players"] |= players
            change["notices"] |= notices
            self._send_soon(loop)

    def access_changed(self, *, user: Any, reason: str, **_: Any) -> None:
        """What `accounts.signals.access_changed` says."""
        self._tell_access(user.pk, "", tokens_only=reason == Reason.REVOKED_TOKEN)

    def session_ended(self, session_key: str | None) -> None:
        """Somebody signed out, or a session was ended from elsewhere."""
        if session_key:
            self._tell_access(None, fingerprint(session_key))

    def _tell_access(self, user_id: int | None, session: str, *, tokens_only: bool = False) -> None:
        if (loop := self._loop()) is None:
            return
        with self._lock:
            if len(self._access) < _MOST_ACCESS_CHANGES:
                self._access.append(
                    {"type": hub.ACCESS, "user": user_id, "session": session, "tokens_only": tokens_only}
                )
            self._send_soon(loop)

    # -- sending ---------------------------------------------------------------------------------

    def _loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop to send on: the hub's, or one of our own; None where nobody can hear."""
        running = hub.running_loop()
        if running is not None:
            return running
        if isinstance(get_channel_layer(), InMemoryChannelLayer):
            return None
        if self._own is None or self._own[0] != os.getpid():  # a forked worker needs a thread of its own
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="live-publisher", daemon=True).start()
            self._own = (os.getpid(), loop)
            self._under_way = False
        return self._own[1]

    def _send_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._under_way:
            self._under_way = True
            try:
                asyncio.run_coroutine_threadsafe(self._send_all(), loop)
            except RuntimeError:  # the loop has just ended
                self._under_way = False

    async def _send_all(self) -> None:
        while True:
            with self._lock:
                changes, self._changes = self._changes, {}
                access, self._access = self._access, []
                if not changes and not access:
                    self._under_way = False
                    return
            for message in access:
                await self._send(message)
            if changes:
                merged = [
                    change | {"players": sorted(change["players"]), "notices": sorted(change["notices"])}
                    for change in changes.values()
                ]
                await self._send({"type": hub.CHANGED, "changes": merged})

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(_SEND_SECONDS):
                layer: Any = get_channel_layer()
                await layer.group_send(hub.GROUP, message)
        except Exception:
            logger.exception("live_push_failed")


publisher = Publisher()


# Django keeps only weak references to receivers, and passes `sender` and `signal` on to them.


def on_match_changed(**changes: Any) -> None:
    publisher.match_changed(**changes)


def on_access_changed(**changes: Any) -> None:
    publisher.access_changed(**changes)


def on_logged_out(*, request: Any, **_: Any) -> None:
    """Sent before the session is emptied."""
    publisher.session_ended(getattr(getattr(request, "session", None), "session_key", None))


def on_session_deleted(*, instance: Any, **_: Any) -> None:
    """A session ended from the list of one's sessions is deleted, and nobody signs out."""
    transaction.on_commit(lambda: publisher.session_ended(instance.session_key))
