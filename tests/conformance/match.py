"""A match played by a script: bots, invalid actions and time, with every check after every event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from tests.conformance.checks import PUBLIC, Book, Views, check_rejection, check_sealed, check_step
from tests.conformance.mutations import mutated
from tests.conformance.scenario_files import Told, told_by
from tests.conformance.subjects import Subject

STRANGER, HOST = "zed", "a host"
_MOST_DEADLINES = 2000


class Move(NamedTuple):
    """One line of a script: what happens (`bot`, `mischief`: a possibly invalid action, `wait`, `deadline`), a seed."""

    kind: str
    number: int


class Event(NamedTuple):
    """What happened, so that it can be replayed: a submission, or a deadline (player is None)."""

    player: str | None
    raw: Any
    now: timedelta
    accepted: bool
    after: bytes


class Match:
    """A match in progress; it checks and keeps every event."""

    def __init__(self, subject: Subject, seed: int, *, extra: int = 0, wealth: int = 0) -> None:
        self.subject, self.game = subject, subject.game
        self.seed = Draw(seed.to_bytes(32, "big")).integer("match", 2**256).to_bytes(32, "big")
        self.draw = Draw(self.seed)
        self.roster = subject.roster(extra, wealth)
        self.names = tuple(entrant.handle for entrant in self.roster)
        self.game.check_roster(self.roster)
        self.now = timedelta()
        self.book = Book()
        self.events: list[Event] = []
        self.told: set[Told] = set()
        step = self.game.open(self.game.read_config(subject.config), self.roster, self.draw)
        self.state: Any = None
        self.stored = b""
        self.views: Views | None = None
        self._take(step, self._views(step.state))
        self.pass_due()

    # -- moves ---------------------------------------------------------------------------------------

    def play(self, script: list[Move]) -> Match:
        """Play the script, or as much of it as the match lasts."""
        for place, move in enumerate(script):
            self.move(move, place)
        return self

    def move(self, move: Move, place: int) -> None:
        chance = Draw(f"{move.number}:{place}".encode().ljust(32, b"."))
        if move.kind == "deadline":
            self.pass_next()
        elif move.kind == "wait":
            self.wait(chance)
        elif move.kind == "bot":
            self.bot(self.names[move.number % len(self.names)], chance)
        elif self.game.host_actions and move.number % 3 == 0:
            example = self.game.host_play(self.state, chance)
            self.submit(HOST, mutated(self.game.host_actions, example, self.names, chance))
        else:
            player = STRANGER if move.number % 20 == 0 else self.names[move.number % len(self.names)]
            example = self.bot_action(player, chance) if player in self.names else None
            self.submit(player, mutated(self.game.actions, example, self.names, chance))

    def bot_action(self, player: str, chance: Draw) -> dict[str, Any] | None:
        seen = self._known_views().seen
        return self.game.bot_action(seen[PUBLIC], seen[player], self.now, chance)

    def bot(self, player: str, chance: Draw) -> None:
        action = self.bot_action(player, chance)
        if action is not None:
            refused = self.submit(player, action)
            assert refused is None, f"the bot's {action} was refused: {refused}"

    def wait(self, chance: Draw) -> None:
        """Let a part of the time until the next deadline pass, or some time after the end."""
        due = self.game.next_deadline(self.state) or self.now + timedelta(hours=1)
        self.now += (due - self.now) * chance.integer("part", 8) // 8

    def pass_next(self) -> None:
        due = self.game.next_deadline(self.state)
        if due is not None:
            self.now = max(self.now, due)
            self.pass_due()
        elif (action := self.game.host_play(self.state, self.draw)) is not None:
            refused = self.submit(HOST, action)
            assert refused is None, f"the {action} of a host who stands in was refused: {refused}"

    # -- events --------------------------------------------------------------------------------------

    def submit(self, player: str, raw: Any) -> Rejected | None:
        """Submit an action now; return the rejection, if it is one."""
        before, stored, old = self.state, self.stored, self._known_views()
        sealed = player in self.names and self.game.sealed(before) is not None
        kept = repr(raw)
        try:
            step = self.judged(player, raw)
        except Rejected as rejection:
            self._unchanged(before, stored, "a refused action")
            check_rejection(rejection)
            self.events.append(Event(player, raw, self.now, False, stored))
            return rejection
        assert repr(raw) == kept, "the action itself was changed"
        self._unchanged(before, stored, "an action")
        assert player in (*self.names, HOST), "a stranger's action was accepted"
        assert step.state.core.time == self.now, "the state does not know when it is"
        new = self._views(step.state)
        self._take(step, new)
        if sealed:
            check_sealed(player, step, old, new)
        self.events.append(Event(player, raw, self.now, True, self.stored))
        self.pass_due()
        return None

    def judged(self, player: str, raw: Any) -> Any:
        """Return the rules' step for an action of a player or of a host."""
        if player == HOST:
            return self.game.act_as_host(self.state, raw, self.now, self.draw)
        return self.game.submit(self.state, player, raw, self.now, self.draw)

    def pass_due(self) -> None:
        """Pass every deadline that is due by now, each at its own time."""
        while (due := self.game.next_deadline(self.state)) is not None and due <= self.now:
            before, stored = self.state, self.stored
            step = self.game.pass_deadline(before, self.draw)
            self._unchanged(before, stored, "a deadline")
            assert step.state.core.time == due, "a deadline is passed at its own time"
            following = self.game.next_deadline(step.state)
            assert following is None or following > due, "the next deadline is not later"
            self._take(step, self._views(step.state))
            self.events.append(Event(None, None, due, True, self.stored))

    def run_out(self, between: Callable[[Match], None] | None = None) -> Match:
        """Pass every remaining deadline, calling `between` before each."""
        for _ in range(_MOST_DEADLINES):
            if self.state.core.phase == "finished":
                return self
            if between is not None:
                between(self)
            self.pass_next()
        raise AssertionError("the match does not come to an end")

    # -- underneath ----------------------------------------------------------------------------------

    def _take(self, step: Any, views: Views) -> None:
        check_step(self.game, self.state, step, self.views, views)
        self.book.enter(step)
        self.told |= told_by(step)
        self.state, self.stored, self.views = step.state, self.game.encode_state(step.state), views
        self._no_seed()

    def _views(self, state: Any) -> Views:
        views = Views(self.game, state, self.views)
        views.look_again(self.game, state, len(self.events))
        return views

    def _known_views(self) -> Views:
        assert self.views is not None
        return self.views

    def _unchanged(self, before: Any, stored: bytes, what: str) -> None:
        assert self.game.encode_state(before) == stored, f"{what} changed the state that was handed in"

    def _no_seed(self) -> None:
        everything = self.stored.decode() + "".join(self._known_views().texts.values())
        assert self.seed.hex() not in everything.lower(), "the seed is part of a state or view"
