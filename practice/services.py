"""Plays a game of one person against bots on the rules alone, and stores it as a practice table.

Match time stands still while the person thinks. When they go on, each bot looks a few times until the next deadline,
which then passes; it stops on the way if something happens that the person may want to answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from matches.engine.actions import RawAction
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.scenario import Unplayable
from matches.engine.sentences import counted
from matches.engine.settings import Entrant, Roster
from matches.engine.simulation import bot_match, chance_of, stand_in
from matches.engine.step import EVERYONE, Announcement, Step, to_player
from matches.engine.views import Ask, Outcome, PublicView
from matches.games.registry import UnknownGame, game_of
from matches.models import clock
from matches.models.match import new_seed
from matches.queries.matches import Position
from matches.queries.names import set_apart
from matches.queries.story import DatedStory, DatedTurningPoint
from matches.services.errors import Refused, retrying
from practice.models import PracticeTable

ME = "you"
BOTS = ("Ada", "Ben", "Cleo", "Dov", "Eli", "Fay", "Gil", "Hal", "Ida", "Jon", "Kay", "Leo", "Mia", "Ned", "Oda", "Pim",
        "Quin", "Ros", "Sam", "Tess", "Ugo", "Vera", "Will", "Xenia", "Yara", "Zoe")  # fmt: skip
_GARNETS = 5
_LOOKS = 6
_SECOND = timedelta(seconds=1)


def roster_of(game: AnyGame) -> Roster:
    """Return the smallest usual number of players, the person among them."""
    count = min(game.sizes.usual[0], len(BOTS) + 1)
    return tuple(Entrant(handle, garnets=_GARNETS) for handle in (ME, *(name.lower() for name in BOTS[: count - 1])))


@dataclass
class Play:
    """A game in progress: `state` at match time `time`; `told`: what its person has heard, oldest first."""

    game: AnyGame
    seed: str
    state: Any
    time: timedelta
    told: list[Announcement]

    @classmethod
    def begun(cls, game: AnyGame, seed: str) -> Play:
        """Return a new game with the usual settings, at the first moment at which the person is asked anything."""
        step = game.open(game.read_config({}), roster_of(game), Draw(bytes.fromhex(seed)))
        play = cls(game, seed, step.state, timedelta(), [])
        play._take(step)
        if not play.asked:
            play.go_on()
        return play

    @property
    def _draw(self) -> Draw:
        return Draw(bytes.fromhex(self.seed))

    @property
    def due(self) -> timedelta | None:
        """The next deadline; None once the game is over."""
        return self.game.next_deadline(self.state)

    @property
    def asked(self) -> tuple[Ask, ...]:
        """What the person is asked for now."""
        asked: tuple[Ask, ...] = self.game.private_view(self.state, ME).asked
        return asked

    def would(self, action: RawAction) -> None:
        """Raise `Rejected` if the rules would not take this action of the person now."""
        self.game.submit(self.state, ME, action, self.time, self._draw)

    def act(self, action: RawAction) -> None:
        """Submit the person's action. Raises `Rejected`."""
        self._take(self.game.submit(self.state, ME, action, self.time, self._draw))

    def go_on(self) -> None:
        """Advance time until the next deadline passed or moved, or the person alone was told something."""
        due, since = self.due, self.time
        if due is None:
            return
        for look in range(1, _LOOKS + 1):
            at = since + (due - since) * look / (_LOOKS + 1) // _SECOND * _SECOND
            if at >= due or at < self.time:
                continue
            if self._let_bots_look(at) or self.due != due:
                return
        self.time = due
        self._take(self.game.pass_deadline(self.state, self._draw))
        while (then := self.due) is not None and then <= self.time:
            self._take(self.game.pass_deadline(self.state, self._draw))
        while self.due is None and (acted := stand_in(self.game, self.state, self._draw)) is not None:
            self._take(acted.step)

    def _let_bots_look(self, at: timedelta) -> bool:
        """Let all bots act once; return whether something was announced to the person alone."""
        self.time, alone = at, False
        for handle in self.state.core.handles:
            if handle == ME:
                continue
            public, private = self.game.public_view(self.state), self.game.private_view(self.state, handle)
            action = self.game.bot_action(public, private, at, chance_of(bytes.fromhex(self.seed), handle))
            try:
                step = self.game.submit(self.state, handle, action, at, self._draw) if action else None
            except Rejected:
                continue
            if step is not None:
                alone |= any(item.audience == to_player(ME) for item in step.announcements)
                self._take(step)
        return alone

    def _take(self, step: Step[Any]) -> None:
        self.state = step.state
        self.told += heard(step.announcements)


