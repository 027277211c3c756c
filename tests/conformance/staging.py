"""Positions of matches that bots or scenarios have played on the rules alone, stored to see how the site shows them."""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

from accounts.models import User
from matches.engine.core import DECISION, FINISHED, PHASES
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.sentences import joined
from matches.models import Match as StoredMatch
from matches.models import Player
from matches.models.clock import MatchClock
from matches.services.creation import create_match
from tests.conformance.match import Match
from tests.conformance.scenario_files import files_of, played
from tests.conformance.subjects import Subject
from tests.fixtures.present import START

_TRIES = 60


class Standing(NamedTuple):
    """A position of a match."""

    game: AnyGame
    draw: Draw
    state: Any
    now: timedelta

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return tuple(self.state.core.handles)


def _act(match: Match, players: tuple[str, ...]) -> None:
    """Let the bots of these players act twice."""
    for turn in range(2):
        for place, player in enumerate(players):
            chance = f"{match.seed.hex()[:12]}:{len(match.events)}:{turn}:{place}"
            match.bot(player, Draw(chance.encode().ljust(32, b".")))


@cache
def standings(game: AnyGame) -> list[Standing]:
    """Return the first and the last position of each phase in matches of bots; for phases that bots do not reach
    (decisions may be rare), positions from the game's scenarios. Some games have no pregame."""
    found: dict[tuple[str, bool], Standing] = {}
    for number in range(_TRIES):
        # Where hardly anybody acts many players tie, so that something is left to decide.
        match = Match(Subject(game, {}), number, extra=number % 4, wealth=977 * number)
        actors = (match.names, (), match.names[:1])[number % 3]
        for standing in _positions(match, actors):
            phase = standing.state.core.phase
            found.setdefault((phase, True), standing)
            found[phase, False] = standing
        if (not game.decides or (DECISION, True) in found) and (FINISHED, True) in found:
            break
    for path in files_of(game):
        scenario, steps = played(path).scenario, played(path).steps
        for step in steps:
            core = step.state.core
            found.setdefault((core.phase, True), Standing(game, Draw(scenario.seed), step.state, core.time))
    missing = set(PHASES[1:]) - {phase for phase, _ in found} - (set() if game.decides else {DECISION})
    assert not missing, f"neither bots nor scenarios come to {joined(missing)}: write a scenario that ends there"
    return list(found.values())


def _positions(match: Match, actors: tuple[str, ...]) -> Iterator[Standing]:
    yield _standing(match)
    while match.state.core.phase != FINISHED:
        if actors:
            _act(match, actors)
            yield _standing(match)
        match.pass_next()
        yield _standing(match)


def _standing(match: Match) -> Standing:
    return Standing(match.game, match.draw, match.state, match.now)


def stored(standing: Standing) -> StoredMatch:
    """Store the position as a match of this site at the time `START`, with an account at every place."""
    game, state = standing.game, standing.state
    match = create_match(game.slug, "A match of bots", hosts=())
    for place, entrant in enumerate(state.core.roster):
        user = User.objects.create(
            username=f"{entrant.handle}{match.pk}", email=f"{entrant.handle}{match.pk}@example.org"
        )
        Player.objects.create(match=match, user=user, handle=entrant.handle, team=entrant.team or "", position=place)
    over = state.core.phase == FINISHED
    match.status = StoredMatch.Status.FINISHED if over else StoredMatch.Status.OPEN
    match.state = game.encode_state(state).decode()
    match.opened_at = START - standing.now
    match.finished_at = START if over else None
    match.set_clock(MatchClock(START, standing.now))
    match.save()
    return match
