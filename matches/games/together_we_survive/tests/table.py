"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.durations import parse_duration
from matches.engine.errors import Rejected
from matches.engine.step import EVERYONE, Step, to_player
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.own_views import SurvivePrivate
from matches.games.together_we_survive.state import SurviveState
from matches.games.together_we_survive.views import SurvivePublic

DRAW = Draw(bytes(32))


def vote_a(**votes: int) -> dict[str, Any]:
    return {"type": "vote_a", "votes": votes}


def vote_b(**votes: int) -> dict[str, Any]:
    return {"type": "vote_b", "votes": votes}


def withdraw(kind: str) -> dict[str, Any]:
    return {"type": "withdraw", "kind": kind}


def elect(player: str) -> dict[str, Any]:
    return {"type": "vote", "player": player}


def give(*to: str) -> dict[str, Any]:
    return {"type": "give_tokens", "to": list(to)}


class Table:
    """`Table("ann bob", "kim leo", garnets={"ann": 3}, config={…})`: group A, group B; `steps` is what happened."""

    def __init__(
        self,
        group_a: str,
        group_b: str,
        *,
        garnets: dict[str, int] | None = None,
        config: dict[str, Any] | None = None,
        draw: Draw = DRAW,
    ) -> None:
        roster = tuple(
            Entrant(handle, team, garnets=(garnets or {}).get(handle, 0))
            for team, group in (("A", group_a), ("B", group_b))
            for handle in group.split()
        )
        GAME.check_roster(roster)
        self.draw = draw
        self.steps: list[Step[SurviveState]] = [GAME.open(GAME.read_config(config or {}), roster, draw)]

    @property
    def state(self) -> SurviveState:
        return self.steps[-1].state

    @property
    def last(self) -> Step[SurviveState]:
        return self.steps[-1]

    @property
    def public(self) -> SurvivePublic:
        view = GAME.public_view(self.state)
        assert isinstance(view, SurvivePublic)
        return view

    def private(self, player: str) -> SurvivePrivate:
        view = GAME.private_view(self.state, player)
        assert isinstance(view, SurvivePrivate)
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

    def heard(self, player: str | None) -> list[Any]:
        """Every announcement so far that this viewer receives, and which steps moved what all may know."""
        audiences = {EVERYONE} | ({to_player(player)} if player else set())
        received = [
            ([each for each in step.announcements if each.audience in audiences], step.public) for step in self.steps
        ]
        return [entry for entry in received if entry != ([], False)]


def four_and_four(**options: Any) -> Table:
    """ann, bob, cat and dan on stage; kim, leo, max and ned in group B."""
    return Table("ann bob cat dan", "kim leo max ned", **options)


def sole_winner(**options: Any) -> Table:
    """bob alone wins group A, ann has lost it, and bob may give two tokens to cat, dan or eve; at 96h."""
    table = Table("ann bob cat dan eve", "kim leo max", **options)
    for player, votes in (("ann", vote_a(ann=2, bob=1)), ("cat", vote_a(cat=1)), ("dan", vote_a(dan=1))):
        table.act("1h", player, votes)
    table.act("1h", "kim", vote_b(kim=1, leo=1, max=1))
    table.act("49h", "bob", vote_a(bob=1)).act("49h", "ann", vote_a(ann=1))
    return table.act("73h", "bob", vote_a(bob=1)).until("96h")
