"""Players' actions (sealed bids and purchases), which bids go through, and what purchases cost."""

from collections.abc import Mapping, Sequence

import msgspec

from matches.engine import purchases
from matches.engine.actions import Action, Moves, NameCandidate, action_types
from matches.engine.core import DECISION, GARNET, PREGAME, RUNNING, Phase, replace
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.sealed_rounds import seal
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.games.number_auction.state import TOKEN, Bids, NumbersState

# -- actions -------------------------------------------------------------------------------------------


class PlaceBids(Action, frozen=True, tag="bid"):
    """The player's sealed bids of this round, replacing earlier ones: number (as text) -> tokens."""

    bids: dict[str, int]


class BuyTokens(Action, frozen=True, tag="buy_tokens"):
    """Buy one lot of tokens for garnets."""

    phases = (PREGAME, RUNNING)


class WhatIf(Action, frozen=True, tag="what_if"):
    """Ask what these numbers would score. `tokens`: with this many left; None means the asker's own tokens."""

    numbers: tuple[int, ...] = ()
    tokens: int | None = None


QUESTIONS = action_types(WhatIf)


# -- auction -------------------------------------------------------------------------------------------


class OwnBid(msgspec.Struct, frozen=True):
    """One of the player's bids. `running`: the sum of all bids up to this one, in the order in which they are checked.
    `goes_through`: whether the player has enough tokens for it."""

    number: int
    amount: int
    running: int
    goes_through: bool


def in_order(bids: Mapping[int, int], tokens: int) -> tuple[OwnBid, ...]:
    """A player's positive bids, lowest amount first (equal amounts: lower number first), compared with `tokens`.

    Bids go through while the running sum fits; the first one that does not fit and all after it are dropped.
    """
    placed, running = [], 0
    for number, amount in sorted(bids.items(), key=lambda bid: (bid[1], bid[0])):
        # Sums never fall, so after the first one that is too large all are.
        running += amount
        placed.append(OwnBid(number, amount, running, running <= tokens))
    return tuple(placed)


def spent(placed: Sequence[OwnBid]) -> int:
    """The cost if every bid that goes through wins for its own amount."""
    return max((bid.running for bid in placed if bid.goes_through), default=0)


def purchase_price(bought: int) -> int:
    """The price in garnets of the next purchase of tokens, after `bought` purchases: 1, 2, 4 …"""
    return 1 << bought


# -- bidding -------------------------------------------------------------------------------------------

UNKNOWN_NUMBER = "unknown_number"
NOT_ENOUGH_TOKENS = "not_enough_tokens"

REFUSALS = {
    UNKNOWN_NUMBER: "That number is not up for auction in this round.",
    NOT_ENOUGH_TOKENS: "You do not have enough tokens for a bid.",
}

POSSIBLE: dict[Phase, str] = {
    PREGAME: "The first round has not begun: until then you can only buy tokens.",
    RUNNING: "A round is open: you can bid on its numbers and buy tokens. Nothing is to be decided yet.",
    DECISION: "The last round has closed. Only the Elimination Candidate is still to be named.",
}


def bid(turn: Turn, state: NumbersState, player: str, action: PlaceBids) -> NumbersState:
    """Seal bids for this round, replacing the earlier ones; they are not compared with other players' bids."""
    judged = _judged(state, action.bids, turn.balance(player, TOKEN))
    return seal(turn, state, player, judged)


def _judged(state: NumbersState, bids: Mapping[str, int], tokens: int) -> Bids:
    """Number -> positive bid. Raises `Rejected` for the first of the three rules that any bid breaks."""
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


def buy_tokens(turn: Turn, state: NumbersState, player: str, action: BuyTokens) -> NumbersState:
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


MOVES: Moves = {PlaceBids: bid, BuyTokens: buy_tokens}

# At most one Token of Life is won, so there is never one to give away.
ACTIONS = action_types(*MOVES, NameCandidate)
