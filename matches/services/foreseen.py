"""What a host's correction, decision or amendment would lead to: asked of the rules on a copy, and nothing is written.

What everybody may see is compared before and after, never a state. And the rules are asked only where their answer
cannot depend on what is sealed or private: otherwise hosts could learn it by trying, and such tries leave no trace in
the log.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, ParamSpec

import msgspec

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.errors import Rejected
from matches.engine.ledger import BLOOD_GARNET, TOL
from matches.engine.step import Step
from matches.models import Match, Player, clock
from matches.services.amending import Amendment
from matches.services.errors import MatchFault
from matches.services.storage.retry import RuleFailure, as_rule_failure
from matches.services.writer import Writer

P = ParamSpec("P")


class Foreseen(NamedTuple):
    """What everybody may see now and afterwards, JSON-able. `refusal`: why the rules would refuse it, else empty."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    refusal: str = ""


def _or_none(foresee: Callable[P, Foreseen | None]) -> Callable[P, Foreseen | None]:
    """The same, but None where the rules fail: a page that asks for confirmation must not break by what it foresees."""

    @functools.wraps(foresee)
    def foreseen_or_none(*args: P.args, **kwargs: P.kwargs) -> Foreseen | None:
        try:
            return foresee(*args, **kwargs)
        except (RuleFailure, MatchFault):
            return None

    return foreseen_or_none


@_or_none
def of_correction(match: Match, player: Player, asset: str, amount: int, *, is_open: bool) -> Foreseen | None:
    """What booking `amount` (stored units) would change; None where that may not be told. `is_open`: whether everybody
    may know that balance.

    While a match goes on, what can be taken depends on what is committed under seal, so only gifts are asked about."""
    if not is_open or asset == BLOOD_GARNET or (amount < 0 and not match.is_over):
        return None
    writer = Writer(match, clock.now())
    if writer.state is None:
        return None
    with as_rule_failure():
        before = _public(writer, writer.state)
        try:
            step = writer.game.correct(writer.state, player.handle, asset, amount, writer.time)
        except Rejected as rejection:
            return Foreseen(before, before, rejection.message)
        return Foreseen(before, _public(writer, step.state))


@_or_none
def of_decision(match: Match, player: Player, action: Mapping[str, Any]) -> Foreseen | None:
    """What deciding in a player's place would settle at once: candidates and Tokens of Life; None where that
    depends on votes or gifts that are secret, or on what chance decides."""
    writer = Writer(match, clock.now())
    decisions = None if writer.state is None else writer.state.core.decisions
    if decisions is None or decisions.secret_gifts or _is_secret(action, decisions):
        return None
    with as_rule_failure():
        found = [_decided(writer, player, action, seed) for seed in (bytes(SEED_BYTES), bytes([255]) * SEED_BYTES)]
        if found[0] != found[1]:
            return None
        return Foreseen(_settled(writer, writer.state), found[0])


@_or_none
def of_amendment(match: Match, amendment: Amendment) -> Foreseen | None:
    """What everybody would see at once."""
    writer = Writer(match, clock.now())
    with as_rule_failure():
        return Foreseen(_public(writer, writer.state), _public(writer, amendment.step.state))


def _public(writer: Writer, state: Any) -> dict[str, Any]:
    """What everybody may see of a state, and the result of a match that is finished."""
    seen: dict[str, Any] = msgspec.to_builtins(writer.game.public_view(state))
    outcome = writer.game.outcome(state)
    return seen if outcome is None else {**seen, "result": msgspec.to_builtins(outcome)}


def _is_secret(action: Mapping[str, Any], decisions: Any) -> bool:
    """Whether what follows from a decision could tell how somebody has voted."""
    votes = any(poll.kind == "vote" and poll.result is None for poll in decisions.polls)
    return action["type"] == "vote" or votes


def _decided(writer: Writer, player: Player, action: Mapping[str, Any], seed: bytes) -> dict[str, Any]:
    """What it would settle if chance had this seed, which is never the match's own."""
    try:
        step: Step[Any] = writer.game.submit(writer.state, player.handle, dict(action), writer.time, Draw(seed))
    except Rejected:
        return _settled(writer, writer.state)
    return _settled(writer, step.state)


def _settled(writer: Writer, state: Any) -> dict[str, Any]:
    core = state.core
    tokens = {handle: purse[TOL] for handle, purse in core.purses.items() if purse.get(TOL)}
    return {"candidates": list(core.candidates), "tokens of life": tokens}
