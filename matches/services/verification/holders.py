"""Checks who has each place of a match, and who has acted from it, against its log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model

from matches.models import Match, Submission
from matches.services.places import TAKE_PLACE

_ENTERS = ("join", "claim", TAKE_PLACE)


class _Unknown:
    """The log does not say who has a place: it was given by an older release, or their username has changed."""


_UNKNOWN = _Unknown()
_Holder = int | None | _Unknown
"""The id of the account that has a place; None for nobody and for bots."""


def compare(match: Match) -> list[str]:
    """The differences between who has and had the places of a match and what its log says, a sentence each."""
    holders, found = Holders(), []
    for row in match.log.exclude(kind=Submission.Kind.DEADLINE).order_by("number").iterator():
        if row.kind == Submission.Kind.COMMAND:
            if row.accepted:
                holders.follow(row)
            continue
        handle = row.actor.removeprefix("player:")
        if handle == row.actor or row.user_id is None:
            continue  # a host's decision, or a bot
        if holders.of(handle) not in (_UNKNOWN, row.user_id):
            found.append(f"Row {row.number} was made by somebody who did not have the place {handle} then.")
        holders.know(handle, row.user_id)
    for player in match.players.order_by("pk"):
        if holders.of(player.handle) not in (_UNKNOWN, player.user_id):
            found.append(f"Somebody else has the place {player.handle} than the log says.")
        if holders.bot_plays.get(player.handle, player.is_bot) != player.is_bot:
            found.append(f"The log does not say who acts in the place {player.handle}.")
    return found


class Holders:
    """Who has each place, as the log tells it row by row."""

    def __init__(self) -> None:
        self._of: dict[str, _Holder] = {}
        self.bot_plays: dict[str, bool] = {}

    def of(self, handle: str) -> _Holder:
        """Who has the place now: an account's id, None for nobody, or unknown."""
        return self._of.get(handle, _UNKNOWN)

    def know(self, handle: str, user_id: int) -> None:
        """Note who has a place that the log did not say."""
        self._of[handle] = user_id

    def follow(self, row: Submission) -> None:
        """A command that was carried out."""
        said = json.loads(row.payload)
        handle = said.get("player", "")
        match said["command"]:
            case "players":
                self._changed(said)
            case "add_player":
                # Older releases did not say whose place it was.
                self._of[handle] = row.user_id if row.user_id or said.get("person") is False else _UNKNOWN
            case "leave":
                self._of[handle] = None
            case "withdraw_player":
                self._of[handle], self.bot_plays[handle] = None, said["bot"]
            case "substitute":
                self.bot_plays[handle] = False
            case "bot_plays" | "person_plays" as which:
                self.bot_plays[handle] = which == "bot_plays"
            case command if command in _ENTERS:
                self._of[handle] = row.user_id

    def _changed(self, said: Mapping[str, Any]) -> None:
        """Before the match begins hosts change the list of players, several at once: they may swap handles."""
        for handle in said["removed"]:
            self._of.pop(handle, None)
        moved: dict[str, _Holder] = {}
        for each in said["changed"]:
            held, changes = self._of.pop(each["handle"], _UNKNOWN), each["changes"]
            handle = changes["handle"][1] if "handle" in changes else each["handle"]
            moved[handle] = _account(changes["user"][1]) if "user" in changes else held
        self._of |= moved
        self._of |= {each["handle"]: _account(each["user"]) for each in said["added"]}


def _account(username: str | None) -> _Holder:
    if username is None:
        return None
    found: int | None = get_user_model().objects.filter(username=username).values_list("pk", flat=True).first()
    return _UNKNOWN if found is None else found
