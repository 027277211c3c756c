"""The private view: what one player may know beyond the public board. Only this module fills it."""

from datetime import timedelta

import msgspec

from matches.engine import purchases
from matches.engine.core import GARNET, PREGAME, PRIORITY, RUNNING, balance, balances
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import asked_to_seal
from matches.engine.sentences import counted
from matches.engine.views import MatchTime, PrivateView, private_fields
from matches.games.number_auction.bidding import OwnBid, in_order, purchase_price, spent
from matches.games.number_auction.conditions import Holding
from matches.games.number_auction.public_view import BidView, bids_of_round, obtainable_of, sheets_of
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.sheet_views import Prospect, SheetView, against, prospect, sheet
from matches.games.number_auction.state import TOKEN, NumbersState


class BidsView(msgspec.Struct, frozen=True):
    """Bids compared with the player's tokens, lowest amount first.

    `at`: when they were made, None for a forecast. `spent`: their cost if every bid that goes through wins for its own
    amount; `left`: the tokens then left. `dropped`: the numbers whose bids do not go through.
    """

    bids: tuple[OwnBid, ...]
    spent: int
    left: int
    dropped: tuple[int, ...]
    at: MatchTime | None = None


class OwnRound(msgspec.Struct, frozen=True):
    """The player's bids in a closed round and what became of them, lowest amount first."""

    round: int
    bids: tuple[BidView, ...]


class NumbersPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own purse and bids.

    `bids`: those that count now, None if there are none in this round. `bought`: purchases so far; `next_price`: the
    next one's price in garnets; `tokens_per_purchase`: how many tokens it brings. `sheet`: the player's own score sheet
    with their real tokens. `past`: their bids in earlier rounds, in order.
    """

    tokens: int
    garnets: int
    priority: int
    bids: BidsView | None
    may_bid: bool
    may_buy: bool
    bought: int
    next_price: int
    tokens_per_purchase: int
    sheet: SheetView
    past: tuple[OwnRound, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The player's numbers, ascending."""
        return self.sheet.numbers

    @property
    def prospects(self) -> dict[int, Prospect]:
        """What each number that the player does not own would bring them, with their real tokens."""
        return {number: prospect(self.sheet, number) for number in NUMBERS if number not in self.numbers}


def private_view(state: NumbersState, player: str, now: timedelta | None = None) -> NumbersPrivate:
    """What this player may know beyond the public board, and may do now."""
    core, config = state.core, state.config
    asked = asked_to_seal(state, player, f"You can bid on the numbers of round {state.round}.")
    bought = state.bought.get(player, 0)
    next_price = purchase_price(bought)
    own = Holding(state.owned[player], balance(core.purses, player, TOKEN), state.rounds)
    others = {each.handle: each.lines for each in sheets_of(state) if each.handle != player}
    return NumbersPrivate(
        **private_fields(core, player, asked, _if_idle(state, player), now),
        **balances(core.purses, player, tokens=TOKEN, garnets=GARNET, priority=PRIORITY),
        bids=_own_bids(state, player),
        may_bid=core.phase == RUNNING,
        may_buy=core.phase in (PREGAME, RUNNING) and purchases.can_pay(core, player, next_price),
        bought=bought,
        next_price=next_price,
        tokens_per_purchase=config.tokens_per_garnet,
        sheet=against(sheet(player, own, obtainable_of(state)), others),
        past=tuple(
            OwnRound(place, bids)
            for place in range(1, len(state.closed) + 1)
            if (bids := bids_of_round(state, place, player))
        ),
    )


def measured(bids: dict[int, int], tokens: int, at: MatchTime | None = None) -> BidsView:
    """Bids (number -> positive amount) compared with the player's tokens."""
    placed = in_order(bids, tokens)
    return BidsView(
        bids=placed,
        spent=spent(placed),
        left=tokens - spent(placed),
        dropped=tuple(bid.number for bid in placed if not bid.goes_through),
        at=at,
    )


def _own_bids(state: NumbersState, player: str) -> BidsView | None:
    box = state.sealed.get(player)
    if box is None:
        return None
    return measured(box.value, balance(state.core.purses, player, TOKEN), seconds(box.at))


def _if_idle(state: NumbersState, player: str) -> str:
    """A sentence on what happens if the player does nothing, using only what the player may know."""
    phase = state.core.phase
    if phase == PREGAME:
        return "If you do nothing, you go into the first round with the tokens that you have."
    if phase != RUNNING:
        return ""
    return _if_idle_in_round(state, _own_bids(state, player))


def _if_idle_in_round(state: NumbersState, own: BidsView | None) -> str:
    if own is None or not own.bids:
        keep = "you keep your tokens" if state.round == state.config.rounds else "your tokens go into the next round"
        return f"If you do nothing, you bid on none of this round's numbers and {keep}."
    going = [f"{bid.amount} on {bid.number}" for bid in own.bids if bid.goes_through]
    goes = f", your {', '.join(going)} {'goes' if len(going) == 1 else 'go'} through when the round closes"
    text = f"If you do nothing{goes if going else ''}"
    if not own.dropped:
        return f"{text}."
    dropped = [f"{bid.amount} on {bid.number}" for bid in own.bids if not bid.goes_through]
    because = f"because you have only {counted(own.spent + own.left, 'token')}"
    are = "is" if len(dropped) == 1 else "are"
    return f"{text}{';' if going else ','} your {', '.join(dropped)} {are} dropped, {because}."
