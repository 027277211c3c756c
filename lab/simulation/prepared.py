"""The databases that worlds start from, one for each match type, made once in a process; and the plans of runs."""

import os
import random
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

BEGIN = datetime(2026, 3, 1, 14, tzinfo=UTC)
_NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")
HOST = "hal"
MIGRATED = "SIMULATION_MIGRATED"
SEASON = "season"
OF_A_PERSON = "https://example.org/of-a-person"
OF_A_MATCH = "https://example.org/of-a-match"


class Person(msgspec.Struct, frozen=True):
    """Somebody with an account and a token. `players`: their player ids by match id."""

    name: str
    user: int
    secret: str
    players: dict[int, int]


class Stage(msgspec.Struct, frozen=True):
    """A match of the world: `number` is its id in the database, `public` the one in its URL."""

    number: int
    public: str
    game: str


class Cast(msgspec.Struct, frozen=True):
    """The people and matches of a prepared database. The last person has no place in the matches."""

    people: list[Person]
    host: int
    matches: list[Stage]
    season: int | None = None

    @property
    def players(self) -> list[Person]:
        return self.people[:-1]


@cache
def prepared() -> dict[str, tuple[Path, Cast]]:
    """Return the databases by match type; call it before forking, after Django's setup."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from lab.simulation.edges import seeded
    from matches.games.registry import all_games

    working = Path(str(settings.DATABASES["default"]["NAME"]))
    migrated = Path(os.environ.get(MIGRATED) or working.with_name("migrated.sqlite3"))
    if not migrated.exists():
        call_command("migrate", verbosity=0)
        connection.close()
        working.rename(migrated)
    found = {}
    for slug in (*all_games(), SEASON):
        shutil.copyfile(migrated, working)
        with seeded(random.Random(slug)):
            cast = _season_staged() if slug == SEASON else _staged(slug)
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        found[slug] = working.rename(working.with_name(f"{slug}.sqlite3")), cast
    return found


def _staged(slug: str) -> Cast:
    """Make two matches of the same people: one has just opened, and one opens in half an hour."""
    from matches.games.registry import game_of
    from matches.models import clock
    from matches.services.creation import create_match
    from matches.services.deadlines import advance
    from matches.services.hosting import publish
    from matches.services.joining import add_player

    game = game_of(slug)
    with clock.fixed(BEGIN - timedelta(minutes=1)) as present:
        users = _people(_NAMES[: game.sizes.least])
        host, matches = users[HOST], []
        for number, opens in enumerate((timedelta(minutes=1), timedelta(minutes=31))):
            match = create_match(slug, f"Match {number}", hosts=(host,))
            for place, name in enumerate(_NAMES[: game.sizes.least]):
                team = game.teams[place % len(game.teams)] if game.teams else ""
                add_player(match, name, user=users[name], garnets=10, priority=place % 3, team=team)
            publish(match, host, starts_at=present.instant + opens)
            matches.append(match)
        present.instant = BEGIN
        advance(matches[0].pk)
    return _cast(users, matches)


def _season_staged() -> Cast:
    """Make a season with a match in which nobody acts and that ends in half an hour, and a draft of the next one."""
    from matches.demo.bot_play import time_of_phase
    from matches.engine.core import FINISHED
    from matches.games.registry import all_games
    from matches.models import clock
    from matches.models.match import new_seed
    from matches.services.deadlines import advance
    from matches.services.hosting import publish
    from matches.services.opening import roster_of
    from seasons.services import running
    from seasons.services.cast import add_member
    from seasons.services.drafts import create_season

    by_themselves = (each for each in all_games().values() if not each.host_actions)
    game = min(by_themselves, key=lambda each: each.sizes.least)
    names, seed = _NAMES[: game.sizes.least], new_seed()
    with clock.fixed(BEGIN - timedelta(days=200)) as present:
        users = _people(names)
        host = users[HOST]
        season = create_season("Season", host)
        for place, name in enumerate(names):
            add_member(season, host, name, user=users[name], garnets=10, priority=place % 3)
        running.begin(season, host)
        first = running.add_match(season, host, game.slug, seed=seed)
        ends = time_of_phase(game, first.config, roster_of(first), seed, FINISHED) or timedelta()
        present.instant = BEGIN + timedelta(minutes=30) - ends
        publish(first, host)
        present.instant = BEGIN - timedelta(minutes=1)
        advance(first.pk)
        second = running.add_match(season, host, game.slug)
    return msgspec.structs.replace(_cast(users, [first, second]), season=season.pk)


def _people(names: Sequence[str]) -> dict[str, Any]:
    """Make users with confirmed addresses, a stranger, and a host."""
    from allauth.account.models import EmailAddress

    from accounts.models import User

    names = (*names, "stranger", HOST)
    users = {name: User.objects.create(username=name, email=f"{name}@example.org") for name in names}
    for name in names[:-1]:
        EmailAddress.objects.create(user=users[name], email=f"{name}@example.org", verified=True, primary=True)
    return users


def _add_receivers(users: dict[str, Any], matches: Sequence[Any]) -> None:
    """Give the first match and the first player a webhook."""
    from notices import webhooks
    from notices.addresses import add_webhook
    from notices.webhooks import KINDS

    webhooks.add(matches[0], users[HOST], OF_A_MATCH, "json", [kind.key for kind in KINDS])
    add_webhook(users[_NAMES[0]], OF_A_PERSON)


def _cast(users: dict[str, Any], matches: Sequence[Any]) -> Cast:
    """Give everybody tokens and places, and empty the outbox, so that runs begin with an empty one."""
    from accounts.models import ApiToken
    from matches.models import clock
    from notices import outbox
    from notices.models import Delivery

    people = []
    with clock.fixed(BEGIN):
        _add_receivers(users, matches)
    for name, user in users.items():
        if name != HOST:
            secret = ApiToken.issue(user, "simulation", days=300)[1]
            places = {match.pk: player.pk for match in matches for player in match.players.filter(user=user)}
            people.append(Person(name, user.pk, secret, places))
    ApiToken.objects.update(created_at=BEGIN, expires_at=BEGIN + timedelta(days=360))
    with clock.fixed(BEGIN):
        outbox.pass_on()
    Delivery.objects.filter(event_id="").update(status=Delivery.Status.SENT)
    return Cast(people, users[HOST].pk, [Stage(match.pk, match.public_id, match.game) for match in matches])


# -- plans: the steps of a run, drawn from its seed ----------------------------------------------------------
# Each step has a seed of its own, and so does not depend on how many draws the others make.


class Step(NamedTuple):
    """A step. With `at` it happens within the last step without: at that many moments from its beginning
    (`World.moment`), or right after it."""

    kind: str
    seed: int
    at: int = 0


_KINDS = {
    "act": (30, 8),
    "retry": (8, 4),
    "work": (8, 4),
    "sweep": (8, 6),
    "due": (8, 0),
    "wait": (8, 0),
    "deliver": (8, 3),
    "watch": (5, 0),
    "leave": (2, 0),
    "kill": (4, 0),
    "host": (4, 2),
    "pass_on": (4, 2),
    "mail": (2, 1),
    "news": (2, 1),
    "remind": (3, 2),
    "season": (3, 2),
    "skew": (2, 0),
    "gap": (1, 0),
    "die": (0, 8),
}
"""The frequency of each kind, as a step of its own and within another."""
_FEWEST, _MOST = 6, 28
_INTERRUPTED = 0.3
_LATEST = 14


def plan_of(seed: int) -> list[Step]:
    """Return the steps of this seed. Frequencies vary from seed to seed."""
    draw = random.Random(f"plan:{seed}")
    mains, withins = _tilted(draw, 0), _tilted(draw, 1)
    steps = []
    for _ in range(draw.randint(_FEWEST, _MOST)):
        steps.append(Step(_drawn(draw, mains), draw.getrandbits(32)))
        while draw.random() < _INTERRUPTED:
            steps.append(Step(_drawn(draw, withins), draw.getrandbits(32), draw.randint(1, _LATEST)))
    return steps


def _tilted(draw: random.Random, place: int) -> dict[str, float]:
    return {kind: often[place] * draw.choice((0.0, 0.5, 1.0, 1.0, 2.0, 4.0)) for kind, often in _KINDS.items()}


def _drawn(draw: random.Random, weights: dict[str, float]) -> str:
    if not any(weights.values()):
        return "act"
    return draw.choices(list(weights), list(weights.values()))[0]
