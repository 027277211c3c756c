"""What viewers are shown: whitelists, filled here and nowhere else."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING
from matches.engine.durations import optional_seconds, seconds
from matches.engine.ledger import GARNET, MOST, PRIORITY, balance
from matches.engine.views import (
    DECISION_IF_IDLE,
    Ask,
    Moment,
    PrivateView,
    PublicView,
    decisions_asked,
    decisions_view,
    own_balances,
    own_decisions,
    player_lines,
    tokens_of_life,
)
from matches.engine.words import counted
from matches.games.number_auction.auction import Placed, in_order, purchase_price, spent
from matches.games.number_auction.conditions import Holding
from matches.games.number_auction.result_views import BidView, ResultView, bids_of_round, result_view
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.sheets import SheetView, against, compared, sheet
from matches.games.number_auction.state import TOKEN, Lot, NumbersState

# -- what everyone may know --------------------------------------------------------------------


class NumberView(msgspec.Struct, frozen=True):
    """One of the 50 numbers as everyone sees it.

    `state`: `later` (its round is not known), `open` (up for auction now), `sold` or `gone` (nobody took it).
    `round`: its round, None while that is a secret. `player`, `bid`, `price`: who took it, with which bid, for how
    much; None unless it is sold.
    """

    number: int
    state: str
    round: int | None = None
    player: str | None = None
    bid: int | None = None
    price: int | None = None


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over. `lots` are its numbers, ascending, each `sold` or `gone`."""

    round: int
    closed_at: Moment
    lots: tuple[NumberView, ...]


class NumbersPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Moments are match times.

    `round`: the open one, or in the end the last, counted from 1; 0 in the pregame. `numbers`: up for auction now,
    ascending; empty where no round is open. `starts_at`: when the first round begins. `opens_at`, `closes_at`: of
    the open round, None where there is none. `board`: all 50 numbers. `sheets`: a score sheet for each player in
    list order; its tokens are those of the last time that everybody's were published. `history`: the rounds that
    are over, the first one first. `tokens_of_life`: who holds Tokens of Life now.
    """

    round: int
    rounds: int
    numbers_per_round: int
    numbers: tuple[int, ...]
    starts_at: Moment
    opens_at: Moment | None
    closes_at: Moment | None
    board: tuple[NumberView, ...]
    sheets: tuple[SheetView, ...]
    history: tuple[RoundView, ...]
    tokens: int
    income: int
    tokens_per_garnet: int
    tokens_of_life: dict[str, int]
    result: ResultView | None

    # What follows from the fields, for templates; JSON has the fields alone.

    @property
    def open_lots(self) -> tuple[NumberView, ...]:
        """The numbers that are up for auction now."""
        return tuple(number for number in self.board if number.state == "open")

    @property
    def bid_fields(self) -> tuple[str, ...]:
        """How forms name the bids that can be made now. A bid on any other number comes from an older page."""
        return tuple(f"bids[{number}]" for number in self.numbers)

    @property
    def last_round(self) -> RoundView | None:
        """The round that closed last; None before the first has."""
        return self.history[-1] if self.history else None

    @property
    def is_last(self) -> bool:
        """Whether no round, and so no income, follows the present one."""
        return self.round == self.rounds

    @property
    def rounds_left(self) -> int:
        """How many rounds come after the present one."""
        return self.rounds - self.round

    @property
    def numbers_left(self) -> int:
        """How many numbers have not come up yet."""
        return sum(number.state == "later" for number in self.board)

    @property
    def rounds_known(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each round that has begun, ascending."""
        over = tuple(tuple(lot.number for lot in each.lots) for each in self.history)
        return (*over, self.numbers) if self.numbers else over

    @property
    def obtainable(self) -> tuple[int, ...]:
        """The numbers that are not decided yet."""
        return tuple(number.number for number in self.board if number.state in ("open", "later"))


