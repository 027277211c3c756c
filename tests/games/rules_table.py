"""A match on the rules alone, for tests that look closer than a scenario file can. Each game makes its own of it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, Generic, Self, TypeVar

from matches.engine.core import State
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import parse_duration
from matches.engine.settings import Entrant
from matches.engine.step import EVERYONE, Step, to_player
from matches.engine.views import PrivateView, PublicView

S = TypeVar("S", bound=State)
Public = TypeVar("Public", bound=PublicView)
Private = TypeVar("Private", bound=PrivateView)

DRAW = Draw(bytes(32))

When = str | float | timedelta
"""A match time, as a duration or as a host would type it."""


class RulesTable(Generic[S, Public, Private]):
    """`Table(ann={"garnets": 3}, bob={}, cat={}, config={…})`; `steps` is what happened so far.

    Players are given by handle with what they bring, or, where they have a team, as entrants.
    """

    game: ClassVar[AnyGame]
    lengths: ClassVar[Mapping[str, Any]] = {}
    """How long everything takes, where a test does not say otherwise."""

    def __init__(
        self, *entrants: Entrant, config: dict[str, Any] | None = None, draw: Draw = DRAW, **players: dict[str, int]
    ) -> None:
        roster = (*entrants, *(Entrant(handle, **opening) for handle, opening in players.items()))
        settings = self.game.read_config({**self.lengths, **(config or {})})
        self.game.check_start(settings, roster)
        self.draw = draw
        self.steps: list[Step[S]] = [self.game.open(settings, roster, draw)]

    @property
    def state(self) -> S:
        return self.last.state

    @property
    def last(self) -> Step[S]:
        return self.steps[-1]

    @property
    def public(self) -> Public:
        view: Any = self.game.public_view(self.state)
        return view

    def private(self, player: str) -> Private:
        view: Any = self.game.private_view(self.state, player)
        return view

    def until(self, at: When) -> Self:
        """Pass every deadline that is due by then."""
        moment = _match_time(at)
        while (due := self.game.next_deadline(self.state)) is not None and due <= moment:
            self.steps.append(self.game.pass_deadline(self.state, self.draw))
        return self

    def to_the_end(self) -> Self:
        return self.until(timedelta(days=10_000))

    def act(self, at: When, player: str, action: object) -> Self:
        """An accepted action."""
        self.until(at)
        self.steps.append(self.game.submit(self.state, player, action, _match_time(at), self.draw))
        return self

    def correct(self, player: str, asset: str, amount: int) -> Self:
        """A host's correction, at once."""
        self.steps.append(self.game.correct(self.state, player, asset, amount, self.state.core.time))
        return self

    def refused(self, at: When, player: str, action: object) -> Rejected:
        """The rejection of an action that is not accepted."""
        before = self.game.encode_state(self.until(at).state)
        try:
            self.act(at, player, action)
        except Rejected as rejection:
            assert self.game.encode_state(self.state) == before
            return rejection
        raise AssertionError(f"{action} was accepted")

    def told(self, audience: str) -> list[str]:
        """The kinds of the last step's announcements to that audience."""
        return [item.kind for item in self.last.announcements if item.audience == audience]

    def heard(self, player: str | None) -> list[Any]:
        """Every announcement so far that this viewer receives, and which steps moved what all may know."""
        audiences = {EVERYONE} | ({to_player(player)} if player else set())
        received = [
            ([each for each in step.announcements if each.audience in audiences], step.public) for step in self.steps
        ]
        return [entry for entry in received if entry != ([], False)]


def _match_time(at: When) -> timedelta:
    return at if isinstance(at, timedelta) else parse_duration(at)
