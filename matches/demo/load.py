"""Creates many running matches for load tests; every player gets an API token."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import ApiToken, User
from matches.demo.bot_play import time_of_phase
from matches.engine.core import RUNNING
from matches.engine.game import AnyGame
from matches.models import Match, Player, clock
from matches.models.match import new_seed
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.errors import CommandRefused
from matches.services.hosting import publish
from matches.services.joining import add_player
from matches.services.opening import roster_of

_GARNETS = 1_000_000


def make_load(game: AnyGame, matches: int, players: int, config: dict[str, Any]) -> dict[str, Any]:
    """Create `matches` running matches with `players` players each; returns ids, addresses and tokens, JSON-able.

    The matches are at the beginning of their running phase. What `config` leaves out is set as the game needs it for
    long play. Raises `ConfigError` and `CommandRefused`.
    """
    config = {**game.endurance, **config}
    run = secrets.token_hex(3)
    host = _users([f"load-{run}-host"])[0]
    names = [[f"load-{run}-{match}-{player}" for player in range(1, players + 1)] for match in range(1, matches + 1)]
    with transaction.atomic():
        users = iter(_users([name for table in names for name in table]))
        made = []
        for number, table in enumerate(names, start=1):
            match = _match(game, f"Load test {number}", config, host, [next(users) for _ in table])
            made.append(_described(match))
    return {"matches": made}


def _users(names: list[str]) -> list[User]:
    password = make_password(None)
    return User.objects.bulk_create(User(username=name, display_name=name, password=password) for name in names)


def _match(game: AnyGame, title: str, config: dict[str, Any], host: User, users: list[User]) -> Match:
    now, seed = clock.now(), new_seed()
    match = create_match(game.slug, title, hosts=(host,), config=config, seed=seed)
    for number, user in enumerate(users, start=1):
        team = game.teams[number % len(game.teams)] if game.teams else ""
        add_player(match, f"p{number}", user=user, garnets=_GARNETS, team=team)
    start = time_of_phase(game, config, roster_of(match), seed, RUNNING)
    if start is None:
        raise CommandRefused("With this config nobody can play: the match is over before it runs.")
    with clock.fixed(now - start) as present:
        publish(match, host)
        present.instant = now
        advance(match.pk)
    match.refresh_from_db()
    return match


def _described(match: Match) -> dict[str, Any]:
    return {
        "id": match.public_id,
        "url": match.get_absolute_url(),
        "players": [_with_token(player) for player in match.players.select_related("user")],
    }


def _with_token(player: Player) -> dict[str, str]:
    if player.user is None:
        raise TypeError("a load test's players are people")
    _, secret = ApiToken.issue(player.user, "load test")
    return {"handle": player.handle, "username": player.user.username, "token": secret}
