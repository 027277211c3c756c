"""`manage.py arena GAME BOT BOT …`: lets bots play many matches against each other, in memory."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from matches.arena.bots import Bot, FileBot, Unusable
from matches.arena.playing import Played, play, seeds
from matches.arena.standings import in_words, standings
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.playing import Unplayable
from matches.games.registry import UnknownGame, game_of

BUILT_IN = "built-in"


class Command(BaseCommand):
    help = (
        "Let bots play matches of a game against each other, and print the standings. A BOT is a Python file with a "
        f"function choose(public, private, now), or “{BUILT_IN}”. Nothing is stored; the same call plays the same "
        "matches. A bot that fails, is too slow or sends rubbish loses that turn and is named at the end. Files are "
        "run as they are, so run only what you trust."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="the game's slug, as in its address")
        parser.add_argument("bots", metavar="BOT", nargs="+", help=f"a Python file, or {BUILT_IN}")
        parser.add_argument("--matches", type=int, default=1000, help="how many (default: 1000)")
        parser.add_argument("--players", type=int, default=0, help="in each match (default: the fewest that are usual)")
        parser.add_argument("--first", type=int, default=0, help="number of the first match (default: 0)")
        parser.add_argument("--seconds", type=float, default=1.0, help="for a move of a file (default: 1)")

    def handle(
        self, *, game: str, bots: list[str], matches: int, players: int, first: int, seconds: float, **options: Any
    ) -> None:
        try:
            found = game_of(game)
        except UnknownGame as error:
            raise CommandError(str(error)) from None
        names = _names(bots)
        count = players or max(found.sizes.usual[0], len(names))
        if matches < 1 or first < 0 or not seconds > 0 or count < len(names):
            raise CommandError("There must be at least one match, a time above 0, and a place for every bot.")
        with ExitStack() as stack:
            made = [_made(name, path, seconds) for name, path in zip(names, bots, strict=True)]
            for bot in made:
                if bot is not None:
                    stack.callback(bot.close)
                    _begin(bot)
            played: list[Played] = []
            try:
                played.extend(self._counted(self._matches(found, made, names, count, seeds(first, matches)), matches))
            except KeyboardInterrupt:
                self.stderr.write("\nEnded early; these are the matches until now.")
        self.stdout.write(f"{found.title}: {len(played)} played, {count} players in each\n\n")
        self.stdout.write("\n".join(in_words(standings(names, played))))

    def _counted(self, played: Iterator[Played], count: int) -> Iterator[Played]:
        """The same, telling somebody who looks at a screen how far it has come."""
        for number, match in enumerate(played, 1):
            yield match
            if self.stderr.isatty():
                self.stderr.write(f"\r{number} of {count}", ending="\n" if number == count else "")
                self.stderr.flush()

    def _matches(
        self, game: AnyGame, bots: Sequence[Bot | None], names: Sequence[str], players: int, which: Iterator[bytes]
    ) -> Iterator[Played]:
        config = game.read_config({})
        try:
            for seed in which:
                yield play(game, config, bots, names, players, seed)
        except (ConfigError, Unplayable) as error:
            raise CommandError(str(error)) from None


def _names(bots: Sequence[str]) -> list[str]:
    """A name for each, with a number where one plays several times."""
    plain = [each if each == BUILT_IN else Path(each).stem for each in bots]
    numbers = [plain[: place + 1].count(name) for place, name in enumerate(plain)]
    return [f"{name} {number}" if plain.count(name) > 1 else name for name, number in zip(plain, numbers, strict=True)]


def _begin(bot: FileBot) -> None:
    """Find out before the first match that a file is not a bot. Raises `CommandError`."""
    try:
        bot.begin()
    except Unusable as error:
        raise CommandError(f"{bot.name} is not a bot: {error}") from None
    except TimeoutError:
        raise CommandError(f"{bot.name} is not a bot: to read the file takes too long.") from None


def _made(name: str, said: str, seconds: float) -> FileBot | None:
    if said == BUILT_IN:
        return None
    path = Path(said).resolve()
    if not path.is_file():
        raise CommandError(f"There is no file {said}.")
    return FileBot(name, path, seconds)
