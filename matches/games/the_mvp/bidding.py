"""Players' actions: bids, and purchases of chips and answers. All raise `Rejected` if a rule is broken."""

from collections.abc import Mapping

from matches.engine import purchases
from matches.engine.actions import Action, GiveTokens, Moves, Vote, action_types
from matches.engine.core import DECISION, GARNET, RUNNING, Phase, replace
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.sealed_rounds import seal
from matches.engine.sentences import counted, joined
from matches.engine.step import Turn
from matches.games.the_mvp.cards import PLACES
from matches.games.the_mvp.rounds import can_add
from matches.games.the_mvp.state import CHIP, Bids, Bought, MvpState

# -- actions -------------------------------------------------------------------------------------------


class PlaceBids(Action, frozen=True, tag="bid"):
    """The player's sealed bids of this round, replacing earlier ones: place -> chips to add."""

    adds: dict[str, int]


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    count: int


class AskIdentity(Action, frozen=True, tag="ask_identity"):
    """Pay to learn which card lies in a place."""

    place: str


class AskLocation(Action, frozen=True, tag="ask_location"):
    """Pay to learn where a card lies."""

    card: str


# -- bidding -------------------------------------------------------------------------------------------

CARD_NOT_OPEN = "card_not_open"
NOT_ENOUGH_CHIPS = "not_enough_chips"
CARD_GONE = "card_gone"

REFUSALS = {
    CARD_NOT_OPEN: "You cannot add chips to this card now.",
    NOT_ENOUGH_CHIPS: "You do not have enough free chips for this.",
    CARD_GONE: "The card has been claimed, or there is no such card or place.",
}

POSSIBLE: dict[Phase, str] = {
    RUNNING: "A round is open: you can bid, and buy chips and answers. Nothing is to be decided yet.",
    DECISION: "The play is over. Only the Elimination Candidate and surplus tokens are still to be decided.",
}


def bid(turn: Turn, state: MvpState, player: str, action: PlaceBids) -> MvpState:
    """Seal bids for this round, replacing earlier ones; they are not compared with other players' bids before the
    round closes."""
    free = turn.balance(player, CHIP) - sum(state.standing_of(player).values())
    judged = _judged(state, action.adds, free)
    return seal(turn, state, player, judged)


def _judged(state: MvpState, adds: Mapping[str, int], free: int) -> Bids:
    """The chips to add, in place order. Raises `Rejected` for the first of the three rules that any bid breaks."""
    for place, amount in adds.items():
        if amount < 1:
            message = "Add a positive whole number of chips to a card; leave it out to add none."
            raise Rejected(NOT_POSITIVE, message, field=f"adds.{place}")
    allowed = can_add(state)
    for place in adds:
        if place not in allowed:
            raise Rejected(CARD_NOT_OPEN, _not_open(state, allowed), field=f"adds.{place}")
    added = sum(adds.values())
    if added > free:
        message = f"These are {counted(added, 'chip')} together; you have {free} that lie on no card yet."
        raise Rejected(NOT_ENOUGH_CHIPS, message, field="adds")
    return {place: adds[place] for place in PLACES if place in adds}


def _not_open(state: MvpState, allowed: Mapping[str, str]) -> str:
    last = "this is the last round, so only exposed cards can be bid on" if state.is_last else ""
    which = f"{last}: {joined(allowed)}." if last else f"you can bid on the cards that are face up: {joined(allowed)}."
    return which[0].upper() + which[1:]


def buy_chips(turn: Turn, state: MvpState, player: str, action: BuyChips) -> MvpState:
    """Buy chips for garnets, at once and privately."""
    purchases.buy_chips(turn, player, CHIP, action.count, state.config.chip_price)
    return state


def ask_identity(turn: Turn, state: MvpState, player: str, action: AskIdentity) -> MvpState:
    """Pay to learn, when the round closes, which card lies at a place, if its card is not claimed."""
    place = action.place
    if place not in state.left:
        raise Rejected(CARD_GONE, f"Ask about a place that still has its card: {joined(state.left)}.", field="place")
    price = state.config.identity_price
    return _ask(turn, state, Bought(player, "identity", place, state.deck[place], state.round, price), "place")


def ask_location(turn: Turn, state: MvpState, player: str, action: AskLocation) -> MvpState:
    """Pay to learn, when the round closes, where a card lies, if it is not claimed."""
    card = action.card
    where = {state.deck[place]: place for place in state.left}
    if card not in where:
        message = "Ask about a card that nobody has claimed, written like pear-3: apple, lemon, pear or grape, 1 to 6."
        raise Rejected(CARD_GONE, message, field="card")
    price = state.config.location_price
    return _ask(turn, state, Bought(player, "location", where[card], card, state.round, price), "card")


def _ask(turn: Turn, state: MvpState, bought: Bought, field: str) -> MvpState:
    """Store the question with its answer, since cards never move. The player gets the answer when the round closes."""
    player, price = bought.player, bought.price
    if not purchases.can_pay(state.core, player, price):
        message = f"This answer costs {counted(price, 'garnet')}; you have {turn.balance(player, GARNET)}."
        raise Rejected(NOT_ENOUGH_GARNETS, message, field=field)
    turn.pay(player, GARNET, price, f"{bought.kind}_asked")
    turn.tell(
        player,
        "question_bought",
        asked=bought.kind,
        about=bought.place if field == "place" else bought.card,
        garnets=price,
    )
    return replace(state, bought=(*state.bought, bought))


MOVES: Moves = {PlaceBids: bid, BuyChips: buy_chips, AskIdentity: ask_identity, AskLocation: ask_location}

# Even a single winner votes, so there is no action to name the candidate.
ACTIONS = action_types(*MOVES, Vote, GiveTokens)
