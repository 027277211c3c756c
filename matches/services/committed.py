"""What this process has stored last of the matches that somebody watches here, so that their boards need not be read
again to be shown.

It is kept only after its transaction is committed, and given only to those who know of nothing newer: every change of
a match moves the head of its log.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from matches.models import Match, Player
from matches.services.storage.recall import copied


class Commit(NamedTuple):
    """A match's row as it was stored, its state, decoded, and those of its players who are known as of the same head.

    `is_all`: all its players are known, in list order.
    """

    match: Match
    state: Any
    players: Mapping[int, Player] = {}
    is_all: bool = False


class Play(NamedTuple):
    """A transaction that changed of players nothing but how often they acted and what they see: who hosts, joins or
    leaves does not write so. `head`: how long the log was before. By player's id: how many versions each is newer, and
    how many of their actions were accepted."""

    head: int
    newer: Mapping[int, int]
    acted: Mapping[int, int]

    def after(self, player: Player) -> Player:
        """The player after it: another object, or this one, if it changed nothing of them."""
        if player.pk not in self.newer and player.pk not in self.acted:
            return player
        player = copied(player)
        player.version += self.newer.get(player.pk, 0)
        player.action_count += self.acted.get(player.pk, 0)
        return player


_lock = threading.Lock()
_watched: set[int] = set()
_newest: dict[int, Commit] = {}


def watch(match_id: int) -> None:
    """Keep what is stored of this match from now on."""
    with _lock:
        _watched.add(match_id)


def unwatch(match_id: int) -> None:
    """Keep nothing of this match any more."""
    with _lock:
        _watched.discard(match_id)
        _newest.pop(match_id, None)


def of(match: Match, state: Any) -> Commit | None:
    """What will be true once this is committed; None where nobody watches. A copy: the writer may go on."""
    return Commit(copied(match), state) if match.pk in _watched else None


def keep(commit: Commit, play: Play | None = None) -> None:
    """After the commit. Threads may come here in another order than they have committed in. Players are known on only
    where it was nothing but `play`, and nothing else was stored since they were known."""
    match = commit.match
    with _lock:
        known = _newest.get(match.pk)
        if match.pk not in _watched or (known is not None and known.match.log_count >= match.log_count):
            return
        if known is not None and play is not None and known.match.log_count == play.head:
            players = {pk: play.after(player) for pk, player in known.players.items()}
            commit = commit._replace(players=players, is_all=known.is_all)
        _newest[match.pk] = commit


def know(match_id: int, head: int, players: Iterable[Player], *, is_all: bool) -> None:
    """Keep players as they were read while the log was so long."""
    found = {player.pk: copied(player) for player in players}
    with _lock:
        known = _newest.get(match_id)
        if known is not None and known.match.log_count == head and not known.is_all:
            _newest[match_id] = known._replace(players=found if is_all else {**known.players, **found}, is_all=is_all)


def newest(match_id: int, head: int) -> Commit | None:
    """What was stored last, with a match of the caller's own (players are to be copied); None if this process has
    stored nothing as new as that head of the log (`log_count`)."""
    known = _newest.get(match_id)
    if known is None or known.match.log_count < head:
        return None
    return known._replace(match=copied(known.match))
