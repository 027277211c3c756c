"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.durations import parse_duration
from matches.engine.errors import Rejected
from matches.engine.step import EVERYONE, Step, to_player
from matches.games.the_mvp import GAME
from matches.games.the_mvp.cards import CARDS
from matches.games.the_mvp.own_views import MvpPrivate
from matches.games.the_mvp.pattern import PLACES
from matches.games.the_mvp.state import MvpState
from matches.games.the_mvp.views import MvpPublic

DRAW = Draw(bytes(32))
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
RED, GREEN = ("ann", "cat", "eve"), ("bob", "dan", "fay")
DECK = dict(zip(PLACES, CARDS, strict=True))
"""A to X hold the cards in order: the lowest row is grape-3 to grape-6, the one above pear-4 to grape-2."""


def bid(**adds: int) -> dict[str, Any]:
    return {"type": "bid", "adds": adds}


def buy(count: int) -> dict[str, Any]:
    return {"type": "buy_chips", "count": count}


def identity(place: str) -> dict[str, Any]:
    return {"type": "ask_identity", "place": place}


def location(card: str) -> dict[str, Any]:
    return {"type": "ask_location", "card": card}


def vote(player: str) -> dict[str, Any]:
    return {"type": "vote", "player": player}


def deck(**named: str) -> dict[str, str]:
    """These cards at these places, all others in order from A on."""
    others = iter([card for card in CARDS if card not in named.values()])
    return {place: named.get(place) or next(others) for place in PLACES}


class Table:
    """Six players by handle with what they bring, and a config; `steps` is what happened so far."""

    def __init__(self, *, config: dict[str, Any] | None = None, draw: Draw = DRAW, **players: dict[str, int]) -> None:
        roster = tuple(Entrant(handle, **opening) for handle, opening in players.items())
        GAME.check_roster(roster)
        self.draw = draw
        self.steps: list[Step[MvpState]] = [GAME.open(GAME.read_config(config or {}), roster, draw)]

    @property
    def state(self) -> MvpState:
        return self.steps[-1].state

    @property
    def last(self) -> Step[MvpState]:
        return self.steps[-1]

    @property
    def public(self) -> MvpPublic:
        view = GAME.public_view(self.state)
        assert isinstance(view, MvpPublic)
        return view

    def private(self, player: str) -> MvpPrivate:
        view = GAME.private_view(self.state, player)
        assert isinstance(view, MvpPrivate)
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


def six(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, cat and eve (red) against bob, dan and fay (green), with the cards in order."""
    return Table(config={"deck": DECK} | (config or {}), **{name: openings.get(name, {}) for name in NAMES})
