"""The whole match type: what hosts set, what players do, the rules, what is shown, and a bot."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, ClassVar

from matches.engine import bots, decisions
from matches.engine.actions import Action, NameCandidate, RawAction, action_types
from matches.engine.core import RUNNING, TOL, Phase, Sealed, State, balance, replace, without_immune
from matches.engine.draw import Draw
from matches.engine.errors import NOT_POSITIVE, Rejected
from matches.engine.game import Game, opening_core
from matches.engine.match_time import DAY, seconds
from matches.engine.notice_events import ROUTINE, WON
from matches.engine.polls import naming
from matches.engine.sealed_rounds import seal
from matches.engine.sentences import Told
from matches.engine.settings import Roster, Settings, Sizes, Span, Whole, time_to_decide
from matches.engine.step import Step, Turn
from matches.engine.views import Ask, MatchTime, PrivateView, PublicView, Score, private_fields, public_fields

CHIP = "chip"
NOT_ENOUGH_CHIPS = "not_enough_chips"


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match."""

    chips: Annotated[int, Whole("Chips", "What each player starts with.", minimum=1)] = 10
    closes: Annotated[timedelta, Span("Bids close", "Sealed bids are taken until here.", positive=True)] = DAY
    decision_time: Annotated[timedelta, time_to_decide("naming the candidate")] = DAY


class Bid(Action, frozen=True, tag="bid"):
    """A sealed bid; the last one counts."""

    amount: int


class BidState(State[Config], frozen=True):
    """`sealed`: the bids. `price`: what the lot was sold for, None where it was not."""

    sealed: dict[str, Sealed[int]] = {}
    price: int | None = None


class BidPublic(PublicView, frozen=True, kw_only=True):
    """What everyone may know. `price`: what the lot was sold for, None where it was not (yet)."""

    closes_at: MatchTime
    price: int | None


class BidPrivate(PrivateView, frozen=True, kw_only=True):
    """What one player may know beyond that. `bid`: the sealed bid that counts."""

    chips: int
    bid: int | None


class HighestBid(Game[Config, BidState, BidPublic, BidPrivate]):
    """One lot, sealed, for the price that the winner has bid."""

    slug = "highest_bid"
    title = "Highest Bid"
    summary = "Everybody seals one bid for the only lot, and the highest wins if nobody else has bid as much."
    sizes = Sizes(least=2, most=8, usual=(3, 5))
    assets = (CHIP,)
    presets: ClassVar[Mapping[str, Mapping[str, str]]] = {"An hour": {"closes": "1h", "decision_time": "10m"}}
    actions = action_types(Bid, NameCandidate)
    possible: ClassVar[Mapping[Phase, str]] = {
        RUNNING: "Bids are open: you can seal one. Nothing is to be decided yet.",
    }
    refusals: ClassVar[Mapping[str, str]] = {NOT_ENOUGH_CHIPS: "The bid is more than the player's chips."}
    sealed_in = RUNNING
    told: ClassVar[Mapping[str, Told]] = {
        "lot_sold": Told(WON, "{player:name} wins the lot for {price}.", "player"),
        "lot_unsold": Told(ROUTINE, "Nobody wins: there was no highest bid, or two of them."),
    }

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[BidState]:
        core, turn = opening_core(roster, phase=RUNNING, stock={CHIP: config.chips})
        return turn.step(BidState(core, config))

    def act(self, turn: Turn, state: BidState, player: str, action: Action) -> BidState:
        if not isinstance(action, Bid):
            raise TypeError(f"{type(action).__name__} is not asked in this game")
        if action.amount < 1:
            raise Rejected(NOT_POSITIVE, "Bid 1 chip or more.", field="amount")
        if action.amount > (chips := turn.balance(player, CHIP)):
            raise Rejected(NOT_ENOUGH_CHIPS, f"You have {chips} chips: bid so many at most.", field="amount")
        return seal(turn, state, player, action.amount)

    def play_deadline(self, state: BidState) -> timedelta:
        return state.config.closes

    def advance(self, turn: Turn, state: BidState, draw: Draw) -> BidState:
        """The bids close: the highest wins and is paid, if there is but one; its bidder names the candidate."""
        turn.touch_all()
        price = max((bid.value for bid in state.sealed.values()), default=0)
        highest = tuple(player for player, bid in state.sealed.items() if bid.value == price)
        if len(highest) == 1:
            turn.winners = highest
            turn.pay(highest[0], CHIP, price, "lot_won")
            turn.earn(highest[0], TOL, 1, "lot_won")
            turn.announce("lot_sold", player=highest[0], price=price)
            state = replace(state, price=price)
        else:
            turn.announce("lot_unsold")
        poll = naming(turn.winners, without_immune(turn.purses, turn.handles))
        decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time)
        return state

    def public_view(self, state: BidState) -> BidPublic:
        shared = public_fields(state.core, self.next_deadline(state))
        return BidPublic(**shared, closes_at=seconds(state.config.closes), price=state.price)

    def private_view(self, state: BidState, player: str, now: timedelta | None = None) -> BidPrivate:
        bid = state.sealed[player].value if player in state.sealed else None
        asked = () if bid else (Ask("bid", "Seal your bid.", seconds(state.config.closes)),)
        idle = f"If you do nothing, your bid of {bid} counts." if bid else "If you do nothing, you do not bid."
        chips = balance(state.core.purses, player, CHIP)
        return BidPrivate(**private_fields(state.core, player, asked, idle, now), chips=chips, bid=bid)

    def holds(self, state: BidState, player: str) -> Mapping[str, int]:
        bid = state.sealed.get(player)
        return {CHIP: bid.value} if bid and state.core.phase == RUNNING else {}

    def score(self, state: BidState) -> Score:
        chips = {player: balance(state.core.purses, player, CHIP) for player in state.core.handles}
        return Score(chips, {"price": state.price})

    def bot_play(self, public: BidPublic, private: BidPrivate, now: timedelta, draw: Draw) -> RawAction | None:
        if not private.asked or not private.chips:
            return None
        return {"type": "bid", "amount": 1 + bots.Chance(draw, private.handle, "bid").below(private.chips, "amount")}
