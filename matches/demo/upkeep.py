"""Keeping the demo season going: for each game a match that newcomers can join, and a match that bots play.

The former begins soon after somebody has joined, with bots in the open places. The next one is created as soon as it is
full or has begun. As long as nobody joins, its start is postponed, so that there is always a match to join. Clocks of
demo matches run fast enough to see something happen, and slow enough for people to play.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count

from matches.demo.people import People, find_people
from matches.engine.game import AnyGame
from matches.engine.settings import Span
from matches.games.registry import all_games
from matches.models import Match, clock
from matches.pages.texts import in_round_words
from matches.services.bots import chance_of
from matches.services.creation import create_match
from matches.services.errors import Refused
from matches.services.hosting import act_as_host, publish

BRISK = 100  # 24 h in a quarter of an hour
LEISURELY = 8  # 24 h in three hours: time to look around
PLAYABLE = 250  # 24 h in six minutes: time to read the rules' page, think, and act

SHORTEST_ROUND = timedelta(minutes=3)
"""In real time, no round, timer or window of a demo match is shorter than this."""

# Divisors of a million, so that whole seconds of match time are whole microseconds of real time.
_SPEEDS = tuple(speed for speed in range(1000, 0, -1) if 1_000_000 % speed == 0)


def shortest_length(game: AnyGame, config: Mapping[str, Any]) -> timedelta:
    """The shortest length of time (match time) in a match's settings: of a round, a timer or a window."""
    typed = game.read_config(dict(config))
    lengths: list[timedelta] = [getattr(typed, setting.key) for setting in game.settings if isinstance(setting, Span)]
    return min(length for length in lengths if length)


def speed_of(game: AnyGame, config: Mapping[str, Any], wanted: int) -> int:
    """The highest speed up to `wanted` at which nothing in the match is shorter than `SHORTEST_ROUND`; at least 1."""
    most = min(wanted, shortest_length(game, config) / SHORTEST_ROUND)
    return next((speed for speed in _SPEEDS if speed <= most), 1)


def in_words(game: AnyGame, config: Mapping[str, Any], speed: int) -> str:
    """A sentence for the match's page on how short its rounds are in real time."""
    return f"No round or timer is shorter than {in_round_words(shortest_length(game, config) // speed)}."


STARTS_IN = timedelta(days=1)
"""The time until the start of a match that nobody has joined; it is also postponed by that much. Long, because every
postponement is announced."""
STARTS_SOON = timedelta(minutes=2)
"""The time until the start after somebody has joined, for others to join and to read the rules."""

_TITLES = ("Open table", "The long bench", "Window seats", "Back room", "Corner table", "The round table")
_FOR_NEWCOMERS = (
    "A demo match for newcomers: it begins two minutes after somebody has taken a place, with bots in the others."
)
_BOTS_ONLY = "A demo match played by bots alone."


def tend() -> int:
    """Do what the season needs now, if this database has one. Returns how many things were done."""
    if not Match.objects.filter(is_demo=True).exists():
        return 0
    people = find_people()
    if people is None:
        return 0
    now = clock.now()
    return sum(_tend_game(game, people, now) for game in all_games().values())


def _tend_game(game: AnyGame, people: People, now: datetime) -> int:
    demo = Match.objects.filter(is_demo=True, game=game.slug)
    tables = demo.filter(status=Match.Status.SCHEDULED, joining=Match.Joining.OPEN).annotate(joined=Count("players"))
    done = sum(_set_start(table, people, now) for table in tables)
    if not any(table.joined < table.places for table in tables):
        open_table(game, people, now + STARTS_IN)
        done += 1
    if game.host_actions:
        done += sum(_judge(match, people) for match in demo.filter(status=Match.Status.OPEN, next_deadline_at=None))
    playing = demo.filter(status__in=Match.RUNNING)
    if not playing.exclude(players__user__isnull=False).exists():
        publish(_create(game, people, BRISK, _BOTS_ONLY), people.host)
        done += 1
    return done


def _judge(match: Match, people: People) -> bool:
    """Let the demo's host do what the match waits for. Returns whether it waited."""
    state = match.rules.decode_state(match.state)
    action = match.rules.host_play(state, chance_of(match.seed, "host", is_demo=True))
    if action is None:
        return False
    act_as_host(match, people.host, action)
    return True


def _set_start(table: Any, people: People, now: datetime) -> bool:
    """Postpone the start of a match that nobody has joined; if somebody has, let it start soon."""
    left = table.starts_at - now
    starts_in = STARTS_SOON if table.joined else STARTS_IN
    if (left <= STARTS_SOON) if table.joined else (left > STARTS_SOON):
        return False
    try:
        publish(table, people.host, now + starts_in)
    except Refused:
        return False  # it has just begun, or a host has changed it
    return True


def open_table(game: AnyGame, people: People, starts_at: datetime) -> Match:
    """Create a coming match that anybody can join, and whose open places bots fill at the start."""
    match = _create(game, people, PLAYABLE, _FOR_NEWCOMERS)
    publish(match, people.host, starts_at)
    return match


def _create(game: AnyGame, people: People, wanted: int, description: str) -> Match:
    number = Match.objects.filter(is_demo=True, game=game.slug).count()
    presets = list(game.presets.values()) or [{}]
    config = dict(presets[number % len(presets)])
    speed = speed_of(game, config, wanted)
    return create_match(
        game.slug,
        f"{_TITLES[number % len(_TITLES)]} {number + 1}",
        hosts=(people.host,),
        config=config,
        joining=Match.Joining.OPEN,
        places=game.sizes.usual[0],
        open_places=Match.OpenPlaces.BOTS,
        speed=speed,
        is_demo=True,
        description=f"{description} {in_words(game, config, speed)}",
    )
