"""What players can do."""

from __future__ import annotations

from matches.engine.actions import Action, GiveTokens, Vote, action_types


class VoteA(Action, frozen=True, tag="vote_a"):
    """The player's votes in this round for players on stage, replacing earlier ones: handle -> votes, a token each."""

    votes: dict[str, int]


class VoteB(Action, frozen=True, tag="vote_b"):
    """The player's three free votes in this round for players of group B, replacing earlier ones: handle -> votes."""

    votes: dict[str, int]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take this round's votes of one kind back: "A" or "B"."""

    kind: str


# The Elimination Candidates are elected, even by a single winner, so nobody is ever asked to name one.
ACTIONS = action_types(VoteA, VoteB, Withdraw, Vote, GiveTokens)

SECRET_FOR_EVER = frozenset({"vote_a", "vote_b", "withdraw", "vote"})
"""The types of actions that stay secret after the match: who voted for whom, and who took votes back."""