def heard(told: Iterable[Announcement]) -> list[Announcement]:
    """Return the announcements that the person hears."""
    return [item for item in told if item.audience in (EVERYONE, to_player(ME))]


# -- practice tables, which only these functions write; matches and notices are not involved -------------

KEPT_FOR = timedelta(days=1)


class NoTable(Refused):
    """This person has no table of this game."""

    code = "no_practice"
    status = 409


class Seat(NamedTuple):
    """Who practises: an account, a visitor by their session's key, or, without either, nobody yet."""

    user: Any = None
    visitor: str = ""


def table_of(seat: Seat, game: AnyGame) -> PracticeTable | None:
    """Return this person's table of this game, if it is of the present version of its rules."""
    return _tables(seat, game).select_related("user").filter(rules_version=game.rules_version).first()


def _tables(seat: Seat, game: AnyGame) -> QuerySet[PracticeTable]:
    found = PracticeTable.objects.filter(user=seat.user, visitor=seat.visitor, game=game.slug)
    return found if seat.user or seat.visitor else found.none()


def play_at(table: PracticeTable) -> Play:
    """Return the game in progress at a table."""
    game = game_of(table.game)
    return Play(game, table.seed, game.decode_state(table.state), timedelta(seconds=table.time), [])


def seed_of_the_day(game: AnyGame) -> str:
    """Return the seed of the table that visitors see before they have one: the same for everybody, for a day."""
    return sha256(f"{game.slug} {clock.now().date()}".encode()).hexdigest()


def new_table(seat: Seat, game: AnyGame, seed: str = "") -> PracticeTable:
    """Return an unsaved table at its first question. `seed`: 32 bytes in hex, if the table was shown before."""
    table = PracticeTable(
        user=seat.user, visitor=seat.visitor, game=game.slug, rules_version=game.rules_version, seed=seed or new_seed()
    )
    _note(table, Play.begun(game, table.seed))
    return table


@retrying
def begin(seat: Seat, game: AnyGame, seed: str = "") -> None:
    """Begin a new table of this game, replacing an old one. Of two that begin at once, the first stays."""
    with suppress(IntegrityError), transaction.atomic():
        _tables(seat, game).delete()
        new_table(seat, game, seed).save()


@retrying
def act(seat: Seat, game: AnyGame, action: RawAction) -> tuple[PracticeTable, bool]:
    """Submit the person's action. Return the table, and whether something new, or something that they must not miss, is
    asked of them now. Raises `Rejected`, `NoTable`."""
    with _at(seat, game) as (table, play):
        before = play.asked
        play.act(action)
        return table, any(ask.is_due or ask not in before for ask in play.asked)


@retrying
def go_on(seat: Seat, game: AnyGame) -> str:
    """Advance time, at most to the end of the round. Return the main event in a sentence: the last announcement for the
    person alone, or else the first for everybody. Raises `NoTable`."""
    with _at(seat, game) as (table, play):
        play.go_on()
        table.steps += 1
    alone = [item for item in play.told if item.audience == to_player(ME)]
    return " ".join(sentences(table, alone[-1:] or play.told[:1]))


@contextmanager
def _at(seat: Seat, game: AnyGame) -> Iterator[tuple[PracticeTable, Play]]:
    with transaction.atomic():
        found = _tables(seat, game).select_for_update().first()
        if found is None or found.rules_version != game.rules_version:
            raise NoTable("This table no longer exists. Start a new one.")
        found.user = seat.user
        play = play_at(found)
        yield found, play
        _note(found, play)
        found.save()


