"""What an audience sees of a match or of its notices, in parts that can be compared and sent separately.

This is the only part of the live code that reads the database. It runs in threads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

import msgspec
from django.contrib.auth import get_user_model

from matches.models import Match, Player, clock
from matches.pages import extensions, fragments, rendering
from matches.pages.fragments import OWN_PART, own_part_of
from matches.queries import access, match_info
from matches.queries import matches as match_queries
from matches.queries.access import MatchAndPlayers
from matches.queries.matches import Position

Format = Literal["json", "html", "hints"]
"""What a socket is sent: views for programs, parts for the match page, or (`hints`) versions alone, for pages beside
it."""

FORMATS: tuple[Format, ...] = ("json", "html", "hints")

_encode = msgspec.json.Encoder().encode


class Key(NamedTuple):
    """An audience in one format: everyone, or `user` who plays as `player` and sees that private view.

    The user is part of it, since a place may change hands while somebody still looks from it.
    """

    format: Format
    player: int | None = None
    user: int | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """What an audience sees at one moment.

    `stamp` says when to look closer: as long as it stays, nothing needs sending. `versions` go into every frame,
    `parts` only where they changed; under the field `within`, or (None) as fields themselves.
    """

    stamp: Any
    versions: dict[str, int]
    parts: dict[str, Any]
    within: str | None = None

    def fields(self, since: Snapshot | None = None) -> dict[str, Any]:
        """The fields of a frame for somebody who has seen `since`; empty where there is nothing new."""
        if since is None:
            return self._framed(self.parts)
        if self.stamp == since.stamp:
            return {}
        changed: dict[str, Any] = {}
        for name, part in self.parts.items():
            if since.parts.get(name) != part:
                changed |= _changes(name, since.parts.get(name), part)
        # A part that is gone is emptied: a browser must not go on showing it.
        changed |= {name: "" for name in since.parts if name not in self.parts}
        return self._framed(changed) if changed or self.versions != since.versions else {}

    def sums(self) -> dict[str, str]:
        """The checksums of the parts that are HTML, for somebody who has just come: their page knows its own, and need
        not work out those of the parts, which takes a slow machine long."""
        return fragments.sums({name: part for name, part in self.parts.items() if isinstance(part, str)})

    def _framed(self, parts: dict[str, Any]) -> dict[str, Any]:
        if self.within is not None and parts:
            parts = {self.within: parts}
        return {**self.versions, **parts}


def _changes(name: str, before: Any, after: Any) -> dict[str, Any]:
    """What to send of a part: those of its own fragments that changed where that is all, else the whole of it."""
    if isinstance(before, str) and isinstance(after, str):
        found = fragments.changed(before, after)
        if found is not None:
            return found
    return {name: after}


class Look(NamedTuple):
    """What was found for the audiences that were asked for; those that may not look any more are missing."""

    now: datetime
    snapshots: dict[Key, Snapshot]
    hidden: bool = False
    """Strangers may not know of the match (any more)."""


def encode_frame(fields: dict[str, Any], now: datetime) -> str:
    """A frame's text. Every frame tells the server's time."""
    return _encode({**fields, "now": now.isoformat()}).decode()


def encode_hint(of: str, facts: Iterable[tuple[str, str]]) -> str:
    """The text of a frame that says that there is something to ask for."""
    return _encode({"hint": {"of": of, **dict(facts)}}).decode()


# -- a match -----------------------------------------------------------------------------------


def match_snapshots(match_id: int, keys: Collection[Key]) -> Look | None:
    """What these audiences see of a match now; None where there is no such match."""
    wanted = {key.player for key in keys if key.player is not None}
    read = access.look_at(match_id, wanted, everybody=any(key.format == "html" for key in keys))
    return None if read is None else _look(read, keys)


def _look(read: MatchAndPlayers, keys: Iterable[Key]) -> Look:
    match, now, snapshots = read.position.match, clock.now(), {}
    for key in keys:
        if key.player is None:
            snapshots[key] = _PUBLIC[key.format](read.position, now)
        elif (player := read.players.get(key.player)) is not None and player.user_id == key.user:
            snapshots[key] = _PRIVATE[key.format](read.position, player, now)
    return Look(now, snapshots, not match.is_public)


def _public_json(position: Position, now: datetime) -> Snapshot:
    version = position.match.public_version
    parts = {
        "public": msgspec.Raw(_encode(position.public)),
        "match": msgspec.Raw(_encode(match_info.info_of(position.match))),
    }
    return Snapshot(version, {"version": version}, parts)


def _private_json(position: Position, player: Player, now: datetime) -> Snapshot:
    view = msgspec.Raw(_encode(match_queries.private_json(position, player)))
    return Snapshot(player.version, {"private_version": player.version}, {"private": view})


def _public_html(position: Position, now: datetime) -> Snapshot:
    version = position.match.public_version
    return Snapshot(version, {"version": version}, _plain(rendering.public_parts(position, now)), "parts")


def _private_html(position: Position, player: Player, now: datetime) -> Snapshot:
    # A player's forms also show what everyone sees: the lowest free amount, say.
    stamp = (position.match.public_version, player.version)
    parts = _plain(rendering.private_parts(position, player, now))
    parts[OWN_PART] = own_part_of(position)
    return Snapshot(stamp, {"private_version": player.version}, parts, "private_parts")


def _plain(parts: dict[str, str]) -> dict[str, str]:
    """The same parts without Django's mark of safety, which the encoder does not know."""
    return {name: part[:] for name, part in parts.items()}


def _version_alone(position: Position, now: datetime) -> Snapshot:
    version = position.match.public_version
    return Snapshot(version, {"version": version}, {})


_PUBLIC: dict[Format, Callable[[Position, datetime], Snapshot]] = {
    "json": _public_json,
    "html": _public_html,
    "hints": _version_alone,
}
_PRIVATE: dict[Format, Callable[[Position, Player, datetime], Snapshot]] = {
    "json": _private_json,
    "html": _private_html,
    "hints": lambda position, player, now: Snapshot(player.version, {"private_version": player.version}, {}),
}


class Stored(NamedTuple):
    """How far a match has come: its public version, and how long its log is."""

    version: int
    head: int


class Versions(NamedTuple):
    """What is stored, by id: of matches in which something has happened (None: it is gone), and versions of players."""

    matches: dict[int, Stored | None]
    players: dict[int, int]


def versions(heads: Mapping[int, int], players: Mapping[int, Collection[int]]) -> Versions:
    """How far those of these matches have come whose log is not as long as given here any more, and the versions of
    these of their players (match's id -> players' ids)."""
    found = Match.objects.filter(pk__in=heads).values_list("pk", "public_version", "log_count")
    stored = {pk: Stored(version, head) for pk, version, head in found}
    moved = {pk: stored.get(pk) for pk, head in heads.items() if pk not in stored or stored[pk].head != head}
    wanted = [player for pk in moved for player in players.get(pk, ())]
    return Versions(moved, dict(Player.objects.filter(pk__in=wanted).values_list("pk", "version")))


# -- what a person was told ----------------------------------------------------------------------


def notice_snapshots(user_id: int, keys: Collection[Key]) -> Look | None:
    """What a person is shown on every page, in the formats asked for; None where there is no such person any more."""
    user = get_user_model().objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    snapshots = {}
    for key in keys:
        parts = {} if key.format == "hints" else extensions.shown_to(user, key.format)
        snapshots[key] = Snapshot(parts, {}, parts)
    return Look(clock.now(), snapshots)
