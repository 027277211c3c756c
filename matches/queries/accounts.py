"""The accounts of those who play: the usernames, by which their names on pages lead to their profiles, and the mark
of bots.

They are read together with the players, or for all players of a match at once: never one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import F, Prefetch

from accounts.models import User
from matches.models import Player

_OF_PLAYER = f"FROM {User._meta.db_table} WHERE id = {Player._meta.db_table}.user_id"
SQL = f"(SELECT username {_OF_PLAYER}), (SELECT is_bot {_OF_PLAYER})"
"""The same for handwritten statements; for `keep`."""


class Account(NamedTuple):
    """Who plays: the username, empty for bots of the site and open places, and whether it is marked as a bot's."""

    username: str
    is_bot: bool


NOBODY = Account("", False)


def players_with_accounts(way: str = "") -> Prefetch[Any]:
    """For `prefetch_related`: the players of matches, with the accounts; `way`: to the matches, such as `match__`."""
    found = Player.objects.annotate(username=F("user__username"), by_a_bot=F("user__is_bot"))
    return Prefetch(f"{way}players", found)


def keep(player: Player, username: str | None, by_a_bot: Any) -> None:
    """Remember the account that was read with a player."""
    vars(player).update(username=username, by_a_bot=bool(by_a_bot))


def accounts_of(players: Iterable[Player]) -> list[Account]:
    """The account of each of these players; those that were not read with the players are read now."""
    found = list(players)
    unread = {player.user_id for player in found if player.user_id is not None and "username" not in vars(player)}
    rows = User.objects.filter(pk__in=unread).values_list("pk", "username", "is_bot") if unread else ()
    read = {pk: (username, is_bot) for pk, username, is_bot in rows}
    for player in found:
        if player.user_id in read:
            keep(player, *read[player.user_id])
    return [NOBODY if player.user_id is None else _kept(player) for player in found]


def _kept(player: Player) -> Account:
    return Account(vars(player)["username"] or "", bool(vars(player)["by_a_bot"]))
