"""Hints to hosts' overview pages that something has changed in one of their matches, upon which the page reloads.

A page gets at most one hint a second, without what or where. So the time of a hint does not reveal who has just acted,
and a busy match costs a page one request a second. That request decides what the host may see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from matches.live.snapshots import encode_hint
from matches.live.transport import Frame
from matches.live.watcher import Watcher

_LOOK_AGAIN = Frame(encode_hint("desk", ()))


class Desks:
    """The sockets of hosts' overview pages in one process."""

    def __init__(self) -> None:
        self._matches: dict[Watcher, frozenset[int]] = {}
        self._watchers: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._restless: set[Watcher] = set()

    def enter(self, watcher: Watcher, matches: Collection[int]) -> None:
        """Add a socket, to be told whenever one of these matches changes."""
        self._matches[watcher] = frozenset(matches)
        for match in self._matches[watcher]:
            self._watchers[match].add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Remove a socket, if it is here."""
        self._restless.discard(watcher)
        for match in self._matches.pop(watcher, ()):
            self._watchers[match].discard(watcher)
            if not self._watchers[match]:
                del self._watchers[match]

    def changed(self, match: int) -> None:
        """Note that a match has changed."""
        if match in self._watchers:
            self._restless |= self._watchers[match]

    def tell(self, fell_behind: Callable[[Watcher], None]) -> None:
        """Send a hint to each socket for which something has changed since the last call."""
        found, self._restless = self._restless, set()
        for watcher in found:
            if not watcher.offer(_LOOK_AGAIN):
                fell_behind(watcher)
