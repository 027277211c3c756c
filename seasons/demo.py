"""The demo's season: one match is over, its loser is out, blood garnets grow, and the second match is running.

Everything goes through the services, at times in the past, as hosts and players would have done it.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction

from matches.demo.bot_play import BotMatch, Goal, play_until
from matches.demo.people import People
from matches.demo.season import perform
from matches.demo.upkeep import BRISK, LEISURELY, in_words, speed_of
from matches.engine.core import FINISHED, GARNET, PRIORITY, RUNNING, balance
from matches.engine.game import AnyGame
from matches.engine.settings import Entrant
from matches.games.registry import all_games
from matches.models import Match, clock
from matches.services.deadlines import advance as advance_match
from matches.services.hosting import publish
from matches.services.opening import BOT_NAMES
from matches.services.signals import leave_untold
from seasons.engine.season import opponents
from seasons.engine.state import DEATH_MATCH, OPPONENT, SeasonState
from seasons.models import Season, SeasonNews
from seasons.queries.standing import begun
from seasons.services import drafts, running
from seasons.services.cast import add_member
from seasons.services.running import advance

TITLE = "Autumn season"
_ABOUT = (
    "A demo season: players carry garnets and priority from match to match, the loser of the Death Match is out, "
    "and the last one left wins. Its host makes one match after another."
)
_SETTINGS = {"opponent": "host", "loser_garnets": "winner"}
_MEMBERS = 8
_LONGEST = timedelta(days=60)
_TRIES = 15
_FIRST_ENDED = timedelta(days=3)
"""How long ago the first match ended."""
_NEWS = timedelta(hours=1)
"""Older events cause no notices, which would fill a newcomer's list."""


class _Plan(NamedTuple):
    """A match that bots have played in memory: its settings, its seed, and how fast its clock runs."""

    game: AnyGame
    config: dict[str, Any]
    seed: str
    speed: int
    played: BotMatch

    @property
    def lasts(self) -> timedelta:
        """The real time from its opening to the moment shown."""
        return self.played.time / self.speed


def make(people: People, now: datetime) -> Season | None:
    """Make the season; None if no match type is made for so few players."""
    cast = _cast(people)
    first = _plan([(handle, amount, amount) for handle, amount, _ in cast], Goal(FINISHED), BRISK)
    if first is None:
        return None
    begin = now - _FIRST_ENDED - first.lasts
    with transaction.atomic(), clock.fixed(begin) as present:
        season = _begin(people, cast)
        match = _add(season, people, first)
        running.count_blood(season, people.host, match.in_season)
        _play(match, people, first, present)
        advance(season.pk)
        present.forward(timedelta(hours=2))
        _decide(season, people)
        _second(season, people, first, present, now)
        present.instant = now
        advance(season.pk)
        for match in Match.objects.filter(in_season__season=season):
            leave_untold(match, now - _NEWS)
        SeasonNews.objects.filter(season=season, at__lt=now - _NEWS).update(passed_on=True)
    season.refresh_from_db()
    return season


def _cast(people: People) -> list[tuple[str, int, bool]]:
    """Handle, opening amount of garnets and of priority, and whether a bot has the place, for each member."""
    bots = [name.lower() for name in BOT_NAMES if name.lower() not in people.players]
    handles = [*people.players, *bots][:_MEMBERS]
    return [(handle, 2 + number % 3, handle not in people.players) for number, handle in enumerate(handles)]


def _begin(people: People, cast: list[tuple[str, int, bool]]) -> Season:
    seed = hashlib.sha256(b"demo:season").hexdigest()
    more: dict[str, Any] = {"description": _ABOUT, "seed": seed, "is_demo": True}
    season = drafts.create_season(TITLE, people.host, settings=dict(_SETTINGS), **more)
    for handle, amount, is_bot in cast:
        amounts = {"garnets": amount, "priority": amount, "blood_garnets": 10}
        who = {"user": None if is_bot else people.players[handle], "is_bot": is_bot, "name": handle.capitalize()}
        add_member(season, people.host, handle, **who, **amounts)
    running.begin(season, people.host)
    season.refresh_from_db()
    return season


def _plan(players: list[tuple[str, int, int]], goal: Goal, speed: int, besides: str = "") -> _Plan | None:
    """The first match that bots bring to this goal, of the types that suit so many players, except `besides`."""
    roster = tuple(Entrant(handle, None, garnets, priority) for handle, garnets, priority in players)
    for game, config in (each for each in _fitting(len(roster)) if each[0].slug != besides):
        for number in range(_TRIES):
            seed = hashlib.sha256(f"demo:season:{game.slug}:{number}".encode()).hexdigest()
            played = play_until(game, config, roster, seed, goal, longest=_LONGEST)
            if played is not None:
                return _Plan(game, config, seed, speed_of(game, config, speed), played)
    return None


def _fitting(count: int) -> Iterator[tuple[AnyGame, dict[str, Any]]]:
    """The match types for so many players, without teams and hosts, each with its best preset; best types first."""
    found = [
        (not least <= count <= most, game, dict(config))
        for game in all_games().values()
        if not (game.teams or game.host_actions) and game.sizes.least <= count <= game.sizes.most
        for name, config in game.presets.items()
        for least, most in [game.made_for(name)]
    ]
    slugs = set()
    for _, game, config in sorted(found, key=lambda each: each[0]):
        if game.slug not in slugs:
            slugs.add(game.slug)
            yield game, config


def _add(season: Season, people: People, plan: _Plan) -> Match:
    about = f"A demo match of a season. {in_words(plan.game, plan.config, plan.speed)}"
    fields: dict[str, Any] = {"seed": plan.seed, "speed": plan.speed, "is_demo": True, "description": about}
    return running.add_match(season, people.host, plan.game.slug, config=plan.config, **fields)


def _play(match: Match, people: People, plan: _Plan, present: clock.FixedTime) -> None:
    opened = present.instant
    publish(match, people.host)
    match.refresh_from_db()
    perform(match, plan.played, present)
    present.instant = opened + plan.lasts
    advance_match(match.pk)


def _decide(season: Season, people: People) -> None:
    """Name an opponent and record the Death Match, choosing bots, so that the people play on."""
    state = _state(season)
    if state.phase == OPPONENT:
        named = min(opponents(state), key=lambda handle: handle in people.players)
        running.command(season, people.host, {"name_opponent": named})
        state = _state(season)
    if state.phase == DEATH_MATCH:
        loser = min(state.under_way().between, key=lambda handle: handle in people.players)
        reason = "Three games to one."
        running.command(season, people.host, {"death_match": {"loser": loser}, "reason": reason})


def _second(season: Season, people: People, first: _Plan, present: clock.FixedTime, now: datetime) -> None:
    """Add the match that is running now, unless the season waits for something else."""
    state = _state(season)
    players = [
        (handle, balance(state.purses, handle, GARNET), balance(state.purses, handle, PRIORITY))
        for handle in state.handles_in()
    ]
    goal = Goal(RUNNING, after=timedelta(hours=30))
    plan = None if state.is_settling() else _plan(players, goal, LEISURELY, besides=first.game.slug)
    if plan is None or now - plan.lasts <= present.instant:
        return
    present.instant = now - plan.lasts
    match = _add(season, people, plan)
    _play(match, people, plan, present)


def _state(season: Season) -> SeasonState:
    season.refresh_from_db()
    return begun(season)
