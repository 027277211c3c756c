"""The private view: what one player may know beyond the public board; and the effect of votes."""

from datetime import timedelta

import msgspec

from matches.engine.actions import Action
from matches.engine.core import GARNET, PRIORITY, RUNNING, Sealed, balance, balances
from matches.engine.match_time import seconds
from matches.engine.sentences import counted, joined
from matches.engine.views import Ask, MatchTime, PrivateView, private_fields
from matches.games.together_we_survive.config import A, B
from matches.games.together_we_survive.public_view import SurvivePublic
from matches.games.together_we_survive.state import BOTH, TOKEN, SurviveState, Votes
from matches.games.together_we_survive.voting import VOTES_B, VoteA, VoteB, Withdraw, can_do_both

# -- private view --------------------------------------------------------------------------------------


class OwnVotes(msgspec.Struct, frozen=True):
    """The player's votes of one kind. `votes`: handle -> votes, in list order; `at`: when they were submitted."""

    votes: dict[str, int]
    at: MatchTime

    @property
    def count(self) -> int:
        """The number of votes."""
        return sum(self.votes.values())


class OwnRound(msgspec.Struct, frozen=True):
    """What the player did in a round that is over.

    `kind`: the part that everyone sees. `vote_a`, `vote_b`: None without such votes. `spent`: tokens; `paid`: garnets.
    """

    round: int
    kind: str
    vote_a: OwnVotes | None
    vote_b: OwnVotes | None
    spent: int
    paid: int


class SurvivePrivate(PrivateView, frozen=True, kw_only=True):
    """The player's purse and votes.

    `group`: `A` or `B`. `on_stage`: None in group B. `tokens`: before this round's votes are paid; `tokens_left`: after
    that. `vote_a`, `vote_b`: the votes of this round, or None. `may_vote`: whether a round is open. `garnets_due`: to
    pay when this round closes, if there are votes of both kinds. `garnets_for_both`: the price of both kinds;
    `can_do_both`: the player can pay it, or already has both kinds. `past`: what the player did in earlier rounds, in
    order.
    """

    group: str
    on_stage: bool | None
    tokens: int
    tokens_left: int
    garnets: int
    priority: int
    vote_a: OwnVotes | None
    vote_b: OwnVotes | None
    may_vote: bool
    garnets_due: int
    garnets_for_both: int
    can_do_both: bool
    past: tuple[OwnRound, ...]

    @property
    def gave_last(self) -> dict[str, int]:
        """Handle -> the player's votes of both kinds in the round that closed last."""
        last = self.past[-1] if self.past else None
        kinds = (last.vote_a, last.vote_b) if last else ()
        return {handle: count for own in kinds if own for handle, count in own.votes.items()}


def private_view(state: SurviveState, player: str, now: timedelta | None = None) -> SurvivePrivate:
    """The private view of a player."""
    core, config = state.core, state.config
    vote_a, vote_b = _own(state.sealed_a.get(player)), _own(state.sealed_b.get(player))
    tokens = balance(core.purses, player, TOKEN)
    return SurvivePrivate(
        **private_fields(core, player, _asked(state, player, tokens), _if_idle(state, vote_a, vote_b), now),
        group=A if player in state.group(A) else B,
        on_stage=player in state.on_stage if player in state.group(A) else None,
        tokens=tokens,
        tokens_left=tokens - (vote_a.count if vote_a else 0),
        **balances(core.purses, player, garnets=GARNET, priority=PRIORITY),
        vote_a=vote_a,
        vote_b=vote_b,
        may_vote=core.phase == RUNNING,
        garnets_due=config.both_price if vote_a and vote_b else 0,
        garnets_for_both=config.both_price,
        can_do_both=can_do_both(state, player),
        past=_past(state, player),
    )


def _own(box: Sealed[Votes] | None) -> OwnVotes | None:
    return None if box is None else OwnVotes(box.value, seconds(box.at))


def _past(state: SurviveState, player: str) -> tuple[OwnRound, ...]:
    found = []
    for number, each in enumerate(state.closed, 1):
        vote_a, vote_b = _own(each.sealed_a.get(player)), _own(each.sealed_b.get(player))
        kind = each.kinds[player]
        found.append(
            OwnRound(
                round=number,
                kind=kind,
                vote_a=vote_a,
                vote_b=vote_b,
                spent=vote_a.count if vote_a else 0,
                paid=state.config.both_price if kind == BOTH else 0,
            )
        )
    return tuple(found)


# -- what is asked, and what happens if the player does nothing ----------------------------------


def _asked(state: SurviveState, player: str, tokens: int) -> tuple[Ask, ...]:
    """Ask for votes of both kinds until there are votes of one kind in this round, and then for the other kind only if
    having both costs nothing."""
    config, sent = state.config, [kind for kind in (state.sealed_a, state.sealed_b) if player in kind]
    if state.core.phase != RUNNING or (sent and config.both_price):
        return ()
    until, asks = seconds(config.closes_at(state.round)), []
    if tokens and player not in state.sealed_a:
        paid = f"You can vote for players on stage in round {state.round}, for a token a vote."
        asks.append(Ask("vote_a", paid, until, state.on_stage))
    if player not in state.sealed_b:
        free = f"You can give your {VOTES_B} free votes of round {state.round} to players of group B."
        asks.append(Ask("vote_b", free, until, state.group(B), VOTES_B))
    return tuple(asks)


def _if_idle(state: SurviveState, vote_a: OwnVotes | None, vote_b: OwnVotes | None) -> str:
    """What happens if the player does nothing more, using only what the player may know."""
    if state.core.phase != RUNNING:
        return ""
    if vote_a is None and vote_b is None:
        return "If you do nothing, you vote for nobody in this round and keep your tokens."
    # Not for whom, because this text cannot have names, only handles. The page shows the votes above it.
    cost, parts = [], []
    if vote_a:
        parts.append(f"your {counted(vote_a.count, 'vote')} on stage")
        cost.append(counted(vote_a.count, "token"))
    if vote_b:
        parts.append(f"your {counted(vote_b.count, 'vote')} for group B")
    if vote_a and vote_b and state.config.both_price:
        cost.append(counted(state.config.both_price, "garnet"))
    count = "counts" if not vote_b and vote_a and vote_a.count == 1 else "count"
    price = f", and you pay {joined(cost)}" if cost else ""
    return f"If you do nothing more, {joined(parts)} {count} when the round closes{price}."


# -- forecast ------------------------------------------------------------------------------------------


class VotesForecast(msgspec.Struct, frozen=True):
    """The effect of votes. `votes`: how many of their kind; `tokens_left`: after the round has closed; `both`: there
    would be votes of both kinds; `garnets`: the price of both; `replaces`: there were earlier votes of this kind."""

    votes: int
    tokens_left: int
    both: bool
    garnets: int
    replaces: bool


def forecast(public: SurvivePublic, private: SurvivePrivate, action: Action) -> VotesForecast | None:
    """The effect of voting or of withdrawing votes; None for other actions."""
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
