"""Compares who is behind the members of a season, and who hosts it, with what its log says.

The log names accounts by their username. What it says of one that no account has any more, after a change of the
username, cannot be compared.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model

from seasons.engine import replaying
from seasons.engine.state import BLOOD_UNITS, SeasonState
from seasons.models import Member, Season, SeasonRow
from seasons.services.roles import roles_of

_HOST, _MEMBER = "host:", "member:"

Who = dict[str, Any]
"""What the log says of whoever has a place: `username`, `is_bot` and, in newer rows, `name`."""


def compare_people(season: Season, rows: list[SeasonRow], state: SeasonState) -> list[str]:
    """What differs in the cast, in roles, and in who has written the rows of the log, a sentence each."""
    payloads = [json.loads(row.payload) for row in rows]
    usernames = _Usernames()
    return [
        *_compare_cast(season, payloads[0], state),
        *_compare_places(season, rows, payloads, usernames),
        *_compare_roles(season, rows, payloads, usernames),
    ]


class _Usernames:
    """Which usernames there are; each is asked for once."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def are(self, *names: str | None) -> bool:
        """Whether each of them is the username of an account (None: nobody is meant)."""
        return all(name is None or self._is(name) for name in names)

    def _is(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = get_user_model().objects.filter(username=name).exists()
        return self._known[name]


def _compare_cast(season: Season, began: dict[str, Any], state: SeasonState) -> list[str]:
    stored = list(season.cast.order_by("position", "pk"))
    life = [(each.handle, each.status, each.place) for each in state.members]
    found = []
    if life != [(member.handle, member.status, member.place) for member in stored]:
        found.append("The cast is not what the log gives.")
    listed = {entry["handle"]: _listed(entry) for entry in began["cast"]}
    for member in stored:
        if listed.get(member.handle, _opening(member)) != _opening(member):
            found.append(f"{member.handle} did not begin with the team or the amounts that the cast says.")
    return found


def _listed(entry: dict[str, Any]) -> tuple[Any, ...]:
    return (entry["team"] or "", entry["garnets"], entry["priority"], Decimal(entry["blood"]) / BLOOD_UNITS)


def _opening(member: Member) -> tuple[Any, ...]:
    return (member.team, member.garnets, member.priority, member.blood_garnets)


def _compare_places(
    season: Season, rows: list[SeasonRow], payloads: list[dict[str, Any]], usernames: _Usernames
) -> list[str]:
    people: dict[str, Who] = {}
    found = []
    for row, payload in zip(rows, payloads, strict=True):
        if row.kind == replaying.BEGIN:
            people = dict(payload.get("people", {}))
        elif row.kind == replaying.PERSON:
            people[payload["player"]] = payload
        writer = _writer_of(row, people)
        if writer is not None and usernames.are(writer or None) and writer != _username(row.user):
            found.append(f"Row {row.number} of the log is not by {row.actor}.")
    for member in season.cast.select_related("user"):
        who = people.get(member.handle)
        if who is not None and usernames.are(who["username"]) and not _is(member, who):
            found.append(f"The log names somebody else as {member.handle}.")
    return found


def _writer_of(row: SeasonRow, people: dict[str, Who]) -> str | None:
    """The username of whose row this is by the log; empty for the clock, None where the log does not say."""
    if row.actor.startswith(_HOST):
        return row.actor.removeprefix(_HOST)
    if row.actor.startswith(_MEMBER):
        who = people.get(row.actor.removeprefix(_MEMBER))
        return None if who is None else who["username"]
    return ""


def _is(member: Member, who: Who) -> bool:
    named = (who["username"] or "", who["is_bot"], who.get("name", member.name))
    return (_username(member.user), member.is_bot, member.name) == named


def _username(user: Any) -> str:
    return user.username if user else ""


def _compare_roles(
    season: Season, rows: list[SeasonRow], payloads: list[dict[str, Any]], usernames: _Usernames
) -> list[str]:
    roles: dict[str, Any] = {}
    hosted: set[str] = set()
    for row, payload in zip(rows, payloads, strict=True):
        if row.kind == replaying.BEGIN:
            roles = dict(payload.get("roles", {}))
            hosted |= _names(roles)
        elif row.kind == replaying.ROLES:
            roles |= {key: after for key, (_, after) in payload.items()}
            hosted |= _names({key: before for key, (before, _) in payload.items()}) | _names(roles)
    now = roles_of(season).in_names()
    found = []
    if any(usernames.are(*_names({key: names})) and now[key] != names for key, names in roles.items()):
        found.append("The season's hosts and observers are not those whom the log names.")
    known = set(season.roles.values_list("user__username", flat=True))
    forgotten = sorted(name for name in hosted - known if usernames.are(name))
    return [*found, *(f"It is not stored that {name} has hosted or observed the season." for name in forgotten)]


def _names(roles: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for names in roles.values():
        found |= {names} if isinstance(names, str) else set(names or ())
    return found
