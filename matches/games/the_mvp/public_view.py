"""The public view and the result. The pattern and the teams are in `board_views`."""

from datetime import timedelta

import msgspec

from matches.engine.core import RUNNING
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import round_fields
from matches.engine.views import MatchTime, PublicView, Score, WhoLeads, public_fields, settings_shown, tokens_of_life
from matches.games.the_mvp.board_views import PlaceView, TeamView, places_view, teams_view
from matches.games.the_mvp.cards import CARDS, PLACES, Combination
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.rounds import Standings, standings, tokens_each, winners_of
from matches.games.the_mvp.state import MvpState

# -- the result ----------------------------------------------------------------------------------------


class ScoredCard(msgspec.Struct, frozen=True):
    """A card in a combination. `controller` gets its `points`; if it is None, nobody does."""

    place: str
    card: str
    controller: str | None
    points: int


class CombinationView(msgspec.Struct, frozen=True):
    """A `set` or `run` of a team, with its cards in place order. `points`: in total; `each`: for every card."""

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
    winner; `nullified`: nobody got any, because there would have been too many. `ranks`: the winning team first, and
    within a team by points. `controllers`: place -> player, for claimed places, in place order.
    """

    team: str | None
    scores: dict[str, int]
    tokens: int
    nullified: bool
    ranks: tuple[RankView, ...]
    combinations: tuple[CombinationView, ...]
    controllers: dict[str, str | None]


def result_view(state: MvpState) -> ResultView:
    """The result. Only for after the play, because it reveals who controls which cards."""
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
    """The scores and details of a finished match."""
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


# -- the public view -----------------------------------------------------------------------------------


class MarkView(msgspec.Struct, frozen=True):
    """A card that a team claimed or flagged at the close of a round, with the team's total on it."""

    place: str
    card: str
    team: str
    total: int


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over. `claimed`, `flagged`: at its close, in place order; `shown`: the places whose cards then
    came face up."""

    round: int
    closed_at: MatchTime
    claimed: tuple[MarkView, ...]
    flagged: tuple[MarkView, ...]
    shown: tuple[str, ...]


class MvpPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Times are match times.

    `round`: the open round or, after the play, the last one, counted from 1. `opens_at`, `closes_at`: of the open
    round, else None. `places`: all 24, A to X. `teams`: red, then green. `history`: the rounds that are over, in order.
    `ending`: why the play is over (`all_claimed`, `standstill`, `last_round`), empty while it goes on. Prices are in
    garnets. `tokens_of_life`: player -> Tokens of Life held now. `result`: None until the play is over.
    """

    round: int
    max_rounds: int
    opens_at: MatchTime | None
    closes_at: MatchTime | None
    places: tuple[PlaceView, ...]
    teams: tuple[TeamView, ...]
    history: tuple[RoundView, ...]
    ending: str
    chips: int
    chip_price: int
    identity_price: int
    location_price: int
    points_per_garnet: int
    tokens_of_life: dict[str, int]
    result: ResultView | None

    @property
    def is_last(self) -> bool:
        """Whether no round can follow this one."""
        return self.round == self.max_rounds

    @property
    def reaching(self) -> tuple[TeamView, ...]:
        """Both teams with what they can still make: in the last round each can claim only the cards that it flags."""
        if not self.is_last or self.closes_at is None:
            return self.teams
        flagged = {team.team: {place.card for place in self.places if place.flag == team.team} for team in self.teams}
        return tuple(team.with_free(frozenset(flagged[team.team])) for team in self.teams)

    @property
    def open_places(self) -> tuple[PlaceView, ...]:
        """The places that can be bid on now, in order: with face-up cards, in the last round only exposed ones."""
        if self.closes_at is None:
            return ()
        return tuple(
            place for place in self.places if place.state == "exposed" or (place.state == "nearly" and not self.is_last)
        )

    @property
    def add_fields(self) -> tuple[str, ...]:
        """The form's field names for the bids that can be made now; a form with others comes from an older page."""
        return tuple(f"adds[{place.place}]" for place in self.open_places)

    @property
    def left(self) -> tuple[PlaceView, ...]:
        """The places whose cards nobody has claimed."""
        return tuple(place for place in self.places if place.state != "claimed")

    @property
    def hidden(self) -> tuple[PlaceView, ...]:
        """The places with face-down cards."""
        return tuple(place for place in self.places if place.state == "hidden")

    @property
    def unseen_cards(self) -> tuple[str, ...]:
        """The cards that are face down, suit by suit."""
        seen = {place.card for place in self.places}
        return tuple(card for card in CARDS if card not in seen)

    @property
    def who_leads(self) -> WhoLeads:
        """The players of the team with more points. Their own points are secret until the end."""
        first, second = sorted(self.teams, key=lambda team: team.score, reverse=True)
        own = {rank.handle: str(rank.score) for rank in self.result.ranks} if self.result else {}
        if first.score == second.score:
            return WhoLeads((), f"The teams are tied, {first.score} to {second.score}", own)
        return WhoLeads(first.players, f"{first.team} is ahead, {first.score} to {second.score}", own)


def public_view(state: MvpState, next_deadline: timedelta | None) -> MvpPublic:
    """The public view of a match."""
    core, config = state.core, state.config
    return MvpPublic(
        **public_fields(core, next_deadline),
        **round_fields(core, config, state.round),
        **settings_shown(
            config, "max_rounds", "chips", "chip_price", "identity_price", "location_price", "points_per_garnet"
        ),
        places=places_view(state),
        teams=teams_view(state),
        history=_history(state),
        ending=state.ending,
        tokens_of_life=tokens_of_life(core),
        result=None if core.phase == RUNNING else result_view(state),
    )


def _history(state: MvpState) -> tuple[RoundView, ...]:
    rounds = []
    for number, closed in enumerate(state.closed, 1):
        claims = [(place, state.claims[place]) for place in closed.claimed]
        rounds.append(
            RoundView(
                round=number,
                closed_at=seconds(state.config.closes_at(number)),
                claimed=tuple(MarkView(place, state.deck[place], claim.team, claim.total) for place, claim in claims),
                flagged=tuple(
                    MarkView(each.place, state.deck[each.place], each.team, each.total) for each in closed.flagged
                ),
                shown=closed.shown,
            )
        )
    return tuple(rounds)
