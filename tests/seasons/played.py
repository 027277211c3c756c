"""A season that has been played by its scenario, with people in its cast."""

from typing import Any

from django.contrib.auth.models import Group

from accounts.models import User
from matches.games.registry import game_of
from matches.services.roles import HOSTS
from seasons.engine.scenario import read
from seasons.models import Season, SeasonRole
from seasons.services.scenario_runner import play_season
from tests.fixtures.any_game import SLUG
from tests.fixtures.made_once import made_once

NAMES = {"ann": "Annabel", "bob": "Bobby", "cat": "Catriona", "dan": "Danilo", "eve": "Evelina", "fay": "Fayette"}
HOST = "hanna"


def three_matches(*, end: bool, with_people: bool = True) -> Season:
    """A Death Match is lost, an account corrected, and a match cancelled; the third match goes on or, with `end`, is
    cancelled, and the season ended. People are put into the cast afterwards, past the log."""
    season = made_once(("three matches", end, with_people), lambda: _play(end, with_people))
    season.refresh_from_db()
    return season


def _play(end: bool, with_people: bool) -> Season:
    lengths = {"pregame": "0h", "first_round": "24h", "round": "24h", "decision_time": "24h"}
    game = {"game": "number_auction", "config": lengths, "run_out": True}
    steps: list[dict[str, Any]] = [
        {"at": "0s", "match": game},
        {"at": "10d", "name_opponent": "fay", "by": "cat"},
        {"at": "11d", "death_match": {"loser": "fay"}, "reason": "Lost 3 to 1."},
        {"at": "12d", "correct": {"player": "ann", "asset": "garnet", "amount": 4}, "reason": "Won a quiz."},
        {"at": "13d", "match": {"game": SLUG, "cancel": True}},
        {"at": "14d", "match": {"game": "coin_collectors"} if not end else {"game": "coin_collectors", "cancel": True}},
    ]
    if end:
        steps.append({"at": "15d", "end": True})
    cast = [{"handle": name, "garnets": n, "blood_garnets": "2.5"} for n, name in enumerate(NAMES, start=1)]
    play_season(
        read({"season": {"settings": {"loser_garnets": "winner"}, "cast": cast}, "steps": steps}, game_of), keep=True
    )
    season = Season.objects.latest("pk")
    if not with_people:
        return season
    for member in season.cast.exclude(handle="dan"):
        member.is_bot, member.name = False, NAMES[member.handle]
        member.user = User.objects.create_user(f"user-{member.handle}")
        member.save()
    host = User.objects.create_user(HOST, is_staff=True)
    host.groups.add(Group.objects.get(name=HOSTS))
    SeasonRole.objects.create(season=season, user=host, role=SeasonRole.Role.OWNER, since=season.created_at)
    return season
