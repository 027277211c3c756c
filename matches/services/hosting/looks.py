"""Commands with which hosts look at players' private data. Everybody is told at once who looked, at whom, and why.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db.models import Q

from matches.engine.step import EVERYONE
from matches.models import LedgerEntry, Match, Player
from matches.services.commands import command, command_row, need_own
from matches.services.errors import CommandRefused
from matches.services.storage.retry import as_rule_failure, retrying
from matches.services.writer import Writer

_MOST_ENTRIES = 200


class Balances(NamedTuple):
    """What a player has of each asset, in stored units, and what moved, the latest first."""

    holdings: dict[str, int]
    entries: list[LedgerEntry]


@retrying
def peek(match: Match, host: Any, player: Player, reason: str) -> Any:
    """Open a player's sealed submission: what was submitted, JSON-able; None if nothing was."""
    with _look(match, host, player, reason) as writer, as_rule_failure():
        return (writer.game.sealed(writer.state) or {}).get(player.handle)


@retrying
def peek_at_balances(match: Match, host: Any, player: Player, reason: str) -> Balances:
    """Open a player's balances and ledger, those too that are private while the match runs."""
    with _look(match, host, player, reason, what="balances"):
        entries = match.ledger.filter(Q(giver=player) | Q(receiver=player)).select_related("giver", "receiver")
        holdings = dict(player.holdings.values_list("asset", "amount"))
        return Balances(holdings, list(entries.order_by("-pk")[:_MOST_ENTRIES]))


@contextmanager
def _look(match: Match, host: Any, player: Player, reason: str, **data: str) -> Iterator[Writer]:
    with command(match, host) as writer:
        need_own(match, player)
        if not reason.strip():
            raise CommandRefused("Say why you need to look; everybody reads it.", field="reason")
        if writer.state is None:
            raise CommandRefused("Nothing has been submitted yet.")
        seen = {"player": player.handle, "reason": reason.strip(), **data}
        entry = writer.record(command_row(writer, host, "peek", **seen))
        yield writer
        writer.announce(entry, EVERYONE, "host_looked", host=host.username, **seen)
        writer.touch(public=True)
        writer.save()
