"""The report of a rehearsal: one match of bots in full, how others of the same settings end, and what nobody used.

Everything is derived from what any game declares, such as its actions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.match_time import seconds
from matches.engine.playing import Unplayable
from matches.engine.preview import preview_of
from matches.engine.rehearsal import Played, rehearse
from matches.engine.roster import Roster
from matches.engine.views import MatchTime

MATCHES = 20
"""How many matches a rehearsal plays, if there is time."""


class Ending(msgspec.Struct, frozen=True):
    """How one of the matches went: `stuck` players could do nothing in some part of it, `ran_out` had nothing left to
    spend before the last part of the play."""

    length: MatchTime
    winners: tuple[str, ...]
    candidates: tuple[str, ...]
    stuck: tuple[str, ...]
    ran_out: tuple[str, ...]


class Report(msgspec.Struct, frozen=True):
    """`played` is the match that is told of, and the first of `endings`.

    `fixed`: the deadlines that came at the same match times in all of them. `idle_length`: how long the match takes if
    nobody does anything; None if it would not end. `unused_actions`, by type: over all matches.
    """

    played: Played
    endings: tuple[Ending, ...]
    fixed: tuple[MatchTime, ...]
    idle_length: MatchTime | None
    unused_actions: tuple[str, ...]


def report_of(
    game: AnyGame,
    config: Mapping[str, Any],
    roster: Roster,
    seed: bytes,
    enough: Callable[[int], bool],
    count: Callable[[int], None] = lambda played: None,
) -> Report:
    """Rehearse a match of these settings (JSON). The roster has already been checked.

    `enough(0)` says whether there is no more time for the match that is reported in full, `enough(1)` the same for all
    others; `count` is told how many matches have been played, after each but the last. Raises `ConfigError`, and
    `Unplayable` if that first match does not come to an end in time.
    """
    typed = game.read_config(config)
    played = rehearse(game, typed, roster, seed, lambda: enough(0))
    matches = [played]
    try:
        while len(matches) < MATCHES:
            count(len(matches))
            matches.append(rehearse(game, typed, roster, _seed(seed, len(matches)), lambda: enough(1)))
    except Unplayable:  # then there are fewer
        pass
    return Report(
        played=played,
        endings=tuple(map(_ending, matches)),
        fixed=_fixed(matches),
        idle_length=_idle_length(game, typed, roster, seed),
        unused_actions=_unused_actions(game, matches),
    )


def _seed(seed: bytes, number: int) -> bytes:
    return hashlib.sha256(b"rehearsal:%d:" % number + seed).digest()


def _ending(played: Played) -> Ending:
    stuck = tuple(dict.fromkeys(idle.player for idle in played.idle if idle.refusal))
    ran_out = tuple(dict.fromkeys(each.player for each in played.ran_out))
    return Ending(played.length, played.winners, played.candidates, stuck, ran_out)


def _fixed(matches: Sequence[Played]) -> tuple[MatchTime, ...]:
    times = ({deadline.at for deadline in played.deadlines} for played in matches)
    return tuple(sorted(set.intersection(*times)))


def _idle_length(game: AnyGame, config: Any, roster: Roster, seed: bytes) -> MatchTime | None:
    preview = preview_of(game, config, roster, Draw(seed), most=10_000)
    return seconds(preview.scenes[-1].time) if preview.whole else None


def _unused_actions(game: AnyGame, matches: Sequence[Played]) -> tuple[str, ...]:
    used = {kind for played in matches for done in played.done.values() for kind in done}
    return tuple(kind for kind in game.actions if kind not in used)
