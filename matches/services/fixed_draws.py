"""Which draws hosts have replaced by a setting of their own. Everybody is told of them before the match begins.

A host who sets the order or the deck knows what will come. Hosts never play, but their friends may, so everybody is
told that it was set, and by whom. The value stays secret.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from matches.engine.sentences import fixed_in_words
from matches.engine.settings import Setting
from matches.models import Match, Submission


class FixedDraw(msgspec.Struct, frozen=True):
    """`what` is set, such as “the order of the numbers”; `by` is the host's username, empty where no log names one."""

    what: str
    by: str

    @property
    def sentence(self) -> str:
        """A sentence that says so."""
        return fixed_in_words(self.what, self.by)


def fixed_draws(match: Match) -> tuple[FixedDraw, ...]:
    """What is set by hosts and not drawn, according to the match's present settings."""
    settings = [each for each in match.rules.settings if each.draw and match.config.get(each.key) is not None]
    if not settings:
        return ()
    hosts = _setters(match, settings)
    return tuple(FixedDraw(each.draw, hosts.get(each.key, "")) for each in settings)


def _setters(match: Match, settings: list[Setting]) -> dict[str, str]:
    """Key -> the host who has last set it, as the log has it."""
    found = {}
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, user__isnull=False).order_by("number")
    for actor, payload in rows.values_list("actor", "payload"):
        before, after = _change(json.loads(payload))
        for each in settings:
            if after.get(each.key) is not None and after[each.key] != before.get(each.key):
                found[each.key] = actor.partition(":")[2]
    return found


def _change(payload: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The stored settings before and after a command."""
    if payload["command"] == "create":
        return {}, payload["settings"]["config"]
    if payload["command"] == "update" and "config" in payload["changes"]:
        before, after = payload["changes"]["config"]
        return before, after
    return {}, {}
