"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.durations import parse_duration
from matches.engine.errors import Rejected
from matches.engine.step import EVERYONE, Step, to_player
from matches.games.number_auction import GAME
from matches.games.number_auction.private_views import NumbersPrivate
from matches.games.number_auction.state import NumbersState
from matches.games.number_auction.views import NumbersPublic

DRAW = Draw(bytes(32))
BUY = {"type": "buy_tokens"}
ASCENDING = list(range(1, 51))
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}


def bid(bids: dict[int, int]) -> dict[str, Any]:
    return {"type": "bid", "bids": {str(number): amount for number, amount in bids.items()}}


def one_each(*numbers: int) -> dict[str, Any]:
    return bid(dict.fromkeys(numbers, 1))


def name(player: str) -> dict[str, Any]:
    return {"type": "name_candidate", "player": player}


class Table:
    """`Table(ann={"garnets": 3}, bob={}, cat={}, config={…})`; `steps` is what happened so far."""

    def __init__(self, *, config: dict[str, Any] | None = None, draw: Draw = DRAW, **players: dict[str, int]) -> None:
        roster = tuple(Entrant(handle, **opening) for handle, opening in players.items())
        GAME.check_roster(roster)
        self.draw = draw
        self.steps: list[Step[NumbersState]] = [GAME.open(GAME.read_config(config or {}), roster, draw)]

    @property
    def state(self) -> NumbersState:
        return self.steps[-1].state

    @property
    def last(self) -> Step[NumbersState]:
        return self.steps[-1]

    @property
    def public(self) -> NumbersPublic:
        view = GAME.public_view(self.state)
        assert isinstance(view, NumbersPublic)
        return view

    def private(self, player: str) -> NumbersPrivate:
        view = GAME.private_view(self.state, player)
        assert isinstance(view, NumbersPrivate)
        return view

    def until(self, at: str | float | timedelta) -> Table:
        """Pass every deadline that is due by then."""
        moment = at if isinstance(at, timedelta) else parse_duration(at)
        while (due := GAME.next_deadline(self.state)) is not None and due <= moment:
            self.steps.append(GAME.pass_deadline(self.state, self.draw))
        return self

    def to_the_end(self) -> Table:
        return self.until(timedelta(days=10_000))

    def act(self, at: str | float | timedelta, player: str, action: object) -> Table:
        """An accepted action."""
        self.until(at)
        moment = at if isinstance(at, timedelta) else parse_duration(at)
        self.steps.append(GAME.submit(self.state, player, action, moment, self.draw))
        return self

    def refused(self, at: str | float | timedelta, player: str, action: object) -> Rejected:
        """The rejection of an action that is not accepted."""
        before = GAME.encode_state(self.until(at).state)
        try:
            self.act(at, player, action)
        except Rejected as rejection:
            assert GAME.encode_state(self.state) == before
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


def three(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, bob and cat; the numbers come in ascending order; the first round is open."""
    players = {"ann": {}, "bob": {}, "cat": {}} | openings
    return Table(config={"numbers": ASCENDING} | (config or {}), **players).until(0)


def at_once(**openings: dict[str, int]) -> Table:
    """ann, bob and cat, and one round with all fifty numbers."""
    return Table(config=ONE_ROUND, **({"ann": {}, "bob": {}, "cat": {}} | openings)).until(0)
