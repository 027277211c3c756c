"""The public view, and the result with what becomes public at the end."""

from datetime import timedelta
from functools import cached_property

import msgspec

from matches.engine.core import DECISION, FINISHED, GARNET, PRIORITY, TOL, balances
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import round_fields
from matches.engine.sentences import counted
from matches.engine.views import (
    MatchTime,
    PublicView,
    Score,
    WhoLeads,
    places_by,
    public_fields,
    settings_shown,
    tokens_of_life,
)
from matches.games.number_auction.bidding import purchase_price
from matches.games.number_auction.conditions import TITLES, Holding
from matches.games.number_auction.rounds import deciding, standings
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.sheet_views import Prospect, SheetView, compared, prospect, sheet
from matches.games.number_auction.state import TOKEN, Lot, NumbersState

# -- the result ----------------------------------------------------------------------------------------


class BidView(msgspec.Struct, frozen=True):
    """A bid of a closed round. `fate`: `won`, `lost` (also in a tie for the highest) or `dropped` (it did not go
    through). `price`: what was paid, None unless it won. `at`: when it was submitted."""

    number: int
    player: str
    amount: int
    fate: str
    price: int | None
    at: MatchTime


class RoundBids(msgspec.Struct, frozen=True):
    """Everybody's bids in one round, opened when the match is finished; sorted by number, then highest first."""

    round: int
    bids: tuple[BidView, ...]


class RankView(msgspec.Struct, frozen=True):
    """What decides the match, for one player. `garnets`: those earned by conditions and lines."""

    handle: str
    unique_lines: int
    conditions: int
    points: int
    lines: int
    garnets: int


class AccountView(msgspec.Struct, frozen=True):
    """A player's private facts, opened when the match is finished. `spent`: garnets paid for tokens."""

    handle: str
    tokens: int
    purchases: int
    tokens_bought: int
    spent: int
    garnets: int
    priority: int
    tokens_of_life: int


class ResultView(msgspec.Struct, frozen=True):
    """The result, from the end of the last round on.

    `decided_by`: what made the difference: `lines`, `conditions` or `points`; empty if nobody won. `ranks`: best first.
    `rounds` and `accounts` are empty until the match is finished.
    """

    winner: str | None
    decided_by: str
    ranks: tuple[RankView, ...]
    rounds: tuple[RoundBids, ...] = ()
    accounts: tuple[AccountView, ...] = ()


def bids_of_round(state: NumbersState, place: int, player: str) -> tuple[BidView, ...]:
    """One player's bids in the closed round number `place`, lowest amount first; for that player alone until the match
    is finished."""
    closed = state.closed[place - 1]
    box = closed.sealed.get(player)
    if box is None:
        return ()
    lots = {lot.number: lot for lot in closed.lots}
    dropped = closed.dropped.get(player, ())
    found = []
    for number, amount in sorted(box.value.items(), key=lambda bid: (bid[1], bid[0])):
        lot = lots[number]
        won = lot.player == player
        fate = "won" if won else "dropped" if number in dropped else "lost"
        found.append(BidView(number, player, amount, fate, lot.price if won else None, seconds(box.at)))
    return tuple(found)


def result_view(state: NumbersState) -> ResultView:
    """The part of the result that is public in this phase."""
    done = state.core.phase == FINISHED
    table = standings(state)
    winner, decided_by = deciding(table)
    ranks = sorted(table.items(), key=lambda each: each[1].key, reverse=True)
    bids = [
        [bid for handle in state.core.handles for bid in bids_of_round(state, place, handle)]
        for place in range(1, len(state.closed) + 1)
    ]
    return ResultView(
        winner=winner,
        decided_by=decided_by,
        ranks=tuple(
            RankView(
                handle,
                len(each.unique_lines),
                len(each.conditions),
                each.points.total,
                len(each.lines),
                len(each.conditions) + len(each.lines),
            )
            for handle, each in ranks
        ),
        rounds=tuple(
            RoundBids(place, tuple(sorted(each, key=lambda bid: (bid.number, -bid.amount))))
            for place, each in enumerate(bids if done else (), 1)
        ),
        accounts=_accounts(state) if done else (),
    )


def _accounts(state: NumbersState) -> tuple[AccountView, ...]:
    """The private facts of all players."""
    purses, each = state.core.purses, state.config.tokens_per_garnet
    return tuple(
        AccountView(
            handle=handle,
            purchases=bought,
            tokens_bought=bought * each,
            spent=purchase_price(bought) - 1,
            **balances(purses, handle, tokens=TOKEN, garnets=GARNET, priority=PRIORITY, tokens_of_life=TOL),
        )
        for handle in state.core.handles
        for bought in (state.bought.get(handle, 0),)
    )


def score(state: NumbersState) -> Score:
    """Everybody's score, and the details of a finished match."""
    table = standings(state)
    return Score(
        scores={handle: each.points.total for handle, each in table.items()},
        details={
            handle: {
                "numbers": list(each.numbers),
                "tokens": each.tokens,
                "points": msgspec.structs.asdict(each.points),
                "conditions": list(each.conditions),
                "lines": list(each.lines),
                "unique_lines": list(each.unique_lines),
            }
            for handle, each in table.items()
        },
    )


# -- the public view -----------------------------------------------------------------------------------


