"""Beginning and closing rounds, who wins each number, and the end of the play: winner, garnets, candidates."""

from collections.abc import Mapping, Sequence

import msgspec

from matches.engine import decisions
from matches.engine.core import GARNET, RUNNING, TOL, replace, with_least, with_most, without_immune
from matches.engine.draw import Draw
from matches.engine.polls import naming
from matches.engine.step import Turn
from matches.games.number_auction.bidding import in_order
from matches.games.number_auction.conditions import Holding, lines_of, met, unique_lines
from matches.games.number_auction.scoring import Points, score
from matches.games.number_auction.state import TOKEN, ClosedRound, Lot, NumbersState

# -- who wins a number ----------------------------------------------------------------------------------


def clear(numbers: Sequence[int], through: Mapping[str, Mapping[int, int]]) -> tuple[Lot, ...]:
    """Sell each number to its highest bidder at the second highest price; in a tie for the highest nobody gets it.

    `through`: player -> number -> bid, for bids that go through.
    """
    return tuple(
        _lot(number, {who: bids[number] for who, bids in through.items() if number in bids}) for number in numbers
    )


def _lot(number: int, bids: Mapping[str, int]) -> Lot:
    ranked = sorted(bids, key=lambda who: -bids[who])
    if not ranked:
        return Lot(number)
    highest, second = bids[ranked[0]], bids[ranked[1]] if len(ranked) > 1 else 0
    return Lot(number) if highest == second else Lot(number, ranked[0], highest, second)


# -- result --------------------------------------------------------------------------------------------


class Standing(msgspec.Struct, frozen=True):
    """A player's result at the end of the play."""

    numbers: tuple[int, ...]
    tokens: int
    points: Points
    conditions: tuple[str, ...]
    lines: tuple[str, ...]
    unique_lines: tuple[str, ...]

    @property
    def key(self) -> tuple[int, int, int]:
        """What decides the match, the most important first."""
        return len(self.unique_lines), len(self.conditions), self.points.total


DECIDED_BY = ("lines", "conditions", "points")
"""The names of the three parts of `Standing.key`."""


def standings(state: NumbersState) -> dict[str, Standing]:
    """Player -> standing after the last round, in list order."""
    held = {handle: Holding(numbers, state.shown[handle], state.rounds) for handle, numbers in state.owned.items()}
    conditions = {handle: met(holding) for handle, holding in held.items()}
    lines = {handle: lines_of(names) for handle, names in conditions.items()}
    unique = unique_lines(lines)
    return {
        handle: Standing(
            holding.numbers,
            holding.tokens,
            score(holding.numbers),
            conditions[handle],
            lines[handle],
            unique[handle],
        )
        for handle, holding in held.items()
    }


def deciding(table: Mapping[str, Standing]) -> tuple[str | None, str]:
    """The winner and what decided: most unique lines, then conditions, then points among players still tied.

    (None, "") if the best players are equal in all three.
    """
    tied = list(table)
    for place, word in enumerate(DECIDED_BY):
        keys = {player: table[player].key[place] for player in tied}
        tied = list(with_most(tied, keys.__getitem__))
        if len(tied) == 1:
            return tied[0], word
    return None, ""


def conclude(turn: Turn, state: NumbersState, draw: Draw) -> None:
    """End the play: find the winner, pay the garnets, and open the decision (or finish at once)."""
    table = standings(state)
    winner, decided_by = deciding(table)
    if winner is None:
        turn.announce("nobody_won")
    else:
        turn.winners = (winner,)
        turn.earn(winner, TOL, 1, "winner_token")
        turn.announce("match_won", player=winner, by=decided_by, count=table[winner].key[DECIDED_BY.index(decided_by)])
    for player, each in table.items():
        turn.earn(player, GARNET, len(each.conditions), "conditions")
        turn.earn(player, GARNET, len(each.lines), "lines")
        if each.conditions:
            turn.tell(player, "garnets_earned", conditions=len(each.conditions), lines=len(each.lines))
    poll = naming(turn.winners, candidates(turn, table))
    # No gifts, because the match gives only one token. Tokens that a host gave by a correction stay where they are.
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time, secret_gifts=())


def candidates(turn: Turn, table: Mapping[str, Standing]) -> tuple[str, ...]:
    """The possible Elimination Candidates: players without a Token of Life who have the fewest points."""
    return with_least(without_immune(turn.purses, turn.handles), lambda player: table[player].points.total)


# -- rounds --------------------------------------------------------------------------------------------


def begin(turn: Turn, state: NumbersState) -> NumbersState:
    """Begin the next round: its numbers become public, and from round 2 on everybody gains the income."""
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
    """Close the open round: numbers are won and paid, and everybody's tokens become public."""
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
