"""Players' actions: sealed bids and purchases. All functions raise `Rejected` if a rule is broken."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from matches.engine import purchases, sealed
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING, Phase
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.ledger import GARNET
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.games.number_auction.auction import purchase_price
from matches.games.number_auction.state import TOKEN, Bids, NumbersState

UNKNOWN_NUMBER = "unknown_number"
NOT_ENOUGH_TOKENS = "not_enough_tokens"

REFUSALS = {
    UNKNOWN_NUMBER: "This round is not about that number.",
    NOT_ENOUGH_TOKENS: "You have fewer tokens than a bid needs.",
}
"""The codes of these rules, beside those of the engine, and what they mean."""

replace = msgspec.structs.replace

POSSIBLE: dict[Phase, str] = {
    PREGAME: "The first round has not begun: until then you can only buy tokens.",
    RUNNING: "A round is open: you can bid on its numbers and buy tokens. Nothing is to be decided yet.",
    DECISION: "The last round has closed. Only the Elimination Candidate is still to be named.",
    FINISHED: "The match is finished.",
}


def bid(turn: Turn, state: NumbersState, player: str, bids: Mapping[str, int]) -> NumbersState:
    """Seal bids for this round, replacing the earlier ones; they are not compared with other players' bids."""
    judged = _judged(state, bids, turn.balance(player, TOKEN))
    turn.touch(player)
    return replace(state, sealed=sealed.put(state.sealed, player, judged, turn.now))


def _judged(state: NumbersState, bids: Mapping[str, int], tokens: int) -> Bids:
    """The positive bids, by number. Raises `Rejected` for the first of the three rules that any of them breaks."""
    for name, amount in bids.items():
        if amount < 0:
            message = "A bid is a whole number of tokens, 0 or more; 0 means that you do not bid."
            raise Rejected(NOT_POSITIVE, message, field=f"bids.{name}")
    known = {str(number): number for number in state.numbers}
    for name in bids:
        if name not in known:
            message = f"This round is about {joined(known)}; other numbers cannot be bid on now."
            raise Rejected(UNKNOWN_NUMBER, message, field=f"bids.{name}")
    for name, amount in bids.items():
        if amount > tokens:
            message = f"You have {counted(tokens, 'token')}, so {tokens} is the most that you can bid on {name}."
            raise Rejected(NOT_ENOUGH_TOKENS, message, field=f"bids.{name}")
    return {known[name]: bids[name] for name in known if bids.get(name)}


def buy_tokens(turn: Turn, state: NumbersState, player: str) -> NumbersState:
    """Buy tokens for garnets, privately, until the last round closes."""
    bought = state.bought.get(player, 0)
    price, brings = purchase_price(bought), state.config.tokens_per_garnet
    if not purchases.can_pay(state.core, player, price):
        raise Rejected(
            NOT_ENOUGH_GARNETS,
            f"Your next {counted(brings, 'token')} would cost {counted(price, 'garnet')}; "
            f"you have {turn.balance(player, GARNET)}.",
        )
    turn.pay(player, GARNET, price, "tokens_bought")
    turn.earn(player, TOKEN, brings, "tokens_bought")
    turn.tell(player, "tokens_bought", tokens=brings, garnets=price)
    return replace(state, bought=state.bought | {player: bought + 1})
