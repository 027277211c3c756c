"""One poll and one gift of the decisions after the play: how they are opened, answered and resolved."""

from collections import Counter

from matches.engine.core import DECISION, TOL, Core, Gift, Poll, balance, replace
from matches.engine.draw import Draw
from matches.engine.errors import NOT_ELIGIBLE, Rejected
from matches.engine.sentences import joined

# -- polls -----------------------------------------------------------------------------------------
# All functions take a `Poll` and return one; `decisions` tells the players and opens what comes next.

ACTION = {"name": "name_candidate", "vote": "vote"}
"""A poll's kind -> the type of the action that answers it."""


def naming(deciders: tuple[str, ...], options: tuple[str, ...], key: str = "candidate") -> Poll:
    """A poll in which one decider (or nobody) names the candidate from the options."""
    if len(deciders) > 1:
        raise ValueError("several deciders vote; one alone names")
    return Poll(key, "name", deciders, options)


def voting(deciders: tuple[str, ...], options: tuple[str, ...], key: str = "candidate") -> Poll:
    """A poll in which each decider votes privately; the most votes decide, and ties are drawn."""
    return Poll(key, "vote", deciders, options)


def awaits(poll: Poll, player: str) -> bool:
    """Whether the poll waits for this player's answer."""
    return poll.result is None and player in poll.deciders and player not in poll.answers


def answered(poll: Poll, player: str, choice: str) -> Poll:
    """The poll with a decider's answer. Raises `Rejected` (`not_eligible`)."""
    if choice not in poll.options:
        message = f"{choice[:40]} does not fit. You may choose {joined(poll.options, 'or')}."
        raise Rejected(NOT_ELIGIBLE, message, field="player")
    return replace(poll, answers={**poll.answers, player: choice})


def with_missing_drawn(poll: Poll, draw: Draw) -> Poll:
    """The poll with an answer drawn separately for each decider who gave none.

    The purpose of each draw is a number, not a name. The seed is published after the match: if names were used, anybody
    could compute what would have been drawn for each player and, with the published counts, who voted for whom.
    """
    missing = tuple(player for player in poll.deciders if awaits(poll, player))
    named = poll.kind == "name"
    drawn = {
        player: draw.choice(f"{poll.key}:for:{player if named else place}", poll.options)
        for place, player in enumerate(missing, 1)
    }
    return replace(poll, answers={**poll.answers, **drawn}, drawn=(*poll.drawn, *missing))


def resolved(poll: Poll, draw: Draw) -> Poll:
    """The poll with its result, if it can have one now."""
    if len(poll.options) == 1:
        return replace(poll, result=poll.options[0], how="only_one")
    if not poll.deciders:
        return replace(poll, result=draw.choice(poll.key, poll.options), how="drawn")
    if len(poll.answers) < len(poll.deciders):
        return poll
    if poll.kind == "name":
        drawn = bool(poll.drawn)
        return replace(poll, result=poll.answers[poll.deciders[0]], how="drawn" if drawn else "named")
    votes = counts(poll)
    most = max(votes.values())
    tied = tuple(option for option in poll.options if votes.get(option) == most)
    if len(tied) == 1:
        return replace(poll, result=tied[0], how="voted")
    return replace(poll, result=draw.choice(f"{poll.key}:tie", tied), how="drawn")


def counts(poll: Poll) -> dict[str, int]:
    """How many votes each option got, in the order of the options; options without votes are left out."""
    votes = Counter(poll.answers.values())
    return {option: votes[option] for option in poll.options if votes[option]}


# -- gifts -----------------------------------------------------------------------------------------


def promised(core: Core, player: str) -> int:
    """How many Tokens of Life the player must still give away, in public or in secret."""
    decisions = core.decisions
    if decisions is None or core.phase != DECISION:
        return 0
    made = decisions.secret_gifts  # these move only when everything is decided, so those already made count too
    return sum(gift.count for gift in decisions.gifts if gift.giver == player and (made or gift.to is None))


def eligible_now(core: Core, gift: Gift) -> tuple[str, ...]:
    """The players who may get one of these tokens, in list order: those whom the game allows, otherwise those who hold
    no token and are not the EC."""
    if gift.eligible is not None:
        return gift.eligible
    return tuple(
        handle for handle in core.handles if not balance(core.purses, handle, TOL) and handle not in core.candidates
    )