def public_view(state: NumbersState, next_deadline: timedelta | None) -> NumbersPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    is_open = core.phase == RUNNING
    board = _board(state)
    return NumbersPublic(
        phase=core.phase,
        players=player_lines(core),
        next_deadline=optional_seconds(next_deadline),
        winners=core.winners,
        candidates=core.candidates,
        decisions=decisions_view(core),
        round=state.round,
        rounds=config.rounds,
        numbers_per_round=config.numbers_per_round,
        numbers=state.numbers,
        starts_at=seconds(config.pregame),
        opens_at=seconds(config.opens_at(state.round)) if is_open else None,
        closes_at=seconds(config.closes_at(state.round)) if is_open else None,
        board=board,
        sheets=compared(_sheets(state)),
        history=_history(state, board),
        tokens=config.tokens,
        income=config.income,
        tokens_per_garnet=config.tokens_per_garnet,
        tokens_of_life=tokens_of_life(core),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
    )


def _board(state: NumbersState) -> tuple[NumberView, ...]:
    decided = {lot.number: lot for lot in state.lots}
    round_of = {number: place for place, numbers in enumerate(state.rounds, 1) for number in numbers}
    return tuple(_number(number, decided.get(number), round_of.get(number)) for number in NUMBERS)


def _number(number: int, lot: Lot | None, place: int | None) -> NumberView:
    if lot is None:
        return NumberView(number, "later" if place is None else "open", place)
    return NumberView(number, "gone" if lot.player is None else "sold", place, lot.player, lot.bid, lot.price)


def _history(state: NumbersState, board: tuple[NumberView, ...]) -> tuple[RoundView, ...]:
    return tuple(
        RoundView(
            round=place,
            closed_at=seconds(state.config.closes_at(place)),
            lots=tuple(board[lot.number - 1] for lot in closed.lots),
        )
        for place, closed in enumerate(state.closed, 1)
    )


def _obtainable(state: NumbersState) -> tuple[int, ...]:
    decided = {lot.number for lot in state.lots}
    return tuple(number for number in NUMBERS if number not in decided)


def _sheets(state: NumbersState) -> tuple[SheetView, ...]:
    """Everybody's sheet by itself; the tokens are those that are publicly known."""
    obtainable, rounds = _obtainable(state), state.rounds
    return tuple(
        sheet(handle, Holding(numbers, state.shown[handle], rounds), obtainable)
        for handle, numbers in state.owned.items()
    )


# -- what one player may know beyond that ------------------------------------------------------


class OwnBid(msgspec.Struct, frozen=True):
    """One's own bid, in the order in which bids are looked at. `running`: the sum of all bids up to this one.
    `goes_through`: it fits into the tokens that one has."""

    number: int
    amount: int
    running: int
    goes_through: bool


class BidsView(msgspec.Struct, frozen=True):
    """Bids measured against the tokens that one has: the lowest amount first.

    `at`: when this version was made, None for one that is only asked about. `spent`: what it costs if every bid
    that goes through wins for its own amount, which is the most that it can cost; `left`: the tokens that then
    remain. `dropped`: the numbers whose bids do not go through.
    """

    bids: tuple[OwnBid, ...]
    spent: int
    left: int
    dropped: tuple[int, ...]
    at: Moment | None = None

    def amount_on(self, number: int) -> int:
        """The tokens that are bid on a number; 0 for none."""
        return next((bid.amount for bid in self.bids if bid.number == number), 0)

    @property
    def amounts(self) -> dict[str, int]:
        """Number as text -> tokens, as the action says it."""
        return {str(bid.number): bid.amount for bid in self.bids}


class OwnRound(msgspec.Struct, frozen=True):
    """What became of one's own bids in a round that is over, the lowest amount first."""

    round: int
    bids: tuple[BidView, ...]


class NumbersPrivate(PrivateView, frozen=True, kw_only=True):
    """One's own purse and bids.

    `bids`: the version that counts, None where one has made none in this round. `bought`: purchases so far;
    `next_price`: what the next one costs, in garnets; `tokens_per_purchase`: what it brings. `sheet`: one's own
    score sheet with the tokens that one really has. `past`: one's own bids in earlier rounds, the first one first.
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
        """One's own numbers, ascending."""
        return self.sheet.numbers


