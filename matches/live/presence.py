"""Presence: who has the page of a small match open now, shown to its players and hosts.

It comes from the sockets alone; nothing is stored or read for it. Each process counts its own sockets once a second,
sends changes to the other processes, and repeats everything from time to time, since a process may die or a message be
lost silently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from matches.live.transport import Frame
from matches.live.watcher import Watcher

_GRACE = 5.0  # seconds for which somebody still counts as present, for a change of pages or a lost connection
_REPEAT, _FORGET = 20.0, 60.0

Here = dict[int, frozenset[str]]
"""The match's id -> the handles of the players who are present."""


class Presence:
    """Who is present, by the sockets of this process and by what other processes have sent."""

    def __init__(self) -> None:
        self._tables: defaultdict[int, dict[Watcher, str]] = defaultdict(dict)
        self._table_of: dict[Watcher, int] = {}
        self._seen: dict[Watcher, frozenset[str]] = {}
        self._last: dict[int, dict[str, float]] = {}
        self._here: Here = {}
        self._elsewhere: dict[str, tuple[float, Here]] = {}
        self._repeated_at = 0.0

    def enter(self, watcher: Watcher, match: int, handle: str) -> None:
        """Add a socket of a small match's player or, with an empty handle, of a host."""
        self._tables[match][watcher] = handle
        self._table_of[watcher] = match

    def leave(self, watcher: Watcher) -> None:
        """Remove a socket, if it is here."""
        self._seen.pop(watcher, None)
        if (match := self._table_of.pop(watcher, None)) is not None:
            del self._tables[match][watcher]
            if not self._tables[match]:
                del self._tables[match]

    def heard(self, sender: str, here: Iterable[tuple[int, list[str]]], whole: bool, now: float) -> None:
        """Take over what another process says about its sockets: what has changed, or (`whole`) everything."""
        known = {} if whole else self._elsewhere.get(sender, (now, {}))[1]
        self._elsewhere[sender] = (now, known | {match: frozenset(handles) for match, handles in here})

    def turn(self, now: float) -> dict[str, Any] | None:
        """Tell pages what is new to them, and return the message for other processes, if any. Called once a second."""
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
                    if watcher.offer(frame):  # one that is behind is told in a later turn
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
