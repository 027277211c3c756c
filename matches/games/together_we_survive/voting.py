"""Votes while a round is open: what may be submitted, and what it would come to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import msgspec

from matches.engine import sealed
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, NOTHING_TO_WITHDRAW, Rejected
from matches.engine.ledger import GARNET
from matches.engine.sentences import counted, joined
from matches.engine.step import Step, Turn
from matches.games.together_we_survive.actions import VoteA, VoteB, Withdraw
from matches.games.together_we_survive.private_view import VOTES_B, SurvivePrivate, can_do_both
from matches.games.together_we_survive.state import GROUPS, TOKEN, A, B, SurviveState, Votes

NOT_ON_STAGE = "not_on_stage"
NOT_ENOUGH_TOKENS = "not_enough_tokens"
THREE_VOTES = "three_votes"
NOT_IN_GROUP_B = "not_in_group_b"

replace = msgspec.structs.replace
SurviveStep = Step[SurviveState]


def vote_a(state: SurviveState, player: str, action: VoteA, now: timedelta) -> SurviveStep:
    """Votes for players on stage, replacing the earlier ones. Raises `not_positive`, `not_on_stage`,
    `not_enough_tokens`, `not_enough_garnets`."""
    _require_positive(action.votes)
    if not action.votes:
        raise Rejected(NOT_POSITIVE, "Cast at least one vote, or take your votes back instead.", field="votes")
    votes = _for(state.on_stage, action.votes, NOT_ON_STAGE, "On stage are")
    turn = Turn(state.core, now)
    tokens, wanted = turn.balance(player, TOKEN), sum(votes.values())
    if wanted > tokens:
        message = f"Each vote costs a token, and you have {counted(tokens, 'token')}: cast at most so many votes."
        raise Rejected(NOT_ENOUGH_TOKENS, message, field="votes")
    _require_garnets(state, turn, player, player in state.sealed_b)
    turn.touch(player)
    return turn.step(replace(state, sealed_a=sealed.put(state.sealed_a, player, votes, now)))


def vote_b(state: SurviveState, player: str, action: VoteB, now: timedelta) -> SurviveStep:
    """The free votes for group B, replacing the earlier ones. Raises `not_positive`, `three_votes`, `not_in_group_b`,
    `not_enough_garnets`."""
    _require_positive(action.votes)
    if (given := sum(action.votes.values())) != VOTES_B:
        message = f"Cast exactly {VOTES_B} votes for group B, for one player or several; these are {given}."
        raise Rejected(THREE_VOTES, message, field="votes")
    votes = _for(state.group(B), action.votes, NOT_IN_GROUP_B, "In group B are")
    turn = Turn(state.core, now)
    _require_garnets(state, turn, player, player in state.sealed_a)
    turn.touch(player)
    return turn.step(replace(state, sealed_b=sealed.put(state.sealed_b, player, votes, now)))


def withdraw(state: SurviveState, player: str, action: Withdraw, now: timedelta) -> SurviveStep:
    """Take the votes of one kind back. Raises `nothing_to_withdraw`."""
    box = {A: state.sealed_a, B: state.sealed_b}.get(action.kind, {})
    if player not in box:
        message = f"You have no votes of that kind to take back; the kinds are {' and '.join(GROUPS)}."
        raise Rejected(NOTHING_TO_WITHDRAW, message, field="kind")
    turn = Turn(state.core, now)
    turn.touch(player)
    left = sealed.take(box, player)
    return turn.step(replace(state, sealed_a=left) if action.kind == A else replace(state, sealed_b=left))


def _require_positive(votes: Mapping[str, int]) -> None:
    for name, count in votes.items():
        if count < 1:
            message = "Votes are a whole number, 1 or more; leave out whom you do not vote for."
            raise Rejected(NOT_POSITIVE, message, field=f"votes.{name}")


def _for(players: tuple[str, ...], votes: Mapping[str, int], code: str, who: str) -> Votes:
    """The votes in list order. Raises `code` where one is for anybody else."""
    for name in votes:
        if name not in players:
            raise Rejected(code, f"{who} {joined(players)}; vote for some of these.", field=f"votes.{name}")
    return {player: votes[player] for player in players if player in votes}


def _require_garnets(state: SurviveState, turn: Turn, player: str, other_stands: bool) -> None:
    """Having both kinds costs garnets. They are taken when the round closes, and must be there from now on."""
    if other_stands and not can_do_both(state, player):
        price, held = counted(state.config.both_price, "garnet"), turn.balance(player, GARNET)
        message = f"Votes of both kinds cost {price}, and you have {held}: take the other kind back first."
        raise Rejected(NOT_ENOUGH_GARNETS, message)


# -- what it would come to -----------------------------------------------------------------------


class VotesForecast(msgspec.Struct, frozen=True):
    """What a submission would come to. `votes`: in all, of its kind; `tokens_left`: once the round has closed; `both`:
    whether both kinds would stand; `garnets`: what that takes; `replaces`: earlier votes of the kind are gone."""

    votes: int
    tokens_left: int
    both: bool
    garnets: int
    replaces: bool


def forecast(private: SurvivePrivate, action: object) -> VotesForecast | None:
    """What votes, or taking them back, would come to; None for a decision, which says it all."""
    now_a, now_b = private.vote_a, private.vote_b
    spent, has_a, has_b = now_a.count if now_a else 0, now_a is not None, now_b is not None
    match action:
        case VoteA():
            votes = spent = sum(action.votes.values())
            replaces, has_a = has_a, True
        case VoteB():
            votes = sum(action.votes.values())
            replaces, has_b = has_b, True
        case Withdraw(kind="A"):
            votes, replaces, has_a, spent = 0, has_a, False, 0
        case Withdraw():
            votes, replaces, has_b = 0, has_b, False
        case _:
            return None
    both = has_a and has_b
    return VotesForecast(
        votes=votes,
        tokens_left=private.tokens - spent,
        both=both,
        garnets=private.garnets_for_both if both else 0,
        replaces=replaces,
    )