def private_view(state: NumbersState, player: str) -> NumbersPrivate:
    """What this player may know beyond the public board, and may do now."""
    core, config = state.core, state.config
    asked = _asked(state, player)
    return NumbersPrivate(
        handle=player,
        balances=own_balances(core, player),
        asked=asked,
        decided=own_decisions(core, player),
        if_idle=_if_idle(state, player, asked),
        tokens=balance(core.purses, player, TOKEN),
        garnets=balance(core.purses, player, GARNET),
        priority=balance(core.purses, player, PRIORITY),
        bids=_own_bids(state, player),
        may_bid=core.phase == RUNNING,
        may_buy=core.phase in (PREGAME, RUNNING) and can_buy(state, player),
        bought=state.bought.get(player, 0),
        next_price=purchase_price(state.bought.get(player, 0)),
        tokens_per_purchase=config.tokens_per_garnet,
        sheet=_own_sheet(state, player),
        past=tuple(
            OwnRound(place, bids)
            for place in range(1, len(state.closed) + 1)
            if (bids := bids_of_round(state, place, player))
        ),
    )


def measured(bids: dict[int, int], tokens: int, at: Moment | None = None) -> BidsView:
    """Bids (number -> positive amount) against so many tokens."""
    placed: tuple[Placed, ...] = in_order(bids, tokens)
    return BidsView(
        bids=tuple(OwnBid(*bid) for bid in placed),
        spent=spent(placed),
        left=tokens - spent(placed),
        dropped=tuple(bid.number for bid in placed if not bid.goes_through),
        at=at,
    )


def can_buy(state: NumbersState, player: str) -> bool:
    """Whether this player could pay for tokens now; credit ends far away."""
    garnets = balance(state.core.purses, player, GARNET) + (MOST if state.config.garnet_credit else 0)
    return garnets >= purchase_price(state.bought.get(player, 0))


def _own_bids(state: NumbersState, player: str) -> BidsView | None:
    box = state.sealed.get(player)
    if box is None:
        return None
    return measured(box.value, balance(state.core.purses, player, TOKEN), seconds(box.at))


def _own_sheet(state: NumbersState, player: str) -> SheetView:
    others = {each.handle: each.lines for each in _sheets(state) if each.handle != player}
    own = Holding(state.owned[player], balance(state.core.purses, player, TOKEN), state.rounds)
    return against(sheet(player, own, _obtainable(state)), others)


def _asked(state: NumbersState, player: str) -> tuple[Ask, ...]:
    """Bids while there are none in this round; later the decision."""
    if state.core.phase != RUNNING:
        return decisions_asked(state.core, player)
    if player in state.sealed:
        return ()
    text = f"You can bid on the numbers of round {state.round}."
    return (Ask("bid", text, seconds(state.config.closes_at(state.round))),)


def _if_idle(state: NumbersState, player: str, asked: tuple[Ask, ...]) -> str:
    """What happens if this player does nothing, from what this player may know."""
    phase = state.core.phase
    if phase == PREGAME:
        return "If you do nothing, you go into the first round with the tokens that you have."
    if phase != RUNNING:
        return DECISION_IF_IDLE if asked else ""
    return _if_idle_in_round(state, _own_bids(state, player))


def _if_idle_in_round(state: NumbersState, own: BidsView | None) -> str:
    if own is None or not own.bids:
        keep = "you keep your tokens" if state.round == state.config.rounds else "your tokens go into the next round"
        return f"If you do nothing, you bid on none of this round's numbers and {keep}."
    going = [f"{bid.amount} on {bid.number}" for bid in own.bids if bid.goes_through]
    said = f"If you do nothing, your {_bids(going)} when the round closes" if going else "If you do nothing"
    if not own.dropped:
        return f"{said}."
    dropped = [f"{bid.amount} on {bid.number}" for bid in own.bids if not bid.goes_through]
    glue = "; your" if going else ", your"
    return f"{said}{glue} {', '.join(dropped)} {'is' if len(dropped) == 1 else 'are'} dropped, because {_short(own)}."


def _bids(going: list[str]) -> str:
    return f"{', '.join(going)} {'goes' if len(going) == 1 else 'go'} through"


def _short(own: BidsView) -> str:
    return f"you have only {counted(own.spent + own.left, 'token')}"
