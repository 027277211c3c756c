"""Snapshots: what an audience sees of a match, or a person of their notices, in parts that are compared and sent
separately.

Apart from admissions, this is the only live code that reads the database. It runs in threads.
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
"""What a socket gets: views for programs (`json`), parts of the match's page (`html`), or only versions, for pages
beside it (`hints`)."""

FORMATS: tuple[Format, ...] = ("json", "html", "hints")

_encode = msgspec.json.Encoder().encode


class Key(NamedTuple):
    """An audience in one format: everyone, or `user` who plays as `player` and sees that private view.

    The user is part of the key, since a place may change hands while its former person still watches.
    """

    format: Format
    player: int | None = None
    user: int | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """What an audience sees at one moment.

    While `stamp` stays the same, nothing needs sending. `versions` go into every frame, `parts` only if they changed:
    inside the field `within`, or (None) as fields of their own. `public`: the public version from which a player's own
    parts are made; None if they do not depend on it.
    """

    stamp: Any
    versions: dict[str, int]
    parts: dict[str, Any]
    within: str | None = None
    public: int | None = None

    def is_older_than(self, public: int | None, own: int | None) -> bool:
        """Whether something newer is stored: a version `own` of this, or a `public` one on which it depends. True as
        well if it is gone (None)."""
        if own is None or own > max(self.versions.values()):
            return True
        return self.public is not None and public is not None and public > self.public

    def fields(self, since: Snapshot | None = None) -> dict[str, Any]:
        """The fields of a frame for somebody who has seen `since`; empty if there is nothing new."""
        if since is None:
            return self._framed(self.parts)
        if self.stamp == since.stamp:
            return {}
        changed: dict[str, Any] = {}
        for name, part in self.parts.items():
            if since.parts.get(name) != part:
                changed |= _changes(name, since.parts.get(name), part)
        # A missing part is sent as empty, so that browsers stop showing it.
        changed |= {name: "" for name in since.parts if name not in self.parts}
        return self._framed(changed) if changed or self.versions != since.versions else {}

    def sums(self) -> dict[str, str]:
        """The checksums of the HTML parts, for a newcomer's page to compare with its own. Sent because computing them
        takes long on a slow device."""
        return fragments.sums({name: part for name, part in self.parts.items() if isinstance(part, str)})

    def _framed(self, parts: dict[str, Any]) -> dict[str, Any]:
        if self.within is not None and parts:
            parts = {self.within: parts}
        return {**self.versions, **parts}


def _changes(name: str, before: Any, after: Any) -> dict[str, Any]:
    """What to send of a part: only its changed fragments if nothing else changed, or else all of it."""
    if isinstance(before, str) and isinstance(after, str):
        found = fragments.changed(before, after)
        if found is not None:
            return found
    return {name: after}


class Look(NamedTuple):
    """The result of one read: a snapshot for each requested audience, without those that may no longer watch."""

    now: datetime
    snapshots: dict[Key, Snapshot]
    hidden: bool = False
    """Whether strangers may not know of the match (any more)."""


def encode_frame(fields: dict[str, Any], now: datetime) -> str:
    """The JSON text of a frame, with the server's time."""
    return _encode({**fields, "now": now.isoformat()}).decode()


def encode_hint(of: str, facts: Iterable[tuple[str, str]]) -> str:
    """The JSON text of a hint, upon which a page asks for what is new."""
    return _encode({"hint": {"of": of, **dict(facts)}}).decode()


# -- a match -----------------------------------------------------------------------------------


def match_snapshots(match_id: int, keys: Collection[Key]) -> Look | None:
    """What these audiences see of a match now; None if there is no such match."""
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
    # A player's forms also depend on the public view, for example on the lowest free amount.
    stamp = (position.match.public_version, player.version)
    parts = _plain(rendering.private_parts(position, player, now))
    parts[OWN_PART] = own_part_of(position)
    return Snapshot(stamp, {"private_version": player.version}, parts, "private_parts", stamp[0])


def _plain(parts: dict[str, str]) -> dict[str, str]:
    """The parts as plain `str` rather than Django's `SafeString`, which the encoder does not know."""
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
    """A match's public version, and the length of its log."""

    version: int
    head: int


class Versions(NamedTuple):
    """What is stored, by id: matches whose log has grown (None: the match is gone), and the versions of players."""

    matches: dict[int, Stored | None]
    players: dict[int, int]


def versions(heads: Mapping[int, int], players: Mapping[int, Collection[int]]) -> Versions:
    """Find the matches whose log is no longer as long as `heads` (id -> length) says, with what is stored of them, and
    the versions of those of their players who are in `players` (match's id -> players' ids)."""
    found = Match.objects.filter(pk__in=heads).values_list("pk", "public_version", "log_count")
    stored = {pk: Stored(version, head) for pk, version, head in found}
    moved = {pk: stored.get(pk) for pk, head in heads.items() if pk not in stored or stored[pk].head != head}
    wanted = [player for pk in moved for player in players.get(pk, ())]
    return Versions(moved, dict(Player.objects.filter(pk__in=wanted).values_list("pk", "version")))


# -- a person's notices --------------------------------------------------------------------------


def notice_snapshots(user_id: int, keys: Collection[Key]) -> Look | None:
    """What every page shows to a person, such as their notices; None if the person has no active account any more."""
    user = get_user_model().objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    snapshots = {}
    for key in keys:
        parts = {} if key.format == "hints" else extensions.shown_to(user, key.format)
        snapshots[key] = Snapshot(parts, {}, parts)
    return Look(clock.now(), snapshots)
