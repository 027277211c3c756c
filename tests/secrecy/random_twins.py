"""Twins by chance: a match of any type that bots have played for a while, in which somebody then does something secret.

In the other world they do something else, or nothing. All of it comes from the name of the pair, so a pair that can be
told apart is made again from that.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, NamedTuple, Self

from matches.engine.core import DECISION, FINISHED
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.settings import Roster
from matches.models import Match, clock
from matches.services.deadlines import advance
from talk.services import posting
from tests.conformance.subjects import Subject
from tests.games.site_table import SiteTable
from tests.notes.test_notebook import write
from tests.secrecy.site import Twins, nothing

Step = Callable[["PlayedTable"], object]
HOST, STRANGER = "dora", "zoe"


def roster_of(subject: Subject, pair: str) -> Roster:
    """Who plays."""
    chance = Random(f"table {pair}")
    return subject.roster(chance.randrange(4), chance.randrange(2**16))


def names_of(subject: Subject, pair: str) -> tuple[str, ...]:
    return tuple(each.handle for each in roster_of(subject, pair))


class PlayedTable(SiteTable):
    """A match of a subject, at which everybody acts as a bot would; dora hosts, zoe has an account."""

    host = HOST
    stranger = STRANGER

    def __init__(self, present: clock.FixedTime, subject: Subject, pair: str) -> None:
        self.roster = roster_of(subject, pair)
        self._seed = Random(f"seed {pair}").randbytes(32).hex()
        self.__dict__ |= {
            "game": subject.game,
            "title": "A table",
            "players": tuple(each.handle for each in self.roster),
        }
        super().__init__(present, **subject.config)

    def brings(self, who: str) -> dict[str, int]:
        entrant = next(each for each in self.roster if each.handle == who)
        return {"garnets": entrant.garnets, "priority": entrant.priority}

    def prepare(self, match: Match) -> None:
        Match.objects.filter(pk=match.pk).update(seed=self._seed)

    @property
    def rules(self) -> AnyGame:
        return self.match.rules

    @property
    def state(self) -> Any:
        return self.rules.decode_state(self.match.state)

    @property
    def is_secret(self) -> bool:
        """Whether something sealed is asked of players now, that does not count before a deadline. A decision may
        count at once, if it is the last one."""
        state = self.state if self.match.status == Match.Status.OPEN else None
        return state is not None and state.core.phase != DECISION and self.rules.sealed(state) is not None

    def bot(self, who: str, chance: str) -> bool:
        """What a bot would do for this player, who knows only their own views; whether it did anything."""
        match, state = self.match, self.state
        if match.status != Match.Status.OPEN or state.core.phase == FINISHED:
            return False
        time = max(match.clock.time(clock.now()), state.core.time)
        views = self.rules.public_view(state), self.rules.private_view(state, who)
        action = self.rules.bot_action(*views, time, Draw(chance.encode().ljust(32, b".")[:32]))
        if action is not None:
            self.act(who, action)
        return action is not None

    def wait(self, part: float) -> Self:
        """A part of the time until the next deadline; 1 passes it."""
        due = self.match.next_deadline_at
        if due is not None:
            self.present.instant += max((due - self.present.instant) * part, timedelta())
            advance(self.pk)
        return self


def story(pair: str, names: tuple[str, ...]) -> list[Step]:
    """How the match was played before: bots act, time passes."""
    chance = Random(f"story {pair}")
    steps: list[Step] = []
    for place in range(chance.randrange(10)):
        if chance.random() < 0.25:
            steps.append(partial(PlayedTable.wait, part=chance.choice((0.2, 0.5, 0.8, 1))))
        else:
            steps.append(partial(PlayedTable.bot, who=chance.choice(names), chance=f"{pair} {place}"))
    return steps


def until_something_is_sealed(table: PlayedTable) -> None:
    """A few deadlines further, if nothing is asked at present that would be sealed."""
    for _ in range(4):
        if table.is_secret:
            return
        table.wait(1)


class Secret(NamedTuple):
    """The step of each world, who takes it, and who else may know."""

    kind: str
    who: str
    one: Step
    other: Step
    known_to: frozenset[str] = frozenset()


def secret_of(pair: str, names: tuple[str, ...]) -> Secret:
    """Something sealed, or sealed otherwise in the other world; words to one other player; a note of one's own."""
    chance = Random(f"secret {pair}")
    who, friend = chance.sample(names, 2)

    def seals(note: str, table: PlayedTable) -> None:
        """A bot often has nothing to do: then it thinks again."""
        for again in range(20):
            if not table.is_secret or table.bot(who, f"{note} {again} {pair}"):
                return

    def whispers(table: PlayedTable) -> None:
        room = posting.open_private(table.match, table.users[who], (friend,))
        posting.post(table.match, table.users[who], room, "meet me at the seventh seat", "")

    def notes(table: PlayedTable) -> None:
        assert write(table, who).status_code == 302

    # Hosts see who has submitted, but not what.
    one = partial(seals, "one")
    return chance.choice(
        (
            Secret("seals", who, one, nothing, frozenset((HOST,))),
            Secret("seals otherwise", who, one, partial(seals, "other"), frozenset((HOST,))),
            Secret("whispers", who, whispers, nothing, frozenset((friend,))),
            Secret("notes", who, notes, nothing),
        )
    )


def random_twins(subject: Subject, pair: str) -> Twins[PlayedTable]:
    """A pair of worlds, and some of those who cannot tell them apart: a visitor, a stranger, a host, two players."""
    names = names_of(subject, pair)
    _, who, one, other, known_to = secret_of(pair, names)
    rest = [name for name in names if name != who and name not in known_to]
    players = Random(f"viewers {pair}").sample(rest, min(2, len(rest)))
    viewers = [name for name in ("visitor", STRANGER, HOST, *players) if name not in known_to]
    before = [*story(pair, names), until_something_is_sealed]
    after = [partial(PlayedTable.bot, who=name, chance=f"after {pair}") for name in rest[:2]]
    return Twins(tuple(viewers), [*before, one, *after], [*before, other, *after])
