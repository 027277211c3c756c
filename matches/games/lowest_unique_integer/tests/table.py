"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.durations import parse_duration
from matches.engine.errors import Rejected
from matches.engine.step import Step
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.state import AuctionState
from matches.games.lowest_unique_integer.views import AuctionPrivate, AuctionPublic

DRAW = Draw(bytes(32))


def bid(seat: str, amount: int) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "amount": amount}


def buy(count: int = 1) -> dict[str, Any]:
    return {"type": "buy_chips", "count": count}


WITHDRAW = {"type": "withdraw"}


class Table:
    """`Table(ann={"garnets": 3}, bob={}, cat={}, config={…})`; `steps` is what happened so far."""

    def __init__(self, *, config: dict[str, Any] | None = None, draw: Draw = DRAW, **players: dict[str, int]) -> None:
        roster = tuple(Entrant(handle, **opening) for handle, opening in players.items())
        GAME.check_roster(roster)
        self.draw = draw
        self.steps: list[Step[AuctionState]] = [GAME.open(GAME.read_config(config or {}), roster, draw)]

    @property
    def state(self) -> AuctionState:
        return self.steps[-1].state

    @property
    def last(self) -> Step[AuctionState]:
        return self.steps[-1]

    @property
    def public(self) -> AuctionPublic:
        view = GAME.public_view(self.state)
        assert isinstance(view, AuctionPublic)
        return view

    def private(self, player: str) -> AuctionPrivate:
        view = GAME.private_view(self.state, player)
        assert isinstance(view, AuctionPrivate)
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

    def seat(self, letter: str) -> Any:
        return next(seat for row in self.public.board for seat in row if seat.seat == letter)

    def told(self, audience: str) -> list[str]:
        """The kinds of the last step's announcements to that audience."""
        return [item.kind for item in self.last.announcements if item.audience == audience]


def three(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, bob and cat on the board of F8."""
    players = {"ann": {}, "bob": {}, "cat": {}} | openings
    return Table(config={"variant": "F8"} | (config or {}), **players)


def live(**openings: dict[str, int]) -> Table:
    """ann, bob and cat on the board of F8 with the auction open at 0."""
    return three({"pregame": 0}, **openings).until(0)
