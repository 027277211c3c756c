"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.durations import parse_duration
from matches.engine.errors import Rejected
from matches.engine.step import Step
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.own_views import CollectorsPrivate
from matches.games.coin_collectors.state import CollectorsState
from matches.games.coin_collectors.views import CollectorsPublic

DRAW = Draw(bytes(32))

Bids = dict[str, dict[str, int]]


def auction(name: str, **prize: Any) -> dict[str, Any]:
    return {"name": name, "prize": prize}


def round_of(*auctions: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {**limits, "auctions": list(auctions)}


def bid(bids: Bids, *items: dict[str, str], **lifts: bool) -> dict[str, Any]:
    return {"type": "bid", "bids": bids, "items": list(items), **lifts}


def use(item: str, auction: str | None = None, coin: str | None = None, source: str | None = None) -> dict[str, str]:
    on = {"auction": auction, "coin": coin, "from": source}
    return {"item": item, **{key: value for key, value in on.items() if value is not None}}


def lift(*limits: str) -> dict[str, bool]:
    return {f"lift_{limit}_limit": True for limit in limits}


class Table:
    """`Table(ann={"garnets": 3}, bob={}, cat={}, config={…})`; `steps` is what happened so far."""

    def __init__(self, *, config: dict[str, Any] | None = None, draw: Draw = DRAW, **players: dict[str, int]) -> None:
        roster = tuple(Entrant(handle, **opening) for handle, opening in players.items())
        GAME.check_roster(roster)
        self.draw = draw
        self.steps: list[Step[CollectorsState]] = [GAME.open(GAME.read_config(config or {}), roster, draw)]

    @property
    def state(self) -> CollectorsState:
        return self.steps[-1].state

    @property
    def last(self) -> Step[CollectorsState]:
        return self.steps[-1]

    @property
    def public(self) -> CollectorsPublic:
        view = GAME.public_view(self.state)
        assert isinstance(view, CollectorsPublic)
        return view

    def private(self, player: str) -> CollectorsPrivate:
        view = GAME.private_view(self.state, player)
        assert isinstance(view, CollectorsPrivate)
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

    def correct(self, player: str, asset: str, amount: int) -> Table:
        """A host's correction, at once."""
        self.steps.append(GAME.correct(self.state, player, asset, amount, self.state.core.time))
        return self

    def amend(self, rounds: list[dict[str, Any]], at: str = "0h") -> Table:
        """A host's other list of rounds."""
        moment = parse_duration(at)
        self.until(moment).steps.append(GAME.amend(self.state, {"rounds": rounds}, moment))
        return self

    def told(self, audience: str) -> list[str]:
        """The kinds of the last step's announcements to that audience."""
        return [item.kind for item in self.last.announcements if item.audience == audience]


def three(*rounds: dict[str, Any], openings: dict[str, dict[str, int]] | None = None, **config: Any) -> Table:
    """ann, bob and cat in these rounds; the first of them runs from 0 on."""
    players: dict[str, dict[str, int]] = {"ann": {}, "bob": {}, "cat": {}} | (openings or {})
    return Table(config={"pregame": 0, **config, "rounds": list(rounds)}, **players).until(0)


def with_items(*rounds: dict[str, Any], **items: int) -> Table:
    """Like `three`, where ann has won these items in a round before, for a bronze coin; a round runs from 24h on."""
    shop = round_of(auction("Shop", items=items))
    table = three(shop, *rounds, start={"gold": 2, "silver": 2, "bronze": 3})
    return table.act(0, "ann", bid({"Shop": {"bronze": 1}})).until("24h")
