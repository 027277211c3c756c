"""Forecasts: the effect of votes, or of taking them back, from what the player may know."""

from __future__ import annotations

import msgspec

from matches.engine.actions import Action
from matches.games.together_we_survive.actions import VoteA, VoteB, Withdraw
from matches.games.together_we_survive.private_view import SurvivePrivate
from matches.games.together_we_survive.public_view import SurvivePublic


class VotesForecast(msgspec.Struct, frozen=True):
    """The effect of votes. `votes`: how many of their kind; `tokens_left`: after the round has closed; `both`: whether
    there would be votes of both kinds; `garnets`: their price; `replaces`: there were earlier votes of this kind."""

    votes: int
    tokens_left: int
    both: bool
    garnets: int
    replaces: bool


def forecast(public: SurvivePublic, private: SurvivePrivate, action: Action) -> VotesForecast | None:
    """The effect of votes, or of taking them back; None for other actions."""
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
