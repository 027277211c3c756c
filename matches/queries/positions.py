"""Reads what a look at a match needs, in two statements that are never compiled again.

Players are read before the match. If somebody acts in between, the look has an old version and new contents, and the
next look finds the difference; the other way round the change would never be seen.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from matches.engine.ledger import BLOOD_GARNET
from matches.models import Holding, Match, Player
from matches.queries import accounts
from matches.queries.matches import Position
from matches.services.storage import sql


class MatchAndPlayers(NamedTuple):
    """A match as it stands, and those of its players who were asked for, by id."""

    position: Position
    players: dict[int, Player]


def look_at(match_id: int, player_ids: Collection[int] = (), *, everybody: bool = False) -> MatchAndPlayers | None:
    """The match with these players, or with `everybody` (whom its templates then need not read); None where there is
    no such match."""
    players = _players(match_id, () if everybody else player_ids) if everybody or player_ids else []
    for match in sql.fetch(Match, "id = %s", match_id):
        if everybody:
            _give(match, players)
        return MatchAndPlayers(Position(match), {player.pk: player for player in players})
    return None


def find(public_id: str) -> Match | None:
    """The match of that id with all its players; None where there is no such match."""
    players = _read(_IN_MATCH, public_id)
    match = next(iter(sql.fetch(Match, "public_id = %s", public_id)), None)
    if match is not None:
        _give(match, players)
    return match


def give_again(match: Match, known: Match, player: Player | None) -> None:
    """Let a match that was read again have the players of the one known before, and `player` as they are now."""
    players = list(known.players.all())
    for place, before in enumerate(players):
        if player is not None and before.pk == player.pk:
            players[place] = player
            if "username" in vars(before) and before.user_id == player.user_id:
                accounts.keep(player, vars(before)["username"], vars(before)["by_a_bot"])
    _give(match, players)


_IN_MATCH = f"match_id = (SELECT id FROM {Match._meta.db_table} WHERE public_id = %s)"  # noqa: S608


def _players(match_id: int, player_ids: Collection[int]) -> list[Player]:
    """Players in list order, of these ids, or all."""
    some = f" AND id IN ({', '.join(['%s'] * len(player_ids))})" if player_ids else ""
    return _read(f"match_id = %s{some}", match_id, *player_ids)


def _read(which: str, *values: object) -> list[Player]:
    """These players in list order, each with their blood garnets and username."""
    found = []
    for player, (units, *account) in sql.fetch_with(Player, _BESIDES, f"{which} ORDER BY position, id", *values):
        vars(player)["blood_units"] = units
        accounts.keep(player, *account)
        found.append(player)
    return found


_BESIDES = f"""
    (SELECT amount FROM {Holding._meta.db_table}
     WHERE player_id = {Player._meta.db_table}.id AND asset = '{BLOOD_GARNET}'),
    {accounts.SQL}
"""  # noqa: S608


def _give(match: Match, players: list[Player]) -> None:
    """Let `match.players.all()` be these, as if they had been prefetched."""
    query = match.players.all()
    query._result_cache, query._prefetch_done = players, True  # type: ignore[attr-defined]
    for player in players:
        player.match = match
    vars(match)["_prefetched_objects_cache"] = {"players": query}
