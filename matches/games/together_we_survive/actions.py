"""What players can do."""

from __future__ import annotations

from matches.engine.actions import Action, GiveTokens, Vote, action_types


class VoteA(Action, frozen=True, tag="vote_a"):
    """This round's votes for players on stage, replacing earlier ones: handle -> votes, a token each."""

    votes: dict[str, int]


class VoteB(Action, frozen=True, tag="vote_b"):
    """This round's three free votes for players of group B, replacing earlier ones: handle -> votes."""

    votes: dict[str, int]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take this round's votes of one kind back: "A" or "B"."""

    kind: str


# The Elimination Candidates are voted for, by a sole winner too, so nobody is ever asked to name one.
ACTIONS = action_types(VoteA, VoteB, Withdraw, Vote, GiveTokens)

SECRET_FOR_EVER = frozenset({"vote_a", "vote_b", "withdraw", "vote"})
"""The types of what stays its player's own after the match: who voted for whom, and who thought better of it."""
