"""A rehearsal: a report for hosts on one match among bots, and on how others with the same settings end."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from matches.engine.core import DECISION, FINISHED
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import seconds
from matches.engine.scenario import Unplayable
from matches.engine.settings import Roster
from matches.engine.simulation import Event, bot_match, preview_of
from matches.engine.views import MatchTime

# -- rehearsal -------------------------------------------------------------------------------------
# A match has parts, named as its game names them (`Game.progress`): the pregame, a round, an auction.
# Everything is derived from what every game declares, so this module knows no game.

_MOST_TRIED = 12
"""If a player did nothing in a part, at most this many of the others' actions are tried in that player's name."""


class Deadline(msgspec.Struct, frozen=True):
    """A deadline that passed: when, in which part of the match, and what it does there, as a verb."""

    at: MatchTime
    where: str
    does: str


class Stuck(msgspec.Struct, frozen=True):
    """A player who did nothing in a part of the match, and for whom the rules would have refused all that others did
    there. `refusal` is the commonest reason."""

    player: str
    where: str
    refusal: str


class Played(msgspec.Struct, frozen=True):
    """A whole match of bots. `done`: player -> type of action -> how often."""

    length: MatchTime
    winners: tuple[str, ...]
    candidates: tuple[str, ...]
    teams: dict[str, str]
    deadlines: tuple[Deadline, ...]
    stuck: tuple[Stuck, ...]
    done: dict[str, dict[str, int]]


def rehearse(
    game: AnyGame, config: Any, roster: Roster, seed: bytes, enough: Callable[[], bool] = lambda: False
) -> Played:
    """Play a match with this typed config once. Raises `Unplayable` if it does not come to an end, or once `enough()`
    says that the caller's time is up."""
    events = list(bot_match(game, config, roster, seed, enough, is_rehearsed=game.is_rehearsed))
    parts = list(_parts(game, events[1:]))
    core = events[-1].step.state.core
    return Played(
        length=seconds(core.time),
        winners=core.winners,
        candidates=core.candidates,
        teams={entrant.handle: entrant.team for entrant in core.roster if entrant.team},
        deadlines=tuple(_deadlines(parts)),
        stuck=tuple(_stuck(game, parts, Draw(seed), core.handles)),
        done=_done(parts, core.handles),
    )


class _Part(NamedTuple):
    """A part of the match and its events, each with what the next deadline would have done, as a verb."""

    where: str
    events: Sequence[tuple[Event, str]]

    @property
    def is_play(self) -> bool:
        """Whether everybody may act in it, unlike in the decisions, where only those asked may."""
        return self.events[0][0].before.core.phase not in (DECISION, FINISHED)

    @property
    def taken(self) -> list[Event]:
        """The players' actions."""
        return [event for event, _ in self.events if event.player]


def _parts(game: AnyGame, events: Sequence[Event]) -> Iterator[_Part]:
    """The parts of a match, in order. `events` leaves out the opening."""
    told = [(event, game.progress(game.public_view(event.before))) for event in events]
    for where, group in groupby(told, key=lambda each: each[1].where):
        yield _Part(where, [(event, progress.until) for event, progress in group])


def _deadlines(parts: Sequence[_Part]) -> Iterator[Deadline]:
    for part in parts:
        for event, does in part.events:
            if event.action is None and event.at:  # what happens at 0 belongs to the opening
                yield Deadline(seconds(event.at), part.where, does)


def _stuck(game: AnyGame, parts: Sequence[_Part], draw: Draw, handles: Sequence[str]) -> Iterator[Stuck]:
    for part in parts:
        busy = {event.player for event in part.taken}
        if busy and part.is_play:
            for handle in handles:
                if handle not in busy and (why := _why_not(game, part.taken, handle, draw)):
                    yield Stuck(handle, part.where, why)


def _why_not(game: AnyGame, taken: Sequence[Event], handle: str, draw: Draw) -> str:
    """Why the rules would have refused this player all that they accepted from others; empty if not all."""
    reasons: Counter[str] = Counter()
    for event in taken[:: -(-len(taken) // _MOST_TRIED)]:
        try:
            game.submit(event.before, handle, event.action, event.at, draw)
        except Rejected as refusal:
            reasons[refusal.message] += 1
        else:
            return ""
    return reasons.most_common(1)[0][0]


def _done(parts: Sequence[_Part], handles: Sequence[str]) -> dict[str, dict[str, int]]:
    done: dict[str, dict[str, int]] = {handle: {} for handle in handles}
    for event in (event for part in parts for event in part.taken):
        kind = (event.action or {})["type"]
        done[event.player][kind] = done[event.player].get(kind, 0) + 1
    return done


# -- rehearsal report ------------------------------------------------------------------------------

MATCHES = 20
"""How many matches a rehearsal plays, if there is time."""


class Ending(msgspec.Struct, frozen=True):
    """How one of the matches ended. `stuck` are the players who could do nothing in some part of it."""

    length: MatchTime
    winners: tuple[str, ...]
    candidates: tuple[str, ...]
    stuck: tuple[str, ...]


class Report(msgspec.Struct, frozen=True):
    """What a rehearsal found. `played` is the match reported in full, and also the first of `endings`.

    `fixed`: the deadlines that came at the same match time in every match. `idle_length`: how long the match takes if
    nobody does anything; None if it would not end. `unused_actions`: the types of action that no bot took in any match.
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
) -> Report:
    """Rehearse a match with these settings (JSON). The roster has already been checked.

    `enough(0)` says whether the time for the match that is reported in full is up, `enough(1)` whether the time for all
    others is. Raises `ConfigError`, and `Unplayable` if the first match does not come to an end in time.
    """
    typed = game.read_config(config)
    played = rehearse(game, typed, roster, seed, lambda: enough(0))
    matches = [played]
    try:
        while len(matches) < MATCHES:
            own = hashlib.sha256(b"rehearsal:%d:" % len(matches) + seed).digest()
            matches.append(rehearse(game, typed, roster, own, lambda: enough(1)))
    except Unplayable:  # usually because time is up: report on fewer matches
        pass
    used = {kind for each in matches for done in each.done.values() for kind in done}
    idle = preview_of(game, typed, roster, Draw(seed), most=10_000)
    return Report(
        played=played,
        endings=tuple(
            Ending(each.length, each.winners, each.candidates, tuple(dict.fromkeys(who.player for who in each.stuck)))
            for each in matches
        ),
        fixed=tuple(sorted(set.intersection(*({deadline.at for deadline in each.deadlines} for each in matches)))),
        idle_length=seconds(idle.scenes[-1].time) if idle.whole else None,
        unused_actions=tuple(kind for kind in game.actions if kind not in used),
    )
