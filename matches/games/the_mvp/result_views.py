"""The result as viewers see it, and what becomes public with it."""

import msgspec

from matches.engine.views import Score
from matches.games.the_mvp.cards import PLACES, Combination
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.rounds import Standings, standings, tokens_each, winners_of
from matches.games.the_mvp.state import MvpState


class ScoredCard(msgspec.Struct, frozen=True):
    """A card in a combination. `controller` gets its `points`; nobody does if it is None."""

    place: str
    card: str
    controller: str | None
    points: int


class CombinationView(msgspec.Struct, frozen=True):
    """A `set` or `run` of a team, with its cards in place order. `points` in total, `each` for every card."""

    kind: str
    team: str
    cards: tuple[ScoredCard, ...]
    each: int
    points: int


class RankView(msgspec.Struct, frozen=True):
    """A player's result. `controlled`: the places of the cards that the player controls; `garnets`: earned by the
    team's points."""

    handle: str
    team: str
    score: int
    controlled: tuple[str, ...]
    garnets: int
    won: bool


class ResultView(msgspec.Struct, frozen=True):
    """The result, from the end of the play.

    `team`: the team with the most points, None in a tie. `scores`: the teams' points. `tokens`: Tokens of Life for each
    winner; `nullified`: there would have been too many, so nobody got one. `ranks`: the winning team first, most points
    first. `controllers`: claimed places only, in place order.
    """

    team: str | None
    scores: dict[str, int]
    tokens: int
    nullified: bool
    ranks: tuple[RankView, ...]
    combinations: tuple[CombinationView, ...]
    controllers: dict[str, str | None]


def result_view(state: MvpState) -> ResultView:
    """The result. Call it only after the play, because it says who controls what."""
    table = standings(state)
    winners = winners_of(state, table)
    tokens = tokens_each(winners)
    return ResultView(
        team=None if table.tied else table.best_teams[0],
        scores=table.teams,
        tokens=tokens,
        nullified=not tokens,
        ranks=_ranks(state, table, winners),
        combinations=tuple(_combination(state, table, team, each) for team in TEAMS for each in table.made[team]),
        controllers=table.controllers,
    )


def _ranks(state: MvpState, table: Standings, winners: tuple[str, ...]) -> tuple[RankView, ...]:
    ranks = [
        RankView(
            handle=player,
            team=team,
            score=table.scores[player],
            controlled=tuple(place for place, controller in table.controllers.items() if controller == player),
            garnets=table.teams[team] // state.config.points_per_garnet,
            won=player in winners,
        )
        for player, team in state.team_of.items()
    ]
    return tuple(sorted(ranks, key=lambda each: (-table.teams[each.team], -each.score)))


def _combination(state: MvpState, table: Standings, team: str, made: Combination) -> CombinationView:
    cards = tuple(
        ScoredCard(place, state.deck[place], table.controllers[place], made.each) for place in _places(state, made)
    )
    return CombinationView(made.kind, team, cards, made.each, made.points)


def _places(state: MvpState, made: Combination) -> tuple[str, ...]:
    """The places of a combination's cards, in place order."""
    return tuple(place for place in PLACES if state.deck[place] in made.cards)


def score(state: MvpState) -> Score:
    """Everybody's score, and the details of a finished match."""
    table = standings(state)
    return Score(
        scores=dict(table.scores),
        details={
            "teams": {team: _team_details(state, table, team) for team in TEAMS},
            "controllers": dict(table.controllers),
            "rounds": len(state.closed),
        },
    )


def _team_details(state: MvpState, table: Standings, team: str) -> dict[str, object]:
    return {
        "score": table.teams[team],
        "cards": [state.deck[place] for place in state.claimed_by(team)],
        "combinations": [
            {"kind": made.kind, "cards": [state.deck[place] for place in _places(state, made)], "points": made.points}
            for made in table.made[team]
        ],
    }
