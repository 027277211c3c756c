"""After the play: the points, the winners, the garnets, and the Elimination Candidate."""

from __future__ import annotations

import msgspec

from matches.engine import decisions
from matches.engine.core import without_immune
from matches.engine.draw import Draw
from matches.engine.ledger import GARNET, TOL
from matches.engine.polls import voting
from matches.engine.step import Turn
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.scoring import Combination, combinations
from matches.games.the_mvp.state import MvpState

TOKENS_OF_SOLE_WINNER = 2
TOO_MANY_TOKENS = 4


class Standings(msgspec.Struct, frozen=True):
    """The points of the claimed cards, for teams and players, in list order."""

    teams: dict[str, int]
    made: dict[str, tuple[Combination, ...]]
    scores: dict[str, int]
    controllers: dict[str, str | None]

    @property
    def tied(self) -> bool:
        """Whether the teams have equally many points."""
        return len(set(self.teams.values())) == 1

    @property
    def best_teams(self) -> tuple[str, ...]:
        """The team with most points, or both."""
        most = max(self.teams.values())
        return tuple(team for team, points in self.teams.items() if points == most)


def standings(state: MvpState) -> Standings:
    """The points of the claimed cards. `controllers`: place -> player, in place order."""
    held = {team: state.claimed_by(team) for team in TEAMS}
    made = {team: combinations(frozenset(state.deck[place] for place in places)) for team, places in held.items()}
    controllers = {place: claim.controller for place, claim in sorted(state.claims.items())}
    by_card = {state.deck[place]: player for place, player in controllers.items()}
    scores = dict.fromkeys(state.core.handles, 0)
    for each in (each for team in TEAMS for each in made[team]):
        for card in each.cards:
            controller = by_card[card]
            if controller is not None:
                scores[controller] += each.each
    teams = {team: sum(each.points for each in made[team]) for team in TEAMS}
    return Standings(teams, made, scores, controllers)


def winners_of(state: MvpState, table: Standings) -> tuple[str, ...]:
    """The players with the most points of their own in the best team, or among all if the teams are tied."""
    team_of = state.team_of
    among = [player for player in state.core.handles if team_of[player] in table.best_teams]
    most = max(table.scores[player] for player in among)
    return tuple(player for player in among if table.scores[player] == most)


def tokens_each(winners: tuple[str, ...]) -> int:
    """How many Tokens of Life each winner gets; 0 if there would be too many."""
    each = TOKENS_OF_SOLE_WINNER if len(winners) == 1 else 1
    return each if each * len(winners) < TOO_MANY_TOKENS else 0


def conclude(turn: Turn, state: MvpState, draw: Draw) -> None:
    """End the play: find the winners, pay tokens and garnets, open the decisions (or finish at once)."""
    table = standings(state)
    winners = winners_of(state, table)
    tokens = tokens_each(winners)
    turn.announce("play_over", how=state.ending, scores=table.teams)
    turn.announce(
        "match_won",
        players=list(winners),
        score=table.scores[winners[0]],
        team=None if table.tied else table.best_teams[0],
        tokens=tokens,
    )
    turn.winners = winners
    for player in winners:
        turn.earn(player, TOL, tokens, "winner_token")
    for player, team in state.team_of.items():
        earned = table.teams[team] // state.config.points_per_garnet
        turn.earn(player, GARNET, earned, "team_points")
        if earned:
            turn.tell(player, "garnets_earned", garnets=earned, points=table.teams[team])
    poll = voting(winners, candidates(turn, state, table))
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time)


def candidates(turn: Turn, state: MvpState, table: Standings) -> tuple[str, ...]:
    """The possible ECs by the rule: the fewest points of their own in the losing team, or among all in a tie."""
    team_of = state.team_of
    among = tuple(player for player in turn.handles if table.tied or team_of[player] not in table.best_teams)
    mortal = without_immune(turn.purses, among)
    fewest = min(table.scores[player] for player in mortal)
    return tuple(player for player in mortal if table.scores[player] == fewest)
