"""The match type: it fulfils the contract of `matches.engine.game`."""

from datetime import timedelta

from matches.engine.core import PREGAME
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes
from matches.engine.step import Step, Turn
from matches.engine.views import Progress
from matches.games.black_and_white import bots, play, story, views
from matches.games.black_and_white.config import Config
from matches.games.black_and_white.play import POINT, DuelState, Round
from matches.games.black_and_white.views import DuelPrivate, DuelPublic


class BlackAndWhite(Game[Config, DuelState, DuelPublic, DuelPrivate]):
    """A duel: the higher of two secret numbers wins the round, and both are spent."""

    slug = "black_and_white"
    title = "Black and White"
    summary = (
        "A duel with numbers that nobody sees. In each round both players place some of their points as a number, one "
        "after the other. The higher number wins, and both are spent. Everybody sees black for a small number, white "
        "for a large one, and roughly how full each purse is, but never the number."
    )
    sizes = Sizes(least=2, most=2, usual=(2, 2))
    assets = (POINT,)
    presets = {
        "A day for each turn": {},
        "At the table, a minute for each turn": {"pregame": "2m", "move_time": "1m"},
    }
    endurance = {"points": 999, "rounds": 25, "wins": 25, "move_time": "365d"}
    actions = play.ACTIONS
    moves = play.MOVES
    possible = play.POSSIBLE
    refusals = play.REFUSALS
    told = story.TOLD

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[DuelState]:
        """The state at the opening, with the leader of round 1 set or drawn. Without a pregame round 1 begins at
        once."""
        core, turn = opening_core(
            roster, phase=PREGAME, stock={POINT: config.points}, garnet_credit=config.garnet_credit
        )
        first = config.first
        if first is None:
            first = draw.choice("first", turn.handles)
            turn.announce("first_drawn", player=first)
        state = DuelState(core=core, config=config, current=Round(first))
        return turn.step(state if config.pregame else play.begin(turn, state))

    def play_deadline(self, state: DuelState) -> timedelta:
        """The end of the pregame, then the end of each turn; at once if a host has taken the player's last points."""
        if state.on_turn is None:
            return state.config.pregame
        return state.turn_ends if state.points_of(state.on_turn) else state.core.time

    def advance(self, turn: Turn, state: DuelState, draw: Draw) -> DuelState:
        return play.begin(turn, state) if state.on_turn is None else play.pass_turn(turn, state)

    # -- views -----------------------------------------------------------------------------------

    score = staticmethod(views.score)
    forecast = staticmethod(views.forecast)

    def public_view(self, state: DuelState) -> DuelPublic:
        return views.public_view(state, self.next_deadline(state))

    private_view = staticmethod(views.private_view)
    story = staticmethod(story.story)
    bot_play = staticmethod(bots.action)

    def begins_chapter(self, kind: str) -> bool:
        return kind == "round_opened"

    def progress_of_play(self, view: DuelPublic) -> Progress:
        if view.phase == PREGAME:
            return Progress("Before round 1", "begins")
        return Progress(f"Round {view.round} of at most {view.most_rounds}", "turn ends")
