"""Closing rounds, and the end of the play: the winners and losers of each group, their tokens and garnets."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from matches.engine import decisions
from matches.engine.core import GARNET, TOL, Gift, Sealed, replace, with_least, without_immune
from matches.engine.draw import Draw
from matches.engine.polls import voting
from matches.engine.step import Turn
from matches.games.together_we_survive.config import GROUPS, A, B
from matches.games.together_we_survive.state import BOTH, NEITHER, TOKEN, ClosedRound, SurviveState, Votes

# -- result --------------------------------------------------------------------------------------------

MOST_TOKENS_OF_LIFE = 3
"""The most Tokens of Life that a single winner gets."""


class Ranking(msgspec.Struct, frozen=True):
    """The winners and losers of a group, in list order. If all are equal, everybody is both.

    `others`: everybody who is not a loser, including winners.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    others: tuple[str, ...]

    def is_mass_win(self, many: int) -> bool:
        """Whether there are `many` winners or more, so that nobody gets a Token of Life."""
        return len(self.winners) >= many

    def tokens_of_life(self, many: int) -> dict[str, int]:
        """Winner -> Tokens of Life won; empty if there are `many` winners or more."""
        if self.is_mass_win(many):
            return {}
        if len(self.winners) == 1:
            return {self.winners[0]: min(len(self.others), MOST_TOKENS_OF_LIFE)}
        return dict.fromkeys(self.winners, 1)


def ranking(state: SurviveState, group: str) -> Ranking:
    """The winners and losers of a group after the play.

    A: those who left the stage in the last round won, and those who left in the round before it lost. B: those with the
    most tokens won, and those with the fewest lost.
    """
    if group == A:
        left = state.left
        last = len(state.closed)
        return _ranked({player: left[player] for player in state.group(A)}, last, max(last - 1, 1))
    tokens = state.final_tokens
    return _ranked(tokens, max(tokens.values()), min(tokens.values()))


def _ranked(scores: dict[str, int], best: int, worst: int) -> Ranking:
    return Ranking(
        winners=tuple(player for player, score in scores.items() if score == best),
        losers=tuple(player for player, score in scores.items() if score == worst),
        others=tuple(player for player, score in scores.items() if score != worst),
    )


def garnets_earned(state: SurviveState, group: str) -> dict[str, int]:
    """Player of a group -> garnets earned: A, one for each full round on stage; B, one for each
    `tokens_per_garnet`."""
    if group == A:
        return {player: state.left[player] - 1 for player in state.group(A)}
    return {player: tokens // state.config.tokens_per_garnet for player, tokens in state.final_tokens.items()}


def conclude(turn: Turn, state: SurviveState, draw: Draw) -> SurviveState:
    """End the play: rank both groups, pay tokens and garnets, and open the voting and the secret gifts."""
    tokens = {player: turn.balance(player, TOKEN) for player in state.group(B)}
    state = replace(state, final_tokens=tokens)
    rankings = {group: ranking(state, group) for group in GROUPS}
    turn.winners = tuple(player for found in rankings.values() for player in found.winners)
    for group, found in rankings.items():
        _pay(turn, state, group, found)
    # Each winner votes for one of the group's losers; immune losers are left out unless all are immune.
    polls = tuple(
        voting(found.winners, without_immune(turn.purses, found.losers), key=group) for group, found in rankings.items()
    )
    gifts = tuple(gift for found in rankings.values() for gift in _gifts(state, found))
    decisions.begin(turn, draw, polls=polls, window=state.config.decision_time, secret_gifts=gifts)
    return state


def _pay(turn: Turn, state: SurviveState, group: str, found: Ranking) -> None:
    tokens = found.tokens_of_life(state.config.mass_win)
    for player, count in tokens.items():
        turn.earn(player, TOL, count, "winner_token")
    turn.announce(
        "group_decided",
        group=group,
        winners=list(found.winners),
        losers=list(found.losers),
        tokens=next(iter(tokens.values()), 0),
    )
    for player, garnets in garnets_earned(state, group).items():
        turn.earn(player, GARNET, garnets, "stage_rounds" if group == A else "tokens_held")
        if garnets:
            turn.tell(player, "garnets_earned", garnets=garnets)


def _gifts(state: SurviveState, found: Ranking) -> tuple[Gift, ...]:
    """The gifts of a single winner, who keeps one token and gives the others to players who are not losers."""
    return tuple(
        Gift(giver, count - 1, eligible=tuple(player for player in found.others if player != giver))
        for giver, count in found.tokens_of_life(state.config.mass_win).items()
        if count > 1
    )


# -- rounds --------------------------------------------------------------------------------------------


def received(players: Iterable[str], sealed: dict[str, Sealed[Votes]]) -> Votes:
    """How many votes each of the players received, with zeros, in their order."""
    counts: Counter[str] = Counter()
    for box in sealed.values():
        counts.update(box.value)
    return {player: counts[player] for player in players}


def gains(votes: Votes) -> Votes:
    """Player -> tokens for votes received: one per vote, but none for those with the most votes."""
    most = max(votes.values())
    return {player: 0 if count == most else count for player, count in votes.items()}


def close(turn: Turn, state: SurviveState) -> SurviveState:
    """Close the open round at `turn.now`, and with it the next round if only one player is left on stage."""
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
        kicked_out=with_least(votes_a, votes_a.__getitem__),
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
    """Charge the tokens for votes on stage, and the garnets for both kinds, and tell the player privately."""
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
    """Close a round in which only one player is on stage, without votes or gains."""
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
