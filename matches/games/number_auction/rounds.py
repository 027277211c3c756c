"""Starting and closing rounds."""

from __future__ import annotations

import msgspec

from matches.engine.core import RUNNING
from matches.engine.step import Turn
from matches.games.number_auction.auction import clear, in_order
from matches.games.number_auction.state import TOKEN, ClosedRound, Lot, NumbersState

replace = msgspec.structs.replace


def begin(turn: Turn, state: NumbersState) -> NumbersState:
    """Begin the next round at `turn.now`: its numbers become public; from round 2 on everybody gains the income."""
    turn.phase = RUNNING
    turn.touch_all()
    number = state.round + 1
    income = state.config.income if number > 1 else 0
    for player in turn.handles:
        turn.earn(player, TOKEN, income, "income")
    shown = {player: tokens + income for player, tokens in state.shown.items()}
    turn.announce(
        "round_opened",
        round=number,
        rounds=state.config.rounds,
        numbers=list(state.numbers_of(number)),
        income=income,
    )
    return replace(state, round=number, shown=shown)


def close(turn: Turn, state: NumbersState) -> NumbersState:
    """Close the open round at `turn.now`: numbers are won and paid, and everybody's tokens become public."""
    turn.touch_all()
    placed = {
        player: in_order(state.sealed[player].value, turn.balance(player, TOKEN))
        for player in turn.handles
        if player in state.sealed
    }
    through = {player: {bid.number: bid.amount for bid in bids if bid.goes_through} for player, bids in placed.items()}
    dropped = {player: tuple(bid.number for bid in bids if not bid.goes_through) for player, bids in placed.items()}
    lots = clear(state.numbers, through)
    for lot in lots:
        _settle(turn, lot)
    for player, bids in placed.items():
        _tell_bidder(turn, player, state.round, {bid.number: bid.amount for bid in bids}, lots, dropped[player])
    closed = ClosedRound(lots, state.sealed, {player: numbers for player, numbers in dropped.items() if numbers})
    return replace(
        state,
        sealed={},
        closed=(*state.closed, closed),
        shown={player: turn.balance(player, TOKEN) for player in turn.handles},
    )


def _settle(turn: Turn, lot: Lot) -> None:
    if lot.player is None or lot.bid is None or lot.price is None:
        turn.announce("number_gone", number=lot.number)
        return
    turn.bid("won", str(lot.number), lot.player, TOKEN, lot.bid)
    turn.pay(lot.player, TOKEN, lot.price, "number_won")
    turn.announce("number_sold", number=lot.number, player=lot.player, bid=lot.bid, price=lot.price)


def _tell_bidder(
    turn: Turn, player: str, place: int, bids: dict[int, int], lots: tuple[Lot, ...], dropped: tuple[int, ...]
) -> None:
    """Tell a bidder privately what became of their bids."""
    won = [lot for lot in lots if lot.player == player]
    lost = sorted(set(bids) - {lot.number for lot in won} - set(dropped))
    for number in lost:
        turn.bid("lost", str(number), player, TOKEN, bids[number], public=False)
    for number in dropped:
        turn.bid("dropped", str(number), player, TOKEN, bids[number], public=False)
    if won:
        prices = [{"number": lot.number, "price": lot.price} for lot in won]
        turn.tell(player, "numbers_won", round=place, lots=prices)
    if lost or dropped:
        turn.tell(player, "bids_lost", round=place, lost=lost, dropped=list(dropped))
