"""Hosts do what is a player's to do or to know: decide in a player's place, open what is sealed.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from typing import Any

from matches.engine.actions import DECISIONS
from matches.models import Match, Player
from matches.services.actions import Answer, submit_for
from matches.services.commands import command, command_row, need_host, need_own
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying, rules


def decide_for(match: Match, host: Any, player: Player, raw: dict[str, Any]) -> Answer:
    """Make a decision that a player cannot make: naming, a vote, or gifts. The log names the host,
    and everyone is told that a host decided."""
    need_host(match, host)
    need_own(match, player)
    if raw.get("type") not in DECISIONS:
        raise CommandRefused("A host can only make decisions for a player, never bids.")
    answer = submit_for(player, raw, by_host=host)
    if not answer.accepted:
        raise CommandRefused(answer.message, code=answer.code, field=answer.field)
    return answer


@retrying
def peek(match: Match, host: Any, player: Player, reason: str) -> Any:
    """Open a sealed submission: a deliberate act that stands in the log and that the players can
    see after the match. Returns what was submitted, JSON-able; None if nothing was."""
    with command(match, host) as writer:
        need_own(match, player)
        if not reason.strip():
            raise CommandRefused("Say why you need to look; the players will see it afterwards.")
        if writer.state is None:
            raise CommandRefused("Nothing has been submitted yet.")
        with rules():
            found = (writer.game.sealed(writer.state) or {}).get(player.handle)
        writer.record(command_row(writer, host, "peek", player=player.handle, reason=reason.strip()))
        writer.save()
        return found
