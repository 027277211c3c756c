"""Who has a page of a small match open now, told to its players and hosts: each of them knows whom they wait for.

It is known from the sockets alone: nothing is stored, and nothing of a match is read for it. Each process counts its
own sockets once a second, tells the others what has changed, and repeats all of it from time to time, since a process
may end, and a message be lost, without a word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from matches.live.transport import Frame
from matches.live.watcher import Watcher

_GRACE = 5.0  # a page that is left for the next one, or a connection that is lost and found, is not told
_REPEAT, _FORGET = 20.0, 60.0

Here = dict[int, frozenset[str]]
"""The handles of those who are here, by the match's id."""


class Presence:
    """Who is here, at the sockets of one process and, as far as these have told it, of the others."""

    def __init__(self) -> None:
        self._tables: defaultdict[int, dict[Watcher, str]] = defaultdict(dict)
        self._table_of: dict[Watcher, int] = {}
        self._seen: dict[Watcher, frozenset[str]] = {}
        self._last: dict[int, dict[str, float]] = {}
        self._here: Here = {}
        self._elsewhere: dict[str, tuple[float, Here]] = {}
        self._repeated_at = 0.0

    def enter(self, watcher: Watcher, match: int, handle: str) -> None:
        """A socket of a small match's player, or (without a handle) of a host of it."""
        self._tables[match][watcher] = handle
        self._table_of[watcher] = match

    def leave(self, watcher: Watcher) -> None:
        """Forget a socket, if it is one of these."""
        self._seen.pop(watcher, None)
        if (match := self._table_of.pop(watcher, None)) is not None:
            del self._tables[match][watcher]
            if not self._tables[match]:
                del self._tables[match]

    def heard(self, sender: str, here: Iterable[tuple[int, list[str]]], whole: bool, now: float) -> None:
        """What another process says of its sockets: what has changed, or the whole of it."""
        known = {} if whole else self._elsewhere.get(sender, (now, {}))[1]
        self._elsewhere[sender] = (now, known | {match: frozenset(handles) for match, handles in here})

    def turn(self, now: float) -> dict[str, Any] | None:
        """Once a second: tell pages what is new to them; what there is to tell other processes."""
        for match, table in self._tables.items():
            self._last.setdefault(match, {}).update({handle: now for handle in table.values() if handle})
        before, self._here = self._here, {}
        for match, last in list(self._last.items()):
            self._last[match] = {handle: at for handle, at in last.items() if now - at <= _GRACE}
            if self._last[match]:
                self._here[match] = frozenset(self._last[match])
            else:
                del self._last[match]
        self._elsewhere = {name: said for name, said in self._elsewhere.items() if now - said[0] <= _FORGET}
        self._tell_pages()
        return self._to_tell(before, now)

    def _tell_pages(self) -> None:
        for match, table in self._tables.items():
            others = (here.get(match, frozenset()) for _, here in self._elsewhere.values())
            present = self._here.get(match, frozenset()).union(*others)
            frame = None
            for watcher in table:
                if watcher.keys[0].format == "html" and self._seen.get(watcher) != present:
                    frame = frame or Frame(msgspec.json.encode({"present": sorted(present)}).decode())
                    if watcher.offer(frame):  # who is behind is told in another turn
                        self._seen[watcher] = present

    def _to_tell(self, before: Here, now: float) -> dict[str, Any] | None:
        whole = now - self._repeated_at >= _REPEAT and bool(self._here or before)
        if whole:
            self._repeated_at = now
            told = set(self._here)
        else:
            told = {match for match in self._here | before if self._here.get(match) != before.get(match)}
        if not (told or whole):
            return None
        return {"here": [[match, sorted(self._here.get(match, ()))] for match in sorted(told)], "whole": whole}
