"""Players' actions: votes while a round is open. All raise `Rejected` if a rule is broken."""

from collections.abc import Mapping

from matches.engine import purchases
from matches.engine.actions import Action, GiveTokens, Moves, Vote, action_types
from matches.engine.core import DECISION, GARNET, RUNNING, Phase, put_sealed, replace, take_sealed
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, NOTHING_TO_WITHDRAW, Rejected
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.games.together_we_survive.config import GROUPS, A, B
from matches.games.together_we_survive.state import BOTH, TOKEN, SurviveState, Votes

# -- actions -------------------------------------------------------------------------------------------


class VoteA(Action, frozen=True, tag="vote_a"):
    """The player's votes in this round for players on stage, replacing earlier ones: handle -> votes, a token each."""

    votes: dict[str, int]


class VoteB(Action, frozen=True, tag="vote_b"):
    """The player's three free votes in this round for players of group B, replacing earlier ones: handle -> votes."""

    votes: dict[str, int]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take this round's votes of one kind back: "A" or "B"."""

    kind: str


SECRET_FOR_EVER = frozenset({"vote_a", "vote_b", "withdraw", "vote"})
"""The types of actions that stay secret even after the match: who voted for whom, and who withdrew votes."""


# -- voting --------------------------------------------------------------------------------------------

VOTES_B = 3
"""How many free votes for group B a player has in each round."""

NOT_ON_STAGE = "not_on_stage"
NOT_ENOUGH_TOKENS = "not_enough_tokens"
THREE_VOTES = "three_votes"
NOT_IN_GROUP_B = "not_in_group_b"

REFUSALS = {
    NOT_ON_STAGE: "That player is not on stage.",
    NOT_ENOUGH_TOKENS: "You do not have enough tokens for these votes on stage.",
    THREE_VOTES: f"Cast exactly {VOTES_B} free votes for group B.",
    NOT_IN_GROUP_B: "That player is not in group B.",
}

POSSIBLE: dict[Phase, str] = {
    RUNNING: "A round is open: vote for players on stage or for group B. Nothing else is to be decided yet.",
    DECISION: "The play is over. Only Tokens of Life and the Elimination Candidates are still to be decided.",
}


def vote_a(turn: Turn, state: SurviveState, player: str, action: VoteA) -> SurviveState:
    """Vote for players on stage, replacing earlier votes. Raises `Rejected` (`not_positive`, `not_on_stage`,
    `not_enough_tokens`, `not_enough_garnets`)."""
    _require_positive(action.votes)
    if not action.votes:
        raise Rejected(NOT_POSITIVE, "Cast at least one vote, or take your votes back instead.", field="votes")
    votes = _for(state.on_stage, action.votes, NOT_ON_STAGE, "On stage are")
    tokens, wanted = turn.balance(player, TOKEN), sum(votes.values())
    if wanted > tokens:
        message = f"Each vote costs a token, and you have {counted(tokens, 'token')}: cast at most so many votes."
        if not tokens:
            message = f"Each vote costs a token, and you have none. Your {VOTES_B} votes for group B are free."
        raise Rejected(NOT_ENOUGH_TOKENS, message, field="votes")
    _require_garnets(state, turn, player, player in state.sealed_b)
    turn.touch(player)
    return replace(state, sealed_a=put_sealed(state.sealed_a, player, votes, turn.now))


def vote_b(turn: Turn, state: SurviveState, player: str, action: VoteB) -> SurviveState:
    """Vote for players of group B, replacing earlier votes. Raises `Rejected` (`not_positive`, `three_votes`,
    `not_in_group_b`, `not_enough_garnets`)."""
    _require_positive(action.votes)
    if (given := sum(action.votes.values())) != VOTES_B:
        message = f"Cast exactly {VOTES_B} votes for group B, for one player or several; these are {given}."
        raise Rejected(THREE_VOTES, message, field="votes")
    votes = _for(state.group(B), action.votes, NOT_IN_GROUP_B, "In group B are")
    _require_garnets(state, turn, player, player in state.sealed_a)
    turn.touch(player)
    return replace(state, sealed_b=put_sealed(state.sealed_b, player, votes, turn.now))


def withdraw(turn: Turn, state: SurviveState, player: str, action: Withdraw) -> SurviveState:
    """Withdraw the votes of one kind. Raises `Rejected` (`nothing_to_withdraw`)."""
    box = {A: state.sealed_a, B: state.sealed_b}.get(action.kind, {})
    if player not in box:
        message = f"You have no votes of that kind to take back; the kinds are {' and '.join(GROUPS)}."
        raise Rejected(NOTHING_TO_WITHDRAW, message, field="kind")
    turn.touch(player)
    left = take_sealed(box, player)
    return replace(state, sealed_a=left) if action.kind == A else replace(state, sealed_b=left)


def _require_positive(votes: Mapping[str, int]) -> None:
    for name, count in votes.items():
        if count < 1:
            message = "Votes are a whole number, 1 or more; leave out whom you do not vote for."
            raise Rejected(NOT_POSITIVE, message, field=f"votes.{name}")


def _for(players: tuple[str, ...], votes: Mapping[str, int], code: str, who: str) -> Votes:
    """The votes in list order. Raises `Rejected(code)` if one is for nobody of `players`."""
    for name in votes:
        if name not in players:
            raise Rejected(code, f"{who} {joined(players)}; vote for some of these.", field=f"votes.{name}")
    return {player: votes[player] for player in players if player in votes}


def _require_garnets(state: SurviveState, turn: Turn, player: str, other_stands: bool) -> None:
    """Raise `Rejected` if the player would have votes of both kinds and lacks the garnets, which are due at the
    close."""
    if other_stands and not can_do_both(state, player):
        price, held = counted(state.config.both_price, "garnet"), turn.balance(player, GARNET)
        message = f"Votes of both kinds cost {price}, and you have {held}: take the other kind back first."
        raise Rejected(NOT_ENOUGH_GARNETS, message)


def can_do_both(state: SurviveState, player: str) -> bool:
    """Whether the player can have votes of both kinds: has them already, or can pay the garnets."""
    return state.kind_of(player) == BOTH or purchases.can_pay(state.core, player, state.config.both_price)


MOVES: Moves = {VoteA: vote_a, VoteB: vote_b, Withdraw: withdraw}

# Even a single winner votes for Elimination Candidates, so there is no action to name one.
ACTIONS = action_types(*MOVES, Vote, GiveTokens)
