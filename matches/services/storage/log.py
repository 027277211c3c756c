"""The log's rows and their hash chain."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from matches.engine import chain
from matches.engine.strict_json import canonical
from matches.models import Match, Player, Submission
from matches.models.log import Row, new_salt
from matches.services.storage.instances import made

LONGEST_REFUSED = 2048
"""The most bytes of a refused action that the log keeps in full, so that nobody can fill the log with refused rows."""

_HEAD = 300


def shortened(payload: str, raw: object) -> str:
    """What the log keeps of a refused action: its canonical `payload` or, if that is too long, its hash, length in
    bytes and beginning, with the type of `raw` (which decides whether it stays secret when the log is published)."""
    data = payload.encode()
    if len(data) <= LONGEST_REFUSED:
        return payload
    cut: dict[str, Any] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "head": payload[:_HEAD]}
    kind = raw.get("type") if isinstance(raw, dict) else None
    known = {"type": kind} if isinstance(kind, str) and len(kind) <= _HEAD else {}
    return canonical({**known, "cut": cut})


def new_row(*, player: Player | None = None, **facts: Any) -> Submission:
    """A row with these facts, for `append`."""
    row = made(Submission, salt=new_salt(), **facts)
    if player is not None:
        row.player = player
    return row


def append(match: Match, row: Submission) -> Submission:
    """Number and chain a row, which the caller writes; moves the match's log head, which the caller saves."""
    row.match_id = match.pk
    row.inner_salt = new_salt()
    row.receipt_hash = row.receipt()
    chained(match, row)
    return row


def chained(owner: Any, row: Row) -> None:
    """Number and chain a row of a match or a season that is locked; moves its log head."""
    owner.log_count += 1
    row.number, row.previous_hash = owner.log_count, owner.log_head
    row.hash = owner.log_head = row.row_hash()


def broken_at(match: Match) -> int | None:
    """The number of the first row that does not fit the chain; None when the log is whole."""
    rows = match.log.select_related("player").order_by("number").iterator()
    facts = (
        (row.number, row.previous_hash, row.hash, (row.receipt_hash, row.hash) == (row.receipt(), row.row_hash()))
        for row in rows
    )
    return chain.broken_at(facts, match.log_count, match.log_head)


# -- special rows ----------------------------------------------------------------------------------------
# The row that ends a match, private rows, and rows that take a command back.
#
# `{"command": "undo", "undoes": 17, "what": "correct", …}` takes a command back. It also has the data of a command of
# that kind: for a correction the opposite amount, for an amendment the reverse changes.

UNDO = "undo"
ENDED = "ended"
"""The command of the row after the last action or deadline. The match's last fingerprint is this row's hash, because
its content is no secret, unlike that of a last vote."""

PRIVATE_COMMANDS = frozenset({"question", "reply"})
"""Commands whose rows stay private when the log is published: players' questions to the hosts, and the answers."""

_BEGINS = f'{{"command":"{ENDED}"'
ENDS = Q(kind=Submission.Kind.COMMAND, player=None, payload__startswith=_BEGINS)
"""A filter for the rows that end matches."""


def is_end(row: Submission) -> bool:
    """Whether this row ends its match."""
    return row.kind == Submission.Kind.COMMAND and row.payload.startswith(_BEGINS)


def is_private_command(row: Submission) -> bool:
    """Whether a row belongs to a private question."""
    return row.kind == Submission.Kind.COMMAND and json.loads(row.payload).get("command") in PRIVATE_COMMANDS


def command_of(payload: Mapping[str, Any]) -> str:
    """The name of a logged command; for one that takes another back the name of that, because it acts like one."""
    return str(payload["what"] if payload["command"] == UNDO else payload["command"])
