"""The result as viewers see it, and what becomes public with it."""

import msgspec

from matches.engine.core import FINISHED, GARNET, PRIORITY, TOL, balances
from matches.engine.match_time import seconds
from matches.engine.views import MatchTime, Score
from matches.games.number_auction.bidding import purchase_price
from matches.games.number_auction.rounds import deciding, standings
from matches.games.number_auction.state import TOKEN, NumbersState


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
    """Everybody's bids in one round, opened when the match is finished; by number, the highest first."""

    round: int
    bids: tuple[BidView, ...]


class RankView(msgspec.Struct, frozen=True):
    """What decides the match, for one player. `garnets`: earned by conditions and lines."""

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

    `decided_by`: in what the winner was ahead: `lines`, `conditions` or `points`; empty if nobody won. `ranks`: best
    first. `rounds` and `accounts` are empty until the match is finished.
    """

    winner: str | None
    decided_by: str
    ranks: tuple[RankView, ...]
    rounds: tuple[RoundBids, ...] = ()
    accounts: tuple[AccountView, ...] = ()


def bids_of_round(state: NumbersState, place: int, player: str) -> tuple[BidView, ...]:
    """One player's bids in a closed round, counted from 1, lowest amount first; for that player alone until the match
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
        rounds=_rounds(state) if done else (),
        accounts=_accounts(state) if done else (),
    )


def _rounds(state: NumbersState) -> tuple[RoundBids, ...]:
    opened = []
    for place in range(1, len(state.closed) + 1):
        bids = [bid for handle in state.core.handles for bid in bids_of_round(state, place, handle)]
        opened.append(RoundBids(place, tuple(sorted(bids, key=lambda bid: (bid.number, -bid.amount)))))
    return tuple(opened)


def _accounts(state: NumbersState) -> tuple[AccountView, ...]:
    """Everybody's private facts."""
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
