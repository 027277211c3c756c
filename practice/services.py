"""Keeping practice tables: the only writer of them. No match is touched, and nobody is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.engine.actions import RawAction
from matches.engine.game import AnyGame
from matches.engine.step import Announcement, to_player
from matches.games.registry import UnknownGame, game_of
from matches.models import clock
from matches.models.match import new_seed
from matches.queries.bidirectional import set_apart
from matches.services.errors import Refused
from matches.services.storage.retry import retrying
from practice.models import PracticeTable
from practice.play import BOTS, ME, Play

KEPT_FOR = timedelta(days=1)
_MOST_TOLD = 30


class NoTable(Refused):
    """This person does not practise this game now."""

    code = "no_practice"
    status = 409


def table_of(user: Any, game: AnyGame) -> PracticeTable | None:
    """The table of this person, if it is one of this game, by the rules of now."""
    tables = PracticeTable.objects.select_related("user")
    return tables.filter(user_id=user.pk, game=game.slug, rules_version=game.rules_version).first()


def play_at(table: PracticeTable) -> Play:
    """The match as it stands at a table."""
    game = game_of(table.game)
    return Play(game, table.seed, game.decode_state(table.state), timedelta(seconds=table.time), [])


@retrying
def begin(user: Any, game: AnyGame) -> None:
    """Sit down at a new table of this game; one that was left standing is cleared."""
    with transaction.atomic():
        PracticeTable.objects.filter(user_id=user.pk, game=game.slug).delete()
        table = PracticeTable(user=user, game=game.slug, rules_version=game.rules_version, seed=new_seed())
        _store(table, Play.begun(game, table.seed))


@retrying
def leave(user: Any, game: AnyGame) -> None:
    """Clear the table."""
    PracticeTable.objects.filter(user_id=user.pk, game=game.slug).delete()


@retrying
def act(user: Any, game: AnyGame, action: RawAction) -> PracticeTable:
    """The person's action; the table as it is then. Raises `Rejected`, `NoTable`."""
    with _at(user, game) as (table, play):
        play.act(action)
    return table


@retrying
def go_on(user: Any, game: AnyGame) -> str:
    """Let time go by, at most to the end of the round; what came of it in a sentence: the last for the person alone, or
    else the first for everybody. Raises `NoTable`."""
    with _at(user, game) as (table, play):
        play.go_on()
    alone = [item for item in play.told if item.audience == to_player(ME)]
    return " ".join(_sentences(table, play, alone[-1:] or play.told[:1]))


@contextmanager
def _at(user: Any, game: AnyGame) -> Iterator[tuple[PracticeTable, Play]]:
    with transaction.atomic():
        found = PracticeTable.objects.select_for_update().filter(user_id=user.pk, game=game.slug).first()
        if found is None or found.rules_version != game.rules_version:
            raise NoTable("This table no longer exists. Begin a new one.")
        found.user = user
        play = play_at(found)
        yield found, play
        _store(found, play)


def _store(table: PracticeTable, play: Play) -> None:
    table.state = play.game.encode_state(play.state).decode()
    table.time = int(play.time.total_seconds())
    table.told = [*table.told, *_sentences(table, play, play.told)][-_MOST_TOLD:]
    table.touched_at = clock.now()
    table.save()


def _sentences(table: PracticeTable, play: Play, told: Iterable[Announcement]) -> list[str]:
    return [play.game.describe(item, lambda handle: set_apart(name_of(table, handle))) for item in told]


def name_of(table: PracticeTable, handle: str) -> str:
    """The name that the table shows: that of its person, because sentences about a player say “Ann bids”."""
    if handle != ME:
        return next((name for name in BOTS if name.lower() == handle), handle)
    name = table.user.get_full_name()
    return f"{name} (you)" if name.casefold() in map(str.casefold, BOTS) else name


def clear() -> None:
    """Delete the tables that nobody has come back to, and those of games that are not here any more."""
    PracticeTable.objects.filter(touched_at__lt=clock.now() - KEPT_FOR).delete()
    for slug in PracticeTable.objects.values_list("game", flat=True).distinct():
        try:
            game_of(slug)
        except UnknownGame:
            PracticeTable.objects.filter(game=slug).delete()
