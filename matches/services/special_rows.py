"""Rows of a match's log that are special: the one that ends it, private ones, and those that take something back.

`{"command": "undo", "undoes": 17, "what": "correct", …}` takes a command back. It also says what a command of that kind
says: of a correction the opposite amount, of an amendment the changes the other way round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from matches.models import Submission

UNDO = "undo"
ENDED = "ended"
"""Follows the action or deadline with which play ends. The match's last fingerprint is its hash, since what it says is
no secret; a last vote is."""

PRIVATE_COMMANDS = frozenset({"question", "reply"})
"""Commands whose rows stay private when the log is published: what a player asked the hosts, and what these replied."""

_BEGINS = f'{{"command":"{ENDED}"'
ENDS = Q(kind=Submission.Kind.COMMAND, player=None, payload__startswith=_BEGINS)
"""Filters the rows that end matches."""


def is_end(row: Submission) -> bool:
    """Whether this is such a row."""
    return row.kind == Submission.Kind.COMMAND and row.payload.startswith(_BEGINS)


def is_private_command(row: Submission) -> bool:
    """Whether a row belongs to a private question."""
    return row.kind == Submission.Kind.COMMAND and json.loads(row.payload).get("command") in PRIVATE_COMMANDS


def command_of(payload: Mapping[str, Any]) -> str:
    """What a logged command does to the play; taking one back does the same as a command of its kind."""
    return str(payload["what"] if payload["command"] == UNDO else payload["command"])