def _note(table: PracticeTable, play: Play) -> None:
    table.state = play.game.encode_state(play.state).decode()
    table.time = int(play.time.total_seconds())
    table.told = [*table.told, *map(msgspec.to_builtins, play.told)]
    table.touched_at = clock.now()


def heard_at(table: PracticeTable) -> list[Announcement]:
    """Return what the person has heard since the opening, oldest first."""
    return msgspec.convert(table.told, list[Announcement])


def sentences(table: PracticeTable, told: Iterable[Announcement]) -> list[str]:
    """Return announcements in words, with the names that the table shows."""
    game = game_of(table.game)
    return [game.describe(item, lambda handle: set_apart(name_of(table, handle))) for item in told]


def story_at(table: PracticeTable, position: Position) -> DatedStory:
    """Return the story of a finished game: its turning points, and a line about each player."""
    view, outcome = position.public, position.outcome
    if view is None or outcome is None:
        return DatedStory()
    found = game_of(table.game).story(view, outcome, heard_at(table), lambda handle: name_of(table, handle))
    points = (DatedTurningPoint(each.what, each.text, each.players, None, {}) for each in found.turning_points)
    return DatedStory(tuple(points), found.lines)


def with_a_bot(table: PracticeTable, position: Position) -> str:
    """Compare a finished game with what a bot in the person's place would have reached, from the same opening and with
    the same draws, in a sentence; empty if that cannot be played."""
    game = game_of(table.game)
    seed = bytes.fromhex(table.seed)
    try:
        steps = [event.step for event in bot_match(game, game.read_config({}), roster_of(game), seed)]
    except Unplayable:
        return ""
    view, outcome = game.public_view(steps[-1].state), game.outcome(steps[-1].state)
    if position.public is None or position.outcome is None or outcome is None:
        return ""
    told = [item for step in steps for item in step.announcements if item.audience == EVERYONE]
    line = game.story(view, outcome, told, lambda handle: name_of(table, handle)).lines.get(ME, "")
    reached = _better(_reached(view, outcome), _reached(position.public, position.outcome))
    would = f"would have {reached}" if reached else "would not have done better"
    return f"A bot in your place, with the same draws, {would}." + (f" Its match: {line}." if line else "")


def _reached(view: PublicView, outcome: Outcome) -> dict[str, int]:
    """Maps phrases to what the person has reached, the most important first."""
    tokens, place = outcome.tokens_of_life.get(ME, 0), view.ranking.get(ME, 0)
    return {
        "won": ME in outcome.winners,
        "been safe from elimination": ME not in outcome.elimination_candidates,
        f"had {counted(tokens, 'Token')} of Life": tokens,
        f"finished number {place} of {len(view.ranking)}": -place,
    }


def _better(reached: dict[str, int], than: dict[str, int]) -> str:
    """The phrase of the first difference, if it is to the advantage of `reached`."""
    found = next((words for (words, a), b in zip(reached.items(), than.values(), strict=True) if a != b), "")
    return found if found and list(reached.values()) > list(than.values()) else ""


def name_of(table: PracticeTable, handle: str) -> str:
    """Return the name that the table shows; the person's own name, because sentences about a player say “Ann bids”."""
    if handle != ME:
        return next((name for name in BOTS if name.lower() == handle), handle)
    if table.user is None:
        return "Guest"
    name = table.user.get_full_name()
    return f"{name} (you)" if name.casefold() in map(str.casefold, BOTS) else name


def clear() -> None:
    """Delete abandoned tables, and those of games that no longer exist."""
    PracticeTable.objects.filter(touched_at__lt=clock.now() - KEPT_FOR).delete()
    for slug in PracticeTable.objects.values_list("game", flat=True).distinct():
        try:
            game_of(slug)
        except UnknownGame:
            PracticeTable.objects.filter(game=slug).delete()
