"""The messages about live pages that web processes and workers send each other over the channel layer.

A process tells its own hub directly. Each message names the sender's hub, which ignores its own messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, Protocol

import structlog
from channels.layers import InMemoryChannelLayer, get_channel_layer

logger = structlog.get_logger(__name__)

GROUP = "live"
CHANGED = "live.changed"
TOLD = "live.told"
ACCESS = "live.access"
HINT = "live.hint"
PRESENT = "live.present"

_RETRY_SECONDS = 1.0
_SEND_SECONDS = 5.0
_MOST_ACCESS_CHANGES = 10_000
_MOST_HINTS = 10_000


class AccessChange(NamedTuple):
    """A loss of access: of one session or token (its fingerprint) or, without one, of a person."""

    user_id: int | None
    session: str

    def concerns(self, user_id: int | None, session: str) -> bool:
        """Whether a socket of this person and session or token must be closed."""
        if self.session:
            return session == self.session
        return self.user_id is not None and user_id == self.user_id


class Hint(NamedTuple):
    """A hint to pages that another app has something new about a match. `of` names the app, `facts` say where it is.

    It goes to everybody who watches the match, or to these `users`, wherever they are on the site. To everybody it must
    reveal nothing: pages then ask by a request, which checks rights. To `users` it may contain what each may read.
    """

    of: str
    match_id: int
    facts: tuple[tuple[str, str], ...]
    users: frozenset[int] | None = None


class Listener(Protocol):
    """What messages need of the hub."""

    name: str

    def access_changed(self, change: AccessChange) -> None: ...
    def changed(self, match: int, public: bool, players: Collection[int]) -> None: ...
    def hinted(self, hint: Hint) -> None: ...
    def notices_changed(self, people: Collection[int]) -> None: ...
    def present(self, sender: str, here: list[tuple[int, list[str]]], whole: bool) -> None: ...


class News:
    """What has happened and is not sent yet, merged by match and by person."""

    def __init__(self) -> None:
        self._changes: dict[int, dict[str, Any]] = {}
        self._people: set[int] = set()
        self._access: list[AccessChange] = []
        self._hints: dict[Hint, None] = {}

    def __bool__(self) -> bool:
        return bool(self._changes or self._people or self._access or self._hints)

    def change(self, match: int, public: bool, players: Collection[int]) -> None:
        """Add that a match has changed."""
        known = self._changes.setdefault(match, {"match": match, "public": False, "players": set()})
        known["public"] = known["public"] or public
        known["players"].update(players)

    def tell_people(self, people: Collection[int]) -> None:
        """Add that these people were told something."""
        self._people.update(people)

    def end_access(self, change: AccessChange) -> None:
        """Add that somebody has lost access, unless too many are waiting: rights are read again anyway."""
        if len(self._access) < _MOST_ACCESS_CHANGES:
            self._access.append(change)

    def hint(self, hint: Hint) -> None:
        """Add a hint, once, unless too many are waiting: pages also ask by themselves."""
        if len(self._hints) < _MOST_HINTS:
            self._hints[hint] = None

    def add(self, later: News) -> None:
        """Add later news to these."""
        for hint in later._hints:
            self.hint(hint)
        for access in later._access:
            self.end_access(access)
        for change in later._changes.values():
            self.change(**change)
        self.tell_people(later._people)

    def tell(self, hub: Listener) -> None:
        """Tell a hub of this process."""
        for access in self._access:
            hub.access_changed(access)
        for change in self._changes.values():
            hub.changed(**change)
        for hint in self._hints:
            hub.hinted(hint)
        if self._people:
            hub.notices_changed(self._people)

    def messages(self, sender: str) -> list[dict[str, Any]]:
        """The news as messages for other processes. `sender`: the name of this process's hub, or empty."""
        found: list[dict[str, Any]] = [
            {"type": ACCESS, "user": user, "session": session} for user, session in self._access
        ]
        if self._changes:
            changes = [change | {"players": sorted(change["players"])} for change in self._changes.values()]
            found.append({"type": CHANGED, "changes": changes})
        for hint in self._hints:
            users = None if hint.users is None else sorted(hint.users)
            found.append({"type": HINT, **hint._asdict(), "facts": dict(hint.facts), "users": users})
        if self._people:
            found.append({"type": TOLD, "people": sorted(self._people)})
        return [message | {"sender": sender} for message in found]


def deliver(message: dict[str, Any], hub: Listener) -> None:
    """Give a message from another process to a hub."""
    if message.get("sender") == hub.name:
        return
    if message["type"] == CHANGED:
        for change in message["changes"]:
            hub.changed(**change)
    elif message["type"] == TOLD:
        hub.notices_changed(message["people"])
    elif message["type"] == ACCESS:
        hub.access_changed(AccessChange(message["user"], message["session"]))
    elif message["type"] == HINT:
        users = None if message["users"] is None else frozenset(message["users"])
        hub.hinted(Hint(message["of"], message["match_id"], tuple(message["facts"].items()), users))
    elif message["type"] == PRESENT:
        hub.present(message["sender"], message["here"], message["whole"])


def leads_nowhere() -> bool:
    """Whether the channel layer reaches no other process."""
    return isinstance(get_channel_layer(), InMemoryChannelLayer)


async def send(message: dict[str, Any]) -> None:
    """Send a message to the hubs of other processes. A failure is only logged."""
    if leads_nowhere():
        return
    try:
        async with asyncio.timeout(_SEND_SECONDS):
            layer: Any = get_channel_layer()
            await layer.group_send(GROUP, message)
    except Exception:
        logger.exception("live_push_failed")


async def listen(hub: Listener, missed: Callable[[], None]) -> None:
    """Listen to the channel layer for ever. If it fails, try again, and call `missed`."""
    while True:
        try:
            layer: Any = get_channel_layer()
            channel = await layer.new_channel()
            await layer.group_add(GROUP, channel)
            while True:
                deliver(await layer.receive(channel), hub)
        except Exception:
            logger.exception("live_layer_failed")
        await asyncio.sleep(_RETRY_SECONDS)
        missed()  # messages sent in the meantime are lost
