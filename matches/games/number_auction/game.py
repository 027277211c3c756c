"""The match type: it fulfils the contract of `matches.engine.game`."""

from collections.abc import Sequence
from datetime import timedelta

from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes
from matches.engine.step import Step, Turn
from matches.engine.views import Progress
from matches.games.number_auction import bidding, bots, private_view, public_view, rounds, story, what_if
from matches.games.number_auction.config import Config
from matches.games.number_auction.private_view import NumbersPrivate
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.state import TOKEN, NumbersState


class NumberAuction(Game[Config, NumbersState, NumbersPublic, NumbersPrivate]):
    """Sealed second-price rounds for the numbers 1 to 50; lines in a grid of conditions decide."""

    slug = "number_auction"
    title = "Number Auction"
    summary = (
        "The numbers 1 to 50 go to the highest bidders, who pay the second highest bids. All bids of a round are "
        "sealed. The player with the most unique lines in a grid of conditions wins."
    )
    designers = ("pseudonam",)
    sizes = Sizes(least=3, most=8, usual=(4, 4))
    first_settings = ("rounds", "tokens", "income", "first_round", "round")
    assets = (TOKEN,)
    presets = {"Ten days, a round a day": {}}
    endurance = {"tokens": 1_000_000, "first_round": "365d"}
    lot_key = "number"
    demo_match_numbers = {"decision": 528}  # fewest points are rarely a tie
    actions = bidding.ACTIONS
    moves = bidding.MOVES
    possible = bidding.POSSIBLE
    refusals = bidding.REFUSALS
    told = story.TOLD
    sealed_in = RUNNING
    questions = bidding.QUESTIONS

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[NumbersState]:
        core, turn = opening_core(
            roster, garnet_credit=config.garnet_credit, phase=PREGAME, stock={TOKEN: config.tokens}
        )
        order = config.numbers or draw.shuffle("numbers", NUMBERS)
        shown = dict.fromkeys(core.handles, config.tokens)
        return turn.step(NumbersState(core=core, config=config, order=order, shown=shown))

    def play_deadline(self, state: NumbersState) -> timedelta:
        """The match time at which the first round begins; then that of each round's close."""
        return state.config.pregame if state.core.phase == PREGAME else state.config.closes_at(state.round)

    def advance(self, turn: Turn, state: NumbersState, draw: Draw) -> NumbersState:
        if state.core.phase == RUNNING:
            state = rounds.close(turn, state)
        if state.round < state.config.rounds:
            return rounds.begin(turn, state)
        rounds.conclude(turn, state, draw)
        return state

    # -- views -----------------------------------------------------------------------------------

    score = staticmethod(public_view.score)

    def public_view(self, state: NumbersState) -> NumbersPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def progress_of_play(self, view: NumbersPublic) -> Progress:
        if view.phase == PREGAME:
            return Progress("Before round 1", "begins")
        return Progress(f"Round {view.round} of {view.rounds}", "closes")

    def lots(self, view: NumbersPublic, kind: str, field: str) -> Sequence[str]:
        return tuple(str(lot.number) for lot in view.open_lots) if field == "bids" else ()

    private_view = staticmethod(private_view.private_view)
    story = staticmethod(story.story)
    answer = staticmethod(what_if.answer)
    forecast = staticmethod(what_if.forecast)

    bot_play = staticmethod(bots.action)
