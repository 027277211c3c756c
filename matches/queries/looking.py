"""Reads what a live look at a match needs, in two statements that are never compiled anew.

Players are read before the match. If somebody acts in between, the look has an old version and new contents, and the
next look finds the difference; the other way round the change would never be seen.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from matches.engine.ledger import BLOOD_GARNET
from matches.models import Holding, Match, Player
from matches.queries.matches import Position
from matches.services.storage import sql


class Sight(NamedTuple):
    """A match as it stands, and those of its players who were asked for, by id."""

    position: Position
    players: dict[int, Player]


def look_at(match_id: int, player_ids: Collection[int] = (), *, everybody: bool = False) -> Sight | None:
    """The match with these players, or with `everybody` (whom its templates then need not read); None where there is
    no such match."""
    players = _players(match_id, () if everybody else player_ids) if everybody or player_ids else []
    match = next(iter(sql.fetch(Match, "id = %s", match_id)), None)
    if match is None:
        return None
    if everybody:
        _give(match, players)
    return Sight(Position(match), {player.pk: player for player in players})


def _players(match_id: int, player_ids: Collection[int]) -> list[Player]:
    """Players in list order; of these ids, or all. Each knows its blood garnets."""
    some = f" AND id IN ({', '.join(['%s'] * len(player_ids))})" if player_ids else ""
    where = f"match_id = %s{some} ORDER BY position, id"
    found = []
    for player, (units,) in sql.fetch_with(Player, _BLOOD, where, match_id, *player_ids):
        vars(player)["blood_units"] = units
        found.append(player)
    return found


_BLOOD = f"""
    (SELECT amount FROM {Holding._meta.db_table}
     WHERE player_id = {Player._meta.db_table}.id AND asset = '{BLOOD_GARNET}')
"""  # noqa: S608


def _give(match: Match, players: list[Player]) -> None:
    """Let `match.players.all()` be these, as if they had been prefetched."""
    query = match.players.all()
    query._result_cache, query._prefetch_done = players, True  # type: ignore[attr-defined]
    for player in players:
        player.match = match
    vars(match)["_prefetched_objects_cache"] = {"players": query}
