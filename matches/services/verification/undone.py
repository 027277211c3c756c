"""Commands that were taken back, as the log has them: rows of their own, which name what they take back.

`{"command": "undo", "undoes": 17, "what": "correct", …}`, and besides it what a command of that kind says: of a
correction the opposite amount, of an amendment the changes the other way round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from matches.models import Match, Submission
from matches.services.summing import SUMS

UNDO = "undo"


def command_of(payload: Mapping[str, Any]) -> str:
    """What a logged command does to the play; taking one back does the same as a command of its kind."""
    return str(payload["what"] if payload["command"] == UNDO else payload["command"])


def compare(match: Match) -> list[str]:
    """What is wrong with the rows that take something back, one sentence each: each has to come directly after what it
    takes back, and be its opposite."""
    found = []
    rows = match.log.exclude(SUMS).order_by("-number")
    undone = rows.filter(kind=Submission.Kind.COMMAND, player=None, accepted=True)
    for row in undone.filter(payload__contains='"command":"undo"'):
        payload = json.loads(row.payload)
        if payload["command"] != UNDO:
            continue
        before = rows.filter(number__lt=row.number).first()
        if (
            before is None
            or before.kind != Submission.Kind.COMMAND
            or not before.accepted
            or payload["undoes"] != before.number
            or not _is_opposite(payload, json.loads(before.payload))
        ):
            found.append(f"Row {row.number} takes back a command that is not before it.")
    return found


def _is_opposite(payload: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    if payload["what"] != before["command"]:
        return False
    if payload["what"] == "correct":
        same = all(payload[name] == before[name] for name in ("player", "asset"))
        return same and payload["amount"] == -before["amount"]
    if payload["what"] == "extend":
        return bool(payload["by"] == before["by"])
    if payload["what"] == "amend":
        return dict(payload["changes"]) == {key: [now, was] for key, (was, now) in before["changes"].items()}
    return True