class NumberView(msgspec.Struct, frozen=True):
    """One of the 50 numbers as everyone sees it.

    `state`: `later` (its round is still secret), `open` (up for auction now), `sold` or `gone` (nobody got it).
    `round`: its round, None while that is secret. `player`, `bid`, `price`: who got it, with which bid, and at which
    price; None unless it is sold.
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
    closed_at: MatchTime
    lots: tuple[NumberView, ...]


class NumbersPublic(PublicView, frozen=True, kw_only=True):
    """The public board. Times are match times.

    `round`: the number, from 1, of the open round, or of the last one at the end; 0 in the pregame. `numbers`: those up
    for auction now, ascending; empty between rounds. `starts_at`: when the first round begins. `opens_at`, `closes_at`:
    the times of the open round, else None. `board`: all 50 numbers. `sheets`: a score sheet for each player in list
    order, with the tokens as last published. `history`: the closed rounds, in order. `tokens_of_life`: player -> Tokens
    of Life held now.
    """

    round: int
    rounds: int
    numbers_per_round: int
    numbers: tuple[int, ...]
    starts_at: MatchTime
    opens_at: MatchTime | None
    closes_at: MatchTime | None
    board: tuple[NumberView, ...]
    sheets: tuple[SheetView, ...]
    history: tuple[RoundView, ...]
    tokens: int
    income: int
    tokens_per_garnet: int
    tokens_of_life: dict[str, int]
    result: ResultView | None

    @property
    def open_lots(self) -> tuple[NumberView, ...]:
        """The numbers that are up for auction now."""
        return tuple(number for number in self.board if number.state == "open")

    @property
    def bid_fields(self) -> tuple[str, ...]:
        """The form's field names for the bids that can be made now; fields for other numbers come from an old page."""
        return tuple(f"bids[{number}]" for number in self.numbers)

    @property
    def rounds_left(self) -> int:
        """How many rounds come after the current one."""
        return self.rounds - self.round

    @property
    def rounds_known(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each round that has begun, ascending."""
        over = tuple(tuple(lot.number for lot in each.lots) for each in self.history)
        return (*over, self.numbers) if self.numbers else over

    @property
    def titles(self) -> dict[str, str]:
        """Condition -> its short name."""
        return TITLES

    @cached_property
    def prospects(self) -> dict[int, tuple[Prospect, ...]]:
        """Number up for auction -> what it would bring each player, most points first, by what everyone knows."""
        return {
            number: tuple(sorted((prospect(each, number) for each in self.sheets), key=lambda each: -each.points))
            for number in self.numbers
        }

    @cached_property
    def at_stake(self) -> dict[str, str]:
        """Condition -> its short name, for those that a number up for auction would meet or lose somebody."""
        names = {name for each in self.prospects.values() for one in each for name in (*one.met, *one.lost)}
        return {name: TITLES[name] for name in sorted(names)}

    @property
    def taken_from(self) -> dict[str, tuple[str, ...]]:
        """Player -> the lines that other players have."""
        return {
            one.handle: tuple(line for each in self.sheets if each.handle != one.handle for line in each.lines)
            for one in self.sheets
        }

    @property
    def _reached(self) -> dict[str, tuple[int, int, int]]:
        """Player -> (unique lines, conditions met, points), which decide the match in this order."""
        return {
            sheet.handle: (len(sheet.unique_lines), len(sheet.conditions), sheet.points.total) for sheet in self.sheets
        }

    @property
    def ranking(self) -> dict[str, int]:
        return places_by(self._reached)

    @property
    def who_leads(self) -> WhoLeads:
        """The players who would win if no number were left; as lines everybody's points, conditions and lines."""
        keys = self._reached
        lines = {
            handle: f"{counted(points, 'point')}, {met} met" + (f", {counted(alone, 'unique line')}" if alone else "")
            for handle, (alone, met, points) in keys.items()
            if points
        }
        best = max(keys.values(), default=(0, 0, 0))
        if not best[-1]:
            return WhoLeads((), "Nobody owns a number yet")
        return WhoLeads(tuple(handle for handle, key in keys.items() if key == best), "the best sheet so far", lines)

    @property
    def obtainable(self) -> tuple[int, ...]:
        """The numbers that can still be won."""
        return tuple(number.number for number in self.board if number.state in ("open", "later"))


def public_view(state: NumbersState, next_deadline: timedelta | None) -> NumbersPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    board = _board(state)
    return NumbersPublic(
        **public_fields(core, next_deadline),
        **round_fields(core, config, state.round),
        **settings_shown(config, "rounds", "numbers_per_round", "tokens", "income", "tokens_per_garnet"),
        numbers=state.numbers,
        starts_at=seconds(config.pregame),
        board=board,
        sheets=compared(sheets_of(state)),
        history=tuple(
            RoundView(place, seconds(config.closes_at(place)), tuple(board[lot.number - 1] for lot in closed.lots))
            for place, closed in enumerate(state.closed, 1)
        ),
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


def obtainable_of(state: NumbersState) -> tuple[int, ...]:
    """The numbers that can still be won, ascending."""
    decided = {lot.number for lot in state.lots}
    return tuple(number for number in NUMBERS if number not in decided)


def sheets_of(state: NumbersState) -> tuple[SheetView, ...]:
    """The sheets of all players with their publicly known tokens, not yet compared with each other."""
    obtainable, rounds = obtainable_of(state), state.rounds
    return tuple(
        sheet(handle, Holding(numbers, state.shown[handle], rounds), obtainable)
        for handle, numbers in state.owned.items()
    )
