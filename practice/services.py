"""A match of one person and bots, on the rules alone. Nothing here is stored.

Match time stands still while the person thinks. When they go on, bots look a few times each until the next deadline,
which then passes; where something happens on the way that the person may want to answer, it stops there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
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
    """As few players as are usual, the person among them."""
    count = min(game.sizes.usual[0], len(BOTS) + 1)
    return tuple(Entrant(handle, garnets=_GARNETS) for handle in (ME, *(name.lower() for name in BOTS[: count - 1])))


@dataclass
class Play:
    """The match as it stands: `state` at match time `time`; `told`: what its person was told, oldest first."""

    game: AnyGame
    seed: str
    state: Any
    time: timedelta
    told: list[Announcement]

    @classmethod
    def begun(cls, game: AnyGame, seed: str) -> Play:
        """A new match with the usual settings, at the first moment at which the person is asked anything."""
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
        """The next deadline; None once it is over."""
        return self.game.next_deadline(self.state)

    @property
    def asked(self) -> tuple[Ask, ...]:
        """What the person is asked now."""
        asked: tuple[Ask, ...] = self.game.private_view(self.state, ME).asked
        return asked

    def would(self, action: RawAction) -> None:
        """Raise `Rejected` if the rules would not take this action of the person now."""
        self.game.submit(self.state, ME, action, self.time, self._draw)

    def act(self, action: RawAction) -> None:
        """The person's action. Raises `Rejected`."""
        self._take(self.game.submit(self.state, ME, action, self.time, self._draw))

    def go_on(self) -> None:
        """Let time go by: until the next deadline has passed, a deadline has moved, or the person was told something
        for them alone."""
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
        """Whether the person was told something for them alone."""
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
    """What of it the person hears."""
    return [item for item in told if item.audience in (EVERYONE, to_player(ME))]


# -- services --------------------------------------------------------------------------------------------
# Keeping practice tables: the only writer of them. No match is touched, and nobody is told.

KEPT_FOR = timedelta(days=1)


class NoTable(Refused):
    """This person does not practise this game now."""

    code = "no_practice"
    status = 409


class Seat(NamedTuple):
    """Who practises: an account, or else a visitor by the key of their session; without either nobody yet."""

    user: Any = None
    visitor: str = ""


def table_of(seat: Seat, game: AnyGame) -> PracticeTable | None:
    """The table of this person, if it is one of this game, by the rules of now."""
    return _tables(seat, game).select_related("user").filter(rules_version=game.rules_version).first()


def _tables(seat: Seat, game: AnyGame) -> QuerySet[PracticeTable]:
    found = PracticeTable.objects.filter(user=seat.user, visitor=seat.visitor, game=game.slug)
    return found if seat.user or seat.visitor else found.none()


def play_at(table: PracticeTable) -> Play:
    """The match as it stands at a table."""
    game = game_of(table.game)
    return Play(game, table.seed, game.decode_state(table.state), timedelta(seconds=table.time), [])


def seed_of_the_day(game: AnyGame) -> str:
    """The seed of the table that visitors see before they have one: the same for all of them on a day."""
    return sha256(f"{game.slug} {clock.now().date()}".encode()).hexdigest()


def new_table(seat: Seat, game: AnyGame, seed: str = "") -> PracticeTable:
    """A table at its first question, not stored. `seed`: 32 bytes in hex, where it was shown before."""
    table = PracticeTable(
        user=seat.user, visitor=seat.visitor, game=game.slug, rules_version=game.rules_version, seed=seed or new_seed()
    )
    _note(table, Play.begun(game, table.seed))
    return table


@retrying
def begin(seat: Seat, game: AnyGame, seed: str = "") -> None:
    """Sit down at a new table of this game; one that was left standing is cleared."""
    with transaction.atomic():
        _tables(seat, game).delete()
        new_table(seat, game, seed).save()


@retrying
def act(seat: Seat, game: AnyGame, action: RawAction) -> tuple[PracticeTable, bool]:
    """The person's action; the table as it is then, and whether something else is asked of them now, or the same again
    that they must not miss. Raises `Rejected`, `NoTable`."""
    with _at(seat, game) as (table, play):
        before = play.asked
        play.act(action)
        return table, any(ask.is_due or ask not in before for ask in play.asked)


@retrying
def go_on(seat: Seat, game: AnyGame) -> str:
    """Let time go by, at most to the end of the round; what came of it in a sentence: the last for the person alone, or
    else the first for everybody. Raises `NoTable`."""
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
    """What the person has heard since the opening, oldest first."""
    return msgspec.convert(table.told, list[Announcement])


def sentences(table: PracticeTable, told: Iterable[Announcement]) -> list[str]:
    """Announcements in words, each with the names that the table shows."""
    game = game_of(table.game)
    return [game.describe(item, lambda handle: set_apart(name_of(table, handle))) for item in told]


def story_at(table: PracticeTable, position: Position) -> DatedStory:
    """Turning points, and a line about everybody; nothing before the end."""
    view, outcome = position.public, position.outcome
    if view is None or outcome is None:
        return DatedStory()
    found = game_of(table.game).story(view, outcome, heard_at(table), lambda handle: name_of(table, handle))
    points = (DatedTurningPoint(each.what, each.text, each.players, None, {}) for each in found.turning_points)
    return DatedStory(tuple(points), found.lines)


def with_a_bot(table: PracticeTable, position: Position) -> str:
    """What a bot in the person's place would have reached at this table that is over, from the same opening and with
    the same draws: whether that is better than what they have, and how its match was."""
    game = game_of(table.game)
    seed = bytes.fromhex(table.seed)
    try:
        steps = [event.step for event in bot_match(game, game.read_config({}), roster_of(game), seed) if event.step]
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
    """What the person has reached, by how to say it; what counts most comes first."""
    tokens, place = outcome.tokens_of_life.get(ME, 0), view.ranking.get(ME, 0)
    return {
        "won": ME in outcome.winners,
        "been safe from elimination": ME not in outcome.elimination_candidates,
        f"had {counted(tokens, 'Token')} of Life": tokens,
        f"finished number {place} of {len(view.ranking)}": -place,
    }


def _better(reached: dict[str, int], than: dict[str, int]) -> str:
    """The first thing that differs, if it is better."""
    found = next((words for (words, a), b in zip(reached.items(), than.values(), strict=True) if a != b), "")
    return found if found and list(reached.values()) > list(than.values()) else ""


def name_of(table: PracticeTable, handle: str) -> str:
    """The name that the table shows: that of its person, because sentences about a player say “Ann bids”."""
    if handle != ME:
        return next((name for name in BOTS if name.lower() == handle), handle)
    if table.user is None:
        return "Guest"
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
