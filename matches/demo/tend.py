"""Keeps the season going: a coming match for newcomers, and always a few in play."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from matches.demo.people import People, find_people
from matches.demo.season import BRISK, QUICK
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.models import Match, clock
from matches.services.creation import create_match
from matches.services.errors import Refused
from matches.services.hosting import publish

STARTS_IN = timedelta(minutes=3)
_IN_PLAY = 2
"""So many quick matches of a game are played at a time; the next waits for one to end or for a person."""

_TITLES = ("Open table", "The long bench", "Window seats", "Back room", "Corner table", "The round table")
_QUICK = (
    f"A demo match for newcomers: join, and bots take the places that stay free. It runs {QUICK} times as fast "
    "as a real one, so a day is over in three minutes. It waits for somebody to join while other tables are busy."
)
_BRISK = f"A demo match played by bots alone, {BRISK} times as fast as a real one."


def tend() -> int:
    """Do what the season needs now, if this database has one; how much there was to do."""
    if not Match.objects.filter(is_demo=True).exists():
        return 0
    people = find_people()
    if people is None:
        return 0
    now = clock.now()
    return sum(_tend_game(game, people, now) for game in all_games().values())


def _tend_game(game: AnyGame, people: People, now: datetime) -> int:
    demo = Match.objects.filter(is_demo=True, game=game.slug)
    coming = demo.filter(status=Match.Status.SCHEDULED, speed=QUICK)
    done = 0
    if not coming.exists():
        open_table(game, people, now + STARTS_IN)
        done += 1
    playing = demo.filter(status__in=(Match.Status.OPEN, Match.Status.PAUSED))
    if playing.filter(speed=QUICK).count() >= _IN_PLAY:
        done += _put_off(coming, people, now)
    if not playing.filter(speed=BRISK).exists():
        _bots_only(game, people)
        done += 1
    return done


def _put_off(coming: Iterable[Match], people: People, now: datetime) -> int:
    """Let a table that nobody has joined wait; it always starts in a few minutes."""
    waiting = [
        match
        for match in coming
        if match.starts_at and match.starts_at - now < timedelta(minutes=1) and not match.players.exists()
    ]
    for match in waiting:
        try:
            publish(match, people.host, now + STARTS_IN)
        except Refused:
            continue  # it has just begun, or somebody looks after it by hand
    return len(waiting)


def open_table(game: AnyGame, people: People, starts_at: datetime) -> Match:
    """A coming match that anybody can join, filled with bots when it starts."""
    match = _create(game, people, QUICK, _QUICK)
    publish(match, people.host, starts_at)
    return match


def _bots_only(game: AnyGame, people: People) -> None:
    publish(_create(game, people, BRISK, _BRISK), people.host)


def _create(game: AnyGame, people: People, speed: int, description: str) -> Match:
    number = Match.objects.filter(is_demo=True, game=game.slug).count()
    presets = list(game.presets.values()) or [{}]
    return create_match(
        game.slug,
        f"{_TITLES[number % len(_TITLES)]} {number + 1}",
        hosts=(people.host,),
        config=dict(presets[number % len(presets)]),
        joining=Match.Joining.OPEN,
        places=game.sizes.usual[0],
        open_places=Match.OpenPlaces.BOTS,
        speed=speed,
        is_demo=True,
        description=description,
    )
