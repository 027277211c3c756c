"""The match type: it fulfils the contract of `matches.engine.game`."""

from collections.abc import Sequence
from datetime import timedelta

from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes
from matches.engine.step import Step
from matches.engine.views import Progress
from matches.games.coin_collectors import bidding, bots, private_view, public_view, rounds, story, what_if
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.items import KINDS, asset_of
from matches.games.coin_collectors.private_view import CollectorsPrivate
from matches.games.coin_collectors.public_view import CollectorsPublic
from matches.games.coin_collectors.shares import COINS
from matches.games.coin_collectors.state import QUESTIONS, CollectorsState


class CoinCollectors(Game[Config, CollectorsState, CollectorsPublic, CollectorsPrivate]):
    """Sealed rounds of auctions; gold bidders share first, then silver, then bronze."""

    slug = "coin_collectors"
    title = "Coin Collectors"
    summary = (
        "In rounds of sealed auctions, coins buy shares of more coins. Gold gets its share first, then silver, "
        "then bronze, and only the highest kind of coin on an auction is spent."
    )
    designers = ("e_is_cool",)
    sizes = Sizes(least=3, most=12, usual=(7, 7))
    first_settings = ("pregame", "round", "start", "limit_price", "rounds")
    assets = (*COINS, *map(asset_of, KINDS))
    presets = {
        "Five rounds, a day each": {},
        "One evening, a quarter of an hour a round": {"pregame": "15m", "round": "15m", "decision_time": "15m"},
    }
    endurance = {"round": "365d", "start": dict.fromkeys(COINS, 1000)}
    actions = bidding.ACTIONS
    moves = bidding.MOVES
    possible = bidding.POSSIBLE
    refusals = bidding.REFUSALS
    told = story.TOLD
    sealed_in = RUNNING
    questions = QUESTIONS
    lot_key = "auction"
    amendable = ("rounds",)
    judge_change = staticmethod(rounds.judge_change)
    changes_closed = staticmethod(rounds.changes_closed)

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[CollectorsState]:
        stock: dict[str, int] = {coin: config.start.of(coin) for coin in COINS}
        core, turn = opening_core(roster, garnet_credit=config.garnet_credit, phase=PREGAME, stock=stock)
        return turn.step(CollectorsState(core=core, config=config))

    def play_deadline(self, state: CollectorsState) -> timedelta:
        """The pregame's end, then the close of the round."""
        return state.config.closes_at(state.round)

    advance = staticmethod(rounds.advance)

    # -- views -----------------------------------------------------------------------------------

    score = staticmethod(public_view.score)

    def public_view(self, state: CollectorsState) -> CollectorsPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def progress_of_play(self, view: CollectorsPublic) -> Progress:
        if view.current is None:
            return Progress("Pregame", "round 1 opens")
        return Progress(f"Round {view.round} of {view.rounds}", "bids close")

    def lots(self, view: CollectorsPublic, kind: str, field: str) -> Sequence[str]:
        if view.current is None or field != "bids":
            return ()
        return tuple(auction.name for auction in view.current.auctions)

    private_view = staticmethod(private_view.private_view)
    story = staticmethod(story.story)

    bot_play = staticmethod(bots.action)

    # -- what if ---------------------------------------------------------------------------------
    answer = staticmethod(what_if.answer)
    forecast = staticmethod(what_if.forecast)
