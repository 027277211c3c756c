"""Making the demo season: matches in all phases, each played through the services at times in the past; and many
running matches for load tests."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import ApiToken, User
from matches.demo.bot_play import BotMatch, Goal, play_until, time_of_phase
from matches.demo.people import PLAYERS, People
from matches.demo.upkeep import BRISK, LEISURELY, in_words, speed_of
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.settings import Entrant, Roster
from matches.games.registry import all_games
from matches.models import Match, Player, clock
from matches.models.match import new_seed
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.errors import CommandRefused
from matches.services.hosting import act_as_host, publish
from matches.services.joining import add_player
from matches.services.opening import BOT_NAMES, roster_of
from matches.services.signals import leave_untold

_LONGEST = timedelta(days=60)
_NEWS = timedelta(hours=1)
"""Nobody gets notices of what happened earlier than this before the demo was made, or newcomers would have too many."""

_MOST_TRIES = 15
_PEOPLE_BRING = 10  # garnets and priority, at most


class Scene(NamedTuple):
    """One match of the season. `speed`: the highest allowed; `preset`: the index of the game's preset; `ago`: how long
    before now the goal is reached (match time)."""

    title: str
    goal: Goal
    speed: int
    people: tuple[str, ...] = ()
    preset: int = 0
    ago: timedelta = timedelta()


def scenes() -> tuple[Scene, ...]:
    """The scenes of every game; a game skips those that it cannot reach."""
    hour = timedelta(hours=1)
    everyone = PLAYERS
    return (
        Scene("First table", Goal(FINISHED), BRISK, everyone, ago=60 * hour),
        Scene("Night shift", Goal(RUNNING, after=30 * hour), BRISK, (), preset=1),
        Scene("The judge's chair", Goal(DECISION, asked="ann"), LEISURELY, everyone),
        Scene("High stakes", Goal(RUNNING, after=40 * hour, just_told="ann"), LEISURELY, everyone),
        Scene("Sealed envelopes", Goal(PREGAME, after=6 * hour, asked="ann"), LEISURELY, everyone),
    )


def make_season(people: People, now: datetime) -> Iterator[Match]:
    """Create every scene of every game, and yield the matches one by one."""
    for game in all_games().values():
        for number, scene in enumerate(scenes()):
            match = stage(game, scene, people, now, f"{game.slug}:{number}")
            if match is not None:
                yield match


def stage(game: AnyGame, scene: Scene, people: People, now: datetime, name: str) -> Match | None:
    """Create a match, and play a scene up to its goal, which is reached `scene.ago` before `now`. None if no tried play
    reaches the goal."""
    if scene.goal.phase not in (*game.possible, FINISHED):
        return None
    presets = list(game.presets.values()) or [{}]
    wanted, usual = dict(presets[scene.preset % len(presets)]), dict(presets[0])
    # For games that last only an evening or that bots finish within hours, stop much earlier.
    sooner = scene._replace(goal=scene.goal._replace(after=scene.goal.after / 16))
    for config, each in ((wanted, scene), (usual, scene), (usual, sooner)):
        found = _find(game, config, each, name)
        if found is not None:
            break
    else:
        return None
    roster, seed, bot_match = found
    speed = speed_of(game, config, scene.speed)
    start = now - (bot_match.time + scene.ago) / speed
    # One transaction per match, so that a hundred bids wait for the disk only once.
    with transaction.atomic(), clock.fixed(start) as present:
        match = _create(game, scene.title, config, seed, speed, people, roster)
        publish(match, people.host)
        match.refresh_from_db()
        perform(match, bot_match, present)
        present.instant = now
        advance(match.pk)
        leave_untold(match, now - _NEWS)
    match.refresh_from_db()
    return match


def _find(game: AnyGame, config: dict[str, Any], scene: Scene, name: str) -> tuple[Roster, str, BotMatch] | None:
    """A roster, a seed and a play that reaches the goal; the same ones at every start."""
    known = game.demo_match_numbers.get(scene.goal.phase)
    for attempt in [*range(_MOST_TRIES)] if known is None else [known, *range(_MOST_TRIES)]:
        chance = Draw(_digest(f"{name}:{attempt}"))
        seed = _digest(f"seed:{name}:{attempt}").hex()
        roster = _roster(game, scene, chance)
        bot_match = play_until(game, config, roster, seed, scene.goal, longest=_LONGEST)
        if bot_match is not None:
            return roster, seed, bot_match
    return None


def _digest(text: str) -> bytes:
    return hashlib.sha256(f"demo:{text}".encode()).digest()


def _roster(game: AnyGame, scene: Scene, chance: Draw) -> Roster:
    size = game.sizes.usual[0]
    bots = [bot.lower() for bot in chance.shuffle("bots", BOT_NAMES)]
    handles = chance.shuffle("order", [*scene.people, *bots][:size])
    return tuple(
        Entrant(
            handle,
            game.teams[number % len(game.teams)] if game.teams else None,
            chance.integer(f"garnets:{handle}", _PEOPLE_BRING),
            chance.integer(f"priority:{handle}", _PEOPLE_BRING),
        )
        for number, handle in enumerate(handles)
    )


def _create(
    game: AnyGame, title: str, config: dict[str, Any], seed: str, speed: int, people: People, roster: Roster
) -> Match:
    match = create_match(
        game.slug,
        title,
        hosts=(people.host,),
        config=config,
        seed=seed,
        speed=speed,
        is_demo=True,
        description=f"A demo match. {in_words(game, config, speed)}",
    )
    for entrant in roster:
        user = people.players.get(entrant.handle)
        add_player(
            match,
            entrant.handle,
            user=user,
            is_bot=user is None,
            name=entrant.handle.capitalize(),
            team=entrant.team or "",
            garnets=entrant.garnets,
            priority=entrant.priority,
        )
    return match


def perform(match: Match, bot_match: BotMatch, present: clock.FixedTime) -> None:
    """Repeat the moves of a bot match through the services, each at its own time."""
    players = {player.handle: player for player in match.players.all()}
    match_clock = match.clock
    for move in bot_match.moves:
        present.instant = match_clock.instant(move.at) or present.instant
        if not move.handle:
            act_as_host(match, match.hosts.get(), move.action)
            continue
        answer = submit_for(players[move.handle], move.action)
        if not answer.accepted:
            raise RuntimeError(f"{match.game}: on stage {move} was refused: {answer.message}")


# -- load tests ------------------------------------------------------------------------------------------

_GARNETS = 1_000_000


def make_load(game: AnyGame, matches: int, players: int, config: dict[str, Any]) -> dict[str, Any]:
    """Create `matches` running matches with `players` players each, and return ids, addresses and API tokens as JSON
    values.

    The matches are at the beginning of their running phase. Settings that `config` leaves out come from the game's
    `endurance`. Raises `ConfigError` and `CommandRefused`.
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


# -- additions of other apps -----------------------------------------------------------------------------

Maker = Callable[[People, datetime], object]

_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """Register a function that adds more to the demo once its matches are made."""
    if maker not in _makers:
        _makers.append(maker)


def make_more(people: People, now: datetime) -> None:
    """Make what other apps add to the demo."""
    for maker in _makers:
        maker(people, now)
