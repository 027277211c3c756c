"""The match type: it fulfils the contract of `matches.engine.game`."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from matches.engine.core import PREGAME
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes
from matches.engine.step import Step
from matches.engine.views import Progress
from matches.games.lowest_unique_integer import (
    advice,
    bidding,
    bots,
    deadlines,
    private_view,
    public_view,
    result_views,
    story,
)
from matches.games.lowest_unique_integer.auction import REFUSALS, Auction, committed
from matches.games.lowest_unique_integer.config import Config
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic
from matches.games.lowest_unique_integer.state import CHIP, AuctionState


class LowestUniqueInteger(Game[Config, AuctionState, AuctionPublic, AuctionPrivate]):
    """Ascending auctions for the seats of a wrap-around grid; the lowest winning bid wins."""

    slug = "lowest_unique_integer"
    title = "Lowest Unique Integer"
    summary = (
        "All seats of a grid are up for auction at once, and no two standing bids may have the same amount. The "
        "lowest winning bid wins the match, and the seats beside it bring Tokens of Life. The grid wraps around."
    )
    designers = ("RedsToad",)
    sizes = Sizes(least=3, most=26, usual=(8, 11))
    uses_priority = True
    first_settings = ("variant", "chips", "pregame", "bid_timer", "winner_tokens")
    assets = (CHIP,)
    presets = {
        "F11, twelve seats": {"variant": "F11"},
        "F8, nine seats": {"variant": "F8"},
    }
    preset_sizes = {"F11, twelve seats": (9, 11), "F8, nine seats": (8, 8)}
    endurance = {"chips": 1_000_000, "loser_chips": 1_000_000}
    sealed_in = PREGAME
    actions = bidding.ACTIONS
    moves = bidding.MOVES
    possible = bidding.POSSIBLE
    refusals = REFUSALS
    told = story.TOLD
    recap_without = frozenset({"bid_placed"})
    lot_key = "seat"

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[AuctionState]:
        core, turn = opening_core(
            roster,
            garnet_credit=config.garnet_credit,
            phase=PREGAME,
            stock={CHIP: config.chips},
        )
        return turn.step(AuctionState(core=core, config=config))

    def play_deadline(self, state: AuctionState) -> timedelta:
        """The end of the pregame; then the end of the next timer, the end by silence, or the latest end."""
        return state.config.pregame if state.core.phase == PREGAME else min(Auction(state).deadlines())

    def closes_before(self, state: AuctionState) -> timedelta | None:
        """The close of sealed bids."""
        is_over = state.core.phase != PREGAME or bidding.sealing_is_over(state, state.core.time)
        return None if is_over else state.config.pregame_closes

    advance = staticmethod(deadlines.advance)

    finish = staticmethod(deadlines.settle_priorities)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: AuctionState) -> AuctionPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def progress_of_play(self, view: AuctionPublic) -> Progress:
        if view.phase == PREGAME:
            return Progress("Before the auction", "opens")
        if view.next_deadline == view.ends_if_silent_at:
            return Progress("Auction", "ends if nobody bids")
        return Progress("Auction", "everything stops" if view.next_deadline == view.stop_at else "the next timer ends")

    def lots(self, view: AuctionPublic, kind: str, field: str) -> Sequence[str]:
        open_seats = (seat.seat for row in view.board for seat in row if seat.state in ("open", "standing"))
        return tuple(open_seats) if field == "seat" else ()

    private_view = staticmethod(private_view.private_view)
    score = staticmethod(result_views.score)
    story = staticmethod(story.story)

    def holds(self, state: AuctionState, player: str) -> Mapping[str, int]:
        return {CHIP: committed(state.standing, player)}

    remedy = staticmethod(advice.remedy)
    prospects = staticmethod(advice.prospects)
    advice = staticmethod(advice.advice)
    bot_play = staticmethod(bots.action)
