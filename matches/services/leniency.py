"""What a match allows to those who are away: whether bots play for them."""

from __future__ import annotations

import json
from typing import Any

from matches.models import Leniency, Match, Player, Submission
from matches.services.commands import command, command_row, need_status
from matches.services.errors import KeyConflict
from matches.services.storage.retry import retrying
from matches.services.writer import Writer


def leniency_of(match: Match) -> Leniency:
    """What was chosen for a match."""
    return Leniency.objects.filter(pk=match.pk).first() or Leniency(match=match)


@retrying
def choose(match: Match, host: Any, *, bots_stand_in: bool, key: str = "") -> None:
    """Choose it, before the match begins: everybody plays under the same from beginning to end. Raises
    `CommandRefused`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.BEFORE, otherwise="This is fixed when the match begins.")
        Leniency.objects.update_or_create(match=writer.match, defaults={"bots_stand_in": bots_stand_in})
        writer.record(command_row(writer, host, "leniency", key=key, bots_stand_in=bots_stand_in))
        writer.touch_all()
        writer.save()


def on_duplicated(source: Match, draft: Match, **_: Any) -> None:
    """A receiver of `signals.match_duplicated`: the same again."""
    chosen = Leniency.objects.filter(pk=source.pk).first()
    if chosen is not None:
        chosen.pk = draft.pk
        chosen.save(force_insert=True)


def done_before(writer: Writer, player: Player, key: str, *commands: str) -> Submission | None:
    """The row of the log at which this key of a player stands, if it is one of these commands. Raises `KeyConflict` for
    a key that was used for something else."""
    row = writer.known(player.user_id, key) if key else None
    if row is None:
        return None
    if row.kind != Submission.Kind.COMMAND or json.loads(row.payload).get("command") not in commands:
        raise KeyConflict("This Idempotency-Key was used for something else. A new request takes a new key.")
    return row
