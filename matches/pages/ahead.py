"""What to expect of a match before it begins: its scenes if nobody acts, its first deadlines, and an example board.

All of it is computed from settings and a list of players, never from a match's state, and with a seed of its own. So it
reveals nothing that was drawn or sealed in a match.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import structlog
from django.utils.safestring import SafeString

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.simulation import MOST_SCENES, Preview, Scene, filled, preview_of
from matches.games.registry import game_of
from matches.models import Match, clock
from matches.pages.context import ContextOutOfTime, MatchContext, People, Person
from matches.pages.fragments import staged
from matches.pages.rendering import table_parts
from matches.queries.matches import Position
from matches.services.bots import with_stand_ins

logger = structlog.get_logger(__name__)

_NO_SEED = bytes(SEED_BYTES)
_SHOWN = 4
_FOR_SCRIPTS_OR_READERS = re.compile(r' (?:id|for|form|name|role|tabindex|data-lot|data-board|aria-[a-z]+)="[^"]*"')


class Ahead(NamedTuple):
    """What somebody may want to know before they join. `summary`: the game in a sentence; `deadlines`: the first ones,
    each with what begins then; `board`: an example of the board in play with the usual settings, as inert HTML."""

    summary: str
    deadlines: list[tuple[str, datetime]]
    board: SafeString


def ahead_of(match: Match) -> Ahead:
    """Return what to expect of a match before its start. Ignores settings that replace a draw: nobody may know them."""
    deadlines: list[tuple[str, datetime]] = []
    if match.starts_at is not None:
        secret = {setting.key for setting in match.rules.settings if setting.draw}
        config = {key: value for key, value in match.config.items() if key not in secret}
        try:
            scenes = rehearsed(match, config, _SHOWN + 1).scenes
            deadlines = [(each.label, match.starts_at + each.time / match.speed) for each in scenes]
        except Exception:  # whatever a game's rules raise, one can join all the same
            logger.exception("ahead_failed", game=match.game)
    return Ahead(match.rules.summary, deadlines, example_board(match.game))


@cache
def example_board(slug: str) -> SafeString:
    """Return a game's board at its start with the usual settings, as inert HTML (without ids and the like)."""
    game = game_of(slug)
    roster = filled((), game.sizes.usual[0], game.teams)
    bare = Match(public_id="example", game=slug, title="Example", speed=1)
    scenes = preview_of(game, game.read_config({}), roster, Draw(_NO_SEED), _SHOWN).scenes
    scene = next((each for each in scenes if game.public_view(each.state).phase == "running"), scenes[0])
    people = People(Person(each.handle, f"Player {n + 1}", n, "", True, False) for n, each in enumerate(roster))
    board = _staged_parts(bare, scene, people, ContextOutOfTime)["board"]
    return SafeString(_FOR_SCRIPTS_OR_READERS.sub("", board))


def rehearsed(match: Match, config: dict[str, Any], most: int = MOST_SCENES) -> Preview:
    """Play the match with these settings and nobody acting. Raises `ConfigError` where it cannot be played."""
    game, roster = match.rules, with_stand_ins(match)
    typed = game.read_config(config)
    game.check_start(typed, roster)
    return preview_of(game, typed, roster, Draw(_NO_SEED), most)


def parts_of(match: Match, scene: Scene) -> dict[str, str]:
    """Return the public parts of the match's page as if the scene began now."""
    return _staged_parts(match, scene, People(_people(match)))


def _staged_parts(
    match: Match, scene: Scene, people: People, context: type[MatchContext] = MatchContext
) -> dict[str, str]:
    now = clock.now()
    position = Position(staged(match, scene.state, scene.time, now, _NO_SEED.hex()))
    return table_parts(position, context(position, now, people))


def _people(match: Match) -> Iterator[Person]:
    """Everybody in the roster, as the public will see them."""
    known = {player.handle: player for player in match.players.all()} if match.pk else {}
    for index, entrant in enumerate(with_stand_ins(match)):
        player = known.get(entrant.handle)
        name = f"Player {index + 1}" if player is None else player.shown_name
        is_open = player is None or player.is_open
        yield Person(entrant.handle, name, index, entrant.team or "", player is not None and player.is_bot, is_open)
