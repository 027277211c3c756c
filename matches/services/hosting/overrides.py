"""The command with which a host decides in a player's place.

Raises `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from typing import Any

from matches.engine.actions import DECISIONS
from matches.models import Match, Player
from matches.services.actions import Answer, submit_for
from matches.services.commands import need_host, need_own
from matches.services.errors import CommandRefused


def decide_for(match: Match, host: Any, player: Player, raw: dict[str, Any], reason: str) -> Answer:
    """Make a decision that a player cannot make: naming, a vote, or gifts. Everyone is told which host decided and
    why, never what."""
    need_host(match, host)
    need_own(match, player)
    if raw.get("type") not in DECISIONS:
        raise CommandRefused("A host can only make decisions for a player, never bids.")
    reason = reason.strip()
    if not reason:
        raise CommandRefused("Say why you decide in the player's place; everybody reads it.", field="reason")
    answer = submit_for(player, raw, by_host=host, reason=reason)
    if not answer.accepted:
        raise CommandRefused(answer.message, code=answer.code, field=answer.field)
    return answer
