"""Checks of what must hold for every step of every game. Each failure says in a sentence what is wrong."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from matches.engine.core import DECISION, FINISHED, GARNET, MOST, PRIORITY, TOL, apply_postings
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import optional_seconds
from matches.engine.scenario import to_json
from matches.engine.sentences import TOLD
from matches.engine.step import EVERYONE, HOSTS, Announcement, Step, to_player

PUBLIC, RESULT = "public", "result"  # never the same as a handle, because subjects' handles have three letters
PHASES = ("pregame", "running", "decision", "finished")


class Views:
    """Everything that anybody is shown of one state, as views and as JSON text."""

    def __init__(self, game: AnyGame, state: Any, before: Views | None = None) -> None:
        """`before` are earlier views; views that have not changed are not encoded again."""
        self.seen = {PUBLIC: game.public_view(state), RESULT: game.outcome(state)}
        self.seen |= {handle: game.private_view(state, handle) for handle in state.core.handles}
        known, texts = (before.seen, before.texts) if before else ({}, {})
        self.texts = {
            who: texts[who] if who in known and known[who] == view else as_json(view) for who, view in self.seen.items()
        }

    @property
    def public(self) -> str:
        return self.texts[PUBLIC]

    @property
    def result(self) -> str:
        return self.texts[RESULT]

    @property
    def private(self) -> dict[str, str]:
        return {who: text for who, text in self.texts.items() if who not in (PUBLIC, RESULT)}

    def of(self, handle: str) -> tuple[str, str, str]:
        """Return what one player is shown."""
        return self.public, self.result, self.texts[handle]

    def look_again(self, game: AnyGame, state: Any, turn: int) -> None:
        """Check that looking twice shows the same: in public, and to one of the players in turn."""
        handle = state.core.handles[turn % len(state.core.handles)]
        again = {PUBLIC: game.public_view(state), RESULT: game.outcome(state), handle: game.private_view(state, handle)}
        assert again == {who: self.seen[who] for who in again}, "looking twice shows two different things"


_STRICT = json.JSONEncoder(allow_nan=False, sort_keys=True)


def as_json(view: Any) -> str:
    """Return a view as the site sends it; fails for what JSON cannot express."""
    return _STRICT.encode(to_json(view))


def check_step(game: AnyGame, before: Any, step: Step[Any], old: Views | None, new: Views) -> None:
    """Run all checks of one step from `before` (None: the opening)."""
    check_stored(game, step.state)
    check_money(game, before, step)
    check_announcements(game, step)
    check_declared(step, old, new)
    check_state(game, step.state, new)
    if before is not None:
        assert PHASES.index(before.core.phase) <= PHASES.index(step.state.core.phase), "phases only go forward"


def check_stored(game: AnyGame, state: Any) -> None:
    stored = game.encode_state(state)
    again = game.decode_state(stored)
    assert again == state, "what is stored reads back as another state"
    assert game.encode_state(again) == stored, "storing twice gives other bytes"


def check_money(game: AnyGame, before: Any, step: Step[Any]) -> None:
    known = {GARNET, PRIORITY, TOL, *game.own_assets(step.state.config)}
    purses = {} if before is None else before.core.purses
    for posting in step.postings:
        assert type(posting.amount) is int, "an amount is no whole number"
        assert 0 < posting.amount <= MOST, "an amount is not positive"
        assert posting.asset in known or posting.asset.startswith("item:"), f"{posting.asset} is no asset of this game"
        assert 0 < len(posting.reason) <= 40, "a reason must be a short word"
        assert posting.giver != posting.receiver, "a posting has two different sides"
    expected = _without_zeros(apply_postings(purses, step.postings))
    assert expected == _without_zeros(step.state.core.purses), "balances are not the sum of the postings"
    for purse in step.state.core.purses.values():
        for asset, amount in purse.items():
            on_credit = asset == GARNET and step.state.core.garnet_credit
            assert amount >= 0 or on_credit, f"a balance of {asset} is below zero"


def _without_zeros(purses: Any) -> dict[tuple[str, str], int]:
    return {(p, asset): amount for p, purse in purses.items() for asset, amount in purse.items() if amount}


def check_announcements(game: AnyGame, step: Step[Any]) -> None:
    core = step.state.core
    audiences = {EVERYONE, *([HOSTS] if game.host_actions else []), *(to_player(handle) for handle in core.handles)}
    for item in step.announcements:
        assert item.audience in audiences, f"nobody is called {item.audience}"
        stored = json.loads(_STRICT.encode(item.data))
        assert stored == item.data, f"{item.kind} is not the same after storing"
        assert item.kind in {**TOLD, **game.told}, f"nothing describes {item.kind} in words"
        said = game.describe(Announcement(item.audience, item.kind, stored), lambda handle: f"Player {handle}")
        assert said, f"{item.kind} is described by no word"
        assert said.strip() == said, f"{item.kind} is described untidily"
        if item.audience == EVERYONE:
            assert step.public, f"{item.kind} is told to everyone, but the step is not public"
        if item.audience.startswith("player:"):
            handle = item.audience.removeprefix("player:")
            assert handle in step.touched, f"{item.kind} is told to {handle}, who is not touched"


def check_declared(step: Step[Any], old: Views | None, new: Views) -> None:
    """Check that `public` and `touched` leave nobody with an outdated view."""
    assert step.touched <= set(step.state.core.handles), "somebody is touched who does not play"
    if old is None:
        return
    if (old.public, old.result) != (new.public, new.result):
        assert step.public, "the public view changed, and the step does not say so"
    for handle in step.state.core.handles:
        if old.texts[handle] != new.texts[handle]:
            assert handle in step.touched, f"{handle}'s view changed, and the step does not say so"


def check_state(game: AnyGame, state: Any, views: Views) -> None:
    core, due = state.core, game.next_deadline(state)
    assert views.seen[PUBLIC].phase == core.phase
    assert views.seen[PUBLIC].next_deadline == optional_seconds(due), "the view names another deadline"
    waits = core.phase == FINISHED or game.hosts_asked(state) is not None
    assert (due is None) == waits, "a match has a next deadline until it is finished, or waits for its hosts"
    assert due is None or due >= core.time, "a deadline lies in the past"
    outcome = views.seen[RESULT]
    assert (outcome is not None) == (core.phase == FINISHED), "the outcome is known when the match is finished"
    if outcome is not None:
        held = {p: core.purses.get(p, {}).get(TOL, 0) for p in core.handles}
        assert {p: n for p, n in outcome.tokens_of_life.items() if n} == {p: n for p, n in held.items() if n}
        assert set(outcome.winners) | set(outcome.elimination_candidates) <= set(core.handles)
        assert outcome.elimination_candidates == core.candidates
    if core.phase == DECISION and due is not None:
        asked = [ask for handle in core.handles for ask in views.seen[handle].asked]
        assert asked, "a window is open in which nobody is asked anything"
    for handle in core.handles:
        for asset, amount in game.holds(state, handle).items():
            assert amount >= 0
            assert amount <= core.purses.get(handle, {}).get(asset, 0), (
                f"{handle} holds back more {asset} than there is"
            )


def check_rejection(rejection: Rejected) -> None:
    assert rejection.code.replace("_", "").isalpha(), "a code is letters and underscores"
    assert rejection.code.islower()
    assert rejection.message.isprintable(), "a message must fit every screen"
    assert rejection.message.endswith((".", "!", "?")), f"no sentence: {rejection.message}"


def check_sealed(player: str, step: Step[Any], old: Views, new: Views) -> None:
    """Check that a sealed submission shows to nobody else."""
    assert not step.public, "a sealed submission moved the public version"
    assert step.touched <= {player}, "a sealed submission moved another player's version"
    assert {item.audience for item in step.announcements} <= {to_player(player)}, "it was told to others"
    assert not any(bid.public for bid in step.bids), "a sealed submission is in the open book"
    assert old.public == new.public, "a sealed submission shows in public"
    for handle in step.state.core.handles:
        assert handle == player or old.texts[handle] == new.texts[handle], f"{handle} sees another's submission"


class Book:
    """The auction book as it is stored: at most one standing bid for each lot, player and asset."""

    def __init__(self) -> None:
        self.standing: Counter[tuple[str, str, str]] = Counter()

    def enter(self, step: Step[Any]) -> None:
        for bid in step.bids:
            slot = (bid.lot, bid.player, bid.asset)
            assert 0 < len(bid.lot) <= 80, "a lot must have a short name"
            assert bid.player in step.state.core.handles
            if bid.status == "standing":
                assert not self.standing[slot], f"two bids of {bid.player} stand on {bid.lot}"
                self.standing[slot] = bid.amount
            else:
                stood = self.standing.pop(slot, 0)
                assert stood in (0, bid.amount), f"the bid on {bid.lot} ended with another amount than it had"
        if step.state.core.phase == FINISHED:
            assert not self.standing, "bids still stand in a finished match"
