"""`manage.py demo`: makes demo people and a season of matches, or makes matches for load tests."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from matches.demo import people as demo_people
from matches.demo.season import make_load, make_more, make_season
from matches.demo.upkeep import tend
from matches.engine.errors import ConfigError
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match, clock
from matches.services.errors import Refused

_MOST_MATCHES = 1000


class Command(BaseCommand):
    help = (
        "Fill the database with demo people and a season of matches in all phases; while the site runs, bots play and "
        "new matches come. Not needed with `make run`, which does that by itself. "
        "With --game it makes running matches for load tests instead and prints ids and API tokens as JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help=f"for load tests: which game ({', '.join(all_games())})")
        parser.add_argument("--matches", type=int, default=1, help="for load tests: how many matches (default 1)")
        parser.add_argument("--players", type=int, help="for load tests: players in each match (default: as usual)")
        parser.add_argument("--config", default="{}", help="for load tests: the matches' settings as a JSON object")
        parser.add_argument(
            "--yes-really", action="store_true", help="outside local mode: create the demo accounts in this database"
        )

    def handle(self, *, game: str | None, yes_really: bool, **options: Any) -> None:
        if not settings.LOCAL and not yes_really:
            raise CommandError(
                "This is not a local site, and demo accounts with a known password do not belong on a real one. "
                "If you mean it: --yes-really"
            )
        if game is not None:
            self._load(game, **options)
            return
        if not Match.objects.exists():
            self._make_season()
        demo_people.renew_password()
        if found := demo_people.find_people():
            self._tell_sign_ins(found)

    def _make_season(self) -> None:
        self.stdout.write("Making a season of demo matches …")
        found = demo_people.make_people()
        made = sum(1 for _ in make_season(found, clock.now()))
        make_more(found, clock.now())
        tend()
        self.stdout.write(f"{made} matches are under way, and new ones are coming.")

    def _tell_sign_ins(self, found: demo_people.People) -> None:
        players = ", ".join(user.username for user in found.players.values())
        self.stdout.write(f"Sign in as {players} (players) or {found.host.username} (host, with the admin at /admin/).")
        self.stdout.write(f"The password of each is {demo_people.demo_password()}")

    def _load(self, slug: str, *, matches: int, players: int | None, config: str, **rest: Any) -> None:
        try:
            game = game_of(slug)
        except UnknownGame as error:
            raise CommandError(f"--game: {error}") from None
        if not 1 <= matches <= _MOST_MATCHES:
            raise CommandError(f"--matches: expected a number from 1 to {_MOST_MATCHES}")
        try:
            found = make_load(game, matches, players or game.sizes.usual[0], _object(config))
        except ConfigError as error:
            raise CommandError(f"--config: {error}") from None
        except Refused as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(json.dumps(found, separators=(",", ":")))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise CommandError(f"--config: this is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise CommandError("--config: expected a JSON object")
    return found
