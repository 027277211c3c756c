"""Closing a round: who leaves the stage, and how many tokens group B gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from matches.engine.ledger import GARNET
from matches.engine.sealed import Sealed
from matches.engine.step import Turn
from matches.games.together_we_survive.groups import B
from matches.games.together_we_survive.state import BOTH, NEITHER, TOKEN, ClosedRound, SurviveState, Votes

replace = msgspec.structs.replace


def received(players: Iterable[str], sealed: dict[str, Sealed[Votes]]) -> Votes:
    """How many votes each of the players got, with zeros, in their order."""
    counts: Counter[str] = Counter()
    for box in sealed.values():
        counts.update(box.value)
    return {player: counts[player] for player in players}


def fewest(votes: Votes) -> tuple[str, ...]:
    """All players with the fewest votes."""
    least = min(votes.values())
    return tuple(player for player, count in votes.items() if count == least)


def gains(votes: Votes) -> Votes:
    """The tokens that votes bring: one per vote, but none for those with the most votes."""
    most = max(votes.values())
    return {player: 0 if count == most else count for player, count in votes.items()}


def close(turn: Turn, state: SurviveState) -> SurviveState:
    """Close the open round at `turn.now`; if one player alone is left on stage, the next round closes with it."""
    turn.touch_all()
    state = _close_voted(turn, state)
    if len(state.on_stage) == 1:
        state = _close_automatic(turn, state)
    if state.on_stage:
        turn.announce("round_opened", round=len(state.closed) + 1, on_stage=list(state.on_stage))
    return state


def _close_voted(turn: Turn, state: SurviveState) -> SurviveState:
    votes_a = received(state.on_stage, state.sealed_a)
    votes_b = received(state.group(B), state.sealed_b)
    closed = ClosedRound(
        votes_a=votes_a,
        kicked_out=fewest(votes_a),
        votes_b=votes_b,
        gained=gains(votes_b),
        kinds={player: state.kind_of(player) for player in turn.handles},
        sealed_a=state.sealed_a,
        sealed_b=state.sealed_b,
    )
    for player, kind in closed.kinds.items():
        _charge(turn, state, player, kind)
    _tell(turn, state, closed)
    for player, tokens in closed.gained.items():
        turn.earn(player, TOKEN, tokens, "votes_received")
    return replace(state, sealed_a={}, sealed_b={}, closed=(*state.closed, closed))


def _charge(turn: Turn, state: SurviveState, player: str, kind: str) -> None:
    """Take the tokens for votes on stage, and the garnets for both kinds; tell the player privately."""
    if kind == NEITHER:
        return
    box = state.sealed_a.get(player)
    tokens = sum(box.value.values()) if box else 0
    garnets = state.config.both_price if kind == BOTH else 0
    turn.pay(player, TOKEN, tokens, "votes_cast")
    turn.pay(player, GARNET, garnets, "both_kinds")
    turn.tell(player, "votes_counted", round=state.round, kind=kind, tokens=tokens, garnets=garnets)


def _tell(turn: Turn, state: SurviveState, closed: ClosedRound) -> None:
    turn.announce(
        "kicked_out",
        round=len(state.closed) + 1,
        players=list(closed.kicked_out),
        votes=min(closed.votes_a.values()),
        automatic=closed.automatic,
    )
    if closed.automatic:
        return
    most = max(closed.votes_b.values())
    turn.announce(
        "votes_shared",
        round=len(state.closed) + 1,
        gained={player: tokens for player, tokens in closed.gained.items() if tokens},
        most=[player for player, votes in closed.votes_b.items() if votes == most] if most else [],
        votes=most,
    )


def _close_automatic(turn: Turn, state: SurviveState) -> SurviveState:
    """Only one player is on stage: the next round closes as it opens, without votes, and nobody gains anything."""
    last = state.on_stage
    nothing = dict.fromkeys(state.group(B), 0)
    closed = ClosedRound(
        votes_a=dict.fromkeys(last, 0),
        kicked_out=last,
        votes_b=nothing,
        gained=dict(nothing),
        kinds=dict.fromkeys(turn.handles, NEITHER),
        automatic=True,
    )
    _tell(turn, state, closed)
    return replace(state, closed=(*state.closed, closed))
