"""The owner's command that says who hosts a match, who observes it, and who owns it from now on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matches.models import Match
from matches.services.commands import command, command_row, need_owner
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.insiders import note_insiders
from matches.services.roles import check_roles, roles_from, roles_of, store_roles
from matches.services.storage.retry import retrying


@retrying
def set_roles(
    match: Match,
    host: Any,
    hosts: Iterable[Any],
    *,
    observers: Iterable[Any] | None = None,
    owner: Any = None,
    key: str = "",
) -> None:
    """Set who acts, who observes (None: as before), and who of those who act owns the match (None: who owned it, else
    the first of them). Everybody named can never play in it from now on. Nothing is done where nothing would change.

    Raises `NotTheOwner`, `OnlyObserves` or `NotAHost`; `CommandRefused` without a host, for a player, and for too many;
    and for the same `key` a second time `AlreadyDone`.
    """
    with command(match, host, key=key, settle=not is_at_fault(match), need=need_owner) as writer:
        before = roles_of(writer.match)
        watching = before.observers if observers is None else observers
        after = roles_from(hosts, watching, owner=before.owner if owner is None else owner)
        check_roles(after, set(writer.match.players.filter(user__isnull=False).values_list("user_id", flat=True)))
        if not (changed := before.changed_to(after)):
            return
        store_roles(writer.match, after)
        note_insiders(writer.match, after.everybody, writer.now)
        writer.record(command_row(writer, host, "hosts", key=key, **changed))
        writer.save()
