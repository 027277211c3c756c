"""The match type of The MVP, which implements `matches.engine.game.Game`."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from matches.engine.core import RUNNING, replace
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes, in_teams
from matches.engine.step import Step, Turn
from matches.engine.views import Progress
from matches.games.the_mvp import bidding, bots, private_view, prospects, public_view, rounds, story
from matches.games.the_mvp.cards import CARDS, PLACES
from matches.games.the_mvp.config import PLAYERS, TEAM_SIZE, TEAMS, Config
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic
from matches.games.the_mvp.state import CHIP, MvpState


class TheMvp(Game[Config, MvpState, MvpPublic, MvpPrivate]):
    """The MVP: two teams bid for cards that cover each other, and the most useful player of the winning team wins."""

    slug = "the_mvp"
    title = "The MVP"
    summary = (
        "Two teams of three bid secretly for 24 overlapping cards. In the higher-scoring team, whoever controls the "
        "most points wins."
    )
    designers = ("chaotic_iak",)
    sizes = Sizes(least=PLAYERS, most=PLAYERS, usual=(PLAYERS, PLAYERS), of_team=TEAM_SIZE)
    first_settings = ("chips", "max_rounds", "points_per_garnet", "first_round", "round")
    teams = TEAMS
    assets = (CHIP,)
    presets = {
        "Two weeks, a round a day": {},
        "One evening, ten minutes a round": {"first_round": "20m", "round": "10m", "decision_time": "10m"},
    }
    endurance = {"chips": 1_000_000, "first_round": "365d", "garnet_credit": True}
    demo_match_numbers = {"decision": 4}  # most of those who are asked have decided by then
    sealed_in = RUNNING
    actions = bidding.ACTIONS
    moves = bidding.MOVES
    possible = bidding.POSSIBLE
    refusals = bidding.REFUSALS
    told = story.TOLD

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[MvpState]:
        """Open the first round at once. Teams that are not given are dealt, and stored in the roster."""
        core, turn = opening_core(
            in_teams(roster, TEAMS), garnet_credit=config.garnet_credit, phase=RUNNING, stock={CHIP: config.chips}
        )
        deck = config.deck or dict(zip(PLACES, draw.shuffle("deck", CARDS), strict=True))
        state = MvpState(core=core, config=config, deck=deck)
        turn.announce("round_opened", round=state.round, rounds=config.max_rounds)
        return turn.step(state)

    def play_deadline(self, state: MvpState) -> timedelta:
        """The close of the open round."""
        return state.config.closes_at(state.round)

    def advance(self, turn: Turn, state: MvpState, draw: Draw) -> MvpState:
        state = rounds.close(turn, state)
        if state.ending:
            rounds.conclude(turn, state, draw)
            return state
        state = replace(state, round=state.round + 1)
        turn.announce("round_opened", round=state.round, rounds=state.config.max_rounds)
        return state

    # -- views -----------------------------------------------------------------------------------

    score = staticmethod(public_view.score)

    def public_view(self, state: MvpState) -> MvpPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def progress_of_play(self, view: MvpPublic) -> Progress:
        return Progress(f"Round {view.round} of at most {view.max_rounds}", "closes")

    def lots(self, view: MvpPublic, kind: str, field: str) -> Sequence[str]:
        secret = tuple(place.place for place in view.places if place.card is None)
        seen = {place.card for place in view.places}
        lots = {
            "adds": tuple(place.place for place in view.places if place.state != "claimed"),
            "place": secret,
            "card": tuple(card for card in CARDS if card not in seen),
        }
        return lots.get(field, ())

    private_view = staticmethod(private_view.private_view)
    story = staticmethod(story.story)
    forecast = staticmethod(prospects.forecast)
    remedy = staticmethod(prospects.remedy)
    prospects = staticmethod(prospects.prospects)

    def holds(self, state: MvpState, player: str) -> Mapping[str, int]:
        """Chips on cards, including the sealed ones of this round; nothing once the play is over."""
        if state.core.phase != RUNNING:
            return {}
        box = state.sealed.get(player)
        return {CHIP: sum(state.standing_of(player).values()) + (sum(box.value.values()) if box else 0)}

    bot_play = staticmethod(bots.action)
