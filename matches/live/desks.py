"""Hosts' pages on which all their matches are: they hear that something has changed in one of these, and ask again.

They hear it once a second at most, and not what or where: so the time of a hint does not tell to the moment who has
just acted, and a busy match costs a host's page one question a second. What there is to see is decided where they ask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from matches.live.snapshots import encode_hint
from matches.live.transport import Frame
from matches.live.watcher import Watcher

_LOOK_AGAIN = Frame(encode_hint("desk", ()))


class Desks:
    """The sockets of one process behind which hosts look after matches."""

    def __init__(self) -> None:
        self._matches: dict[Watcher, frozenset[int]] = {}
        self._watchers: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._restless: set[Watcher] = set()

    def enter(self, watcher: Watcher, matches: Collection[int]) -> None:
        """From now on note for this socket whenever one of these matches changes."""
        self._matches[watcher] = frozenset(matches)
        for match in self._matches[watcher]:
            self._watchers[match].add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Forget a socket, if it is one of these."""
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
        """Tell those for whom something has changed since they were told last."""
        found, self._restless = self._restless, set()
        for watcher in found:
            if not watcher.offer(_LOOK_AGAIN):
                fell_behind(watcher)
