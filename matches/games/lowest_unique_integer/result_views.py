"""The views of the result, of what becomes public with it, and of the end if nobody bids any more."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from matches.engine.core import FINISHED, GARNET, PRIORITY, TOL, balance, balances
from matches.engine.match_time import seconds
from matches.engine.views import MatchTime, Score
from matches.games.lowest_unique_integer.config import Grid
from matches.games.lowest_unique_integer.deadlines import priority_won, token_sources, winning_seat
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Bid

# -- result views --------------------------------------------------------------------------------------


class AwardView(msgspec.Struct, frozen=True):
    """Tokens of Life that the play earned. `seat` is where they come from.

    `reason`: `winner_tokens`, `neighbour_token` or `unclaimed_neighbour`.
    """

    seat: str
    player: str
    count: int
    reason: str


class SealedView(msgspec.Struct, frozen=True):
    """A sealed bid; `dropped` is the code of the rule it broke, None if it broke none (so far)."""

    seat: str
    amount: int
    at: MatchTime
    dropped: str | None


class AccountView(msgspec.Struct, frozen=True):
    """A player's private facts, opened when the match is finished.

    `priority`: held at the end; `priority_won` came from seats, `priority_tie_break` from making priorities unique.
    """

    handle: str
    chips: int
    chips_bought: int
    garnets: int
    priority: int
    priority_won: int
    priority_tie_break: int
    tokens: int
    sealed: SealedView | None


class ResultView(msgspec.Struct, frozen=True):
    """The result, from the end of the auction on.

    `winner`, `winning_seat`, `winning_amount` are None if no seat was won. `awards` are the
    tokens that the play earned, before gifts. `accounts` is empty until the match is finished.
    """

    winner: str | None
    winning_seat: str | None
    winning_amount: int | None
    awards: tuple[AwardView, ...]
    accounts: tuple[AccountView, ...] = ()


def sealed_view(state: AuctionState, player: str) -> SealedView | None:
    """One player's sealed bid, for that player alone until the match is finished."""
    bid = state.sealed.get(player)
    if bid is None:
        return None
    return SealedView(bid.value.seat, bid.value.amount, seconds(bid.at), state.dropped.get(player))


def result_view(state: AuctionState) -> ResultView:
    """The part of the result that is public in this phase."""
    seat = winning_seat(state.won)
    bid = state.won[seat] if seat else None
    sources = token_sources(state.config.grid, state.config.winner_tokens, state.won)
    return ResultView(
        winner=bid.player if bid else None,
        winning_seat=seat,
        winning_amount=bid.amount if bid else None,
        awards=tuple(AwardView(*source) for source in sources if source[2]),
        accounts=_accounts(state) if state.core.phase == FINISHED else (),
    )


def _accounts(state: AuctionState) -> tuple[AccountView, ...]:
    """The private facts of all players."""
    purses = state.core.purses
    won = priority_won(state.config, state.won)
    return tuple(
        AccountView(
            handle=handle,
            chips_bought=state.bought.get(handle, 0),
            **balances(purses, handle, chips=CHIP, garnets=GARNET, priority=PRIORITY, tokens=TOL),
            priority_won=won[handle],
            priority_tie_break=state.tie_break.get(handle, 0),
            sealed=sealed_view(state, handle),
        )
        for handle in state.core.handles
    )


def score(state: AuctionState) -> Score:
    """Everybody's score, and the details of a finished match."""
    core = state.core
    seats = {
        seat: {"player": bid.player, "amount": bid.amount} if (bid := state.won.get(seat)) else None
        for seat in state.config.grid.seats
    }
    return Score(
        scores={handle: balance(core.purses, handle, CHIP) for handle in core.handles},
        details={
            "seats": seats,
            "winning_seat": winning_seat(state.won),
            "priority": {handle: balance(core.purses, handle, PRIORITY) for handle in core.handles},
        },
    )


# -- quiet -----------------------------------------------------------------------------------------------
# The end of the auction if nobody bids any more, as everybody can compute it.

SURE, POSSIBLE = "sure", "possible"


class QuietLine(msgspec.Struct, frozen=True):
    """A player at the end if nobody bids any more. `seats`: those won by then; `tokens`: Tokens of Life; `chips`: how
    many are left of those that the player started with, without what they buy and hosts correct, which nobody sees;
    `danger`: what the function `danger` returns for these."""

    handle: str
    seats: tuple[str, ...]
    tokens: int
    chips: int
    danger: str


class QuietEnd(msgspec.Struct, frozen=True):
    """The end if nobody bids any more. `winner`, `seat` and `amount` are None if no seat is won by then. `unprotected`:
    whether everybody has a token, so that no token protects anybody."""

    winner: str | None
    seat: str | None
    amount: int | None
    lines: tuple[QuietLine, ...]
    unprotected: bool

    def line(self, handle: str) -> QuietLine:
        """A player's line."""
        return next(line for line in self.lines if line.handle == handle)


def quiet_end(
    grid: Grid,
    winner_tokens: int,
    chips: int,
    loser_chips: int,
    held: Mapping[str, int],
    won: Mapping[str, Bid],
) -> QuietEnd:
    """The end with the seats in `won`, if players started with `chips` chips, bought none and hosts corrected none.
    `held`: player -> Tokens of Life before it, for all players."""
    seat = winning_seat(won)
    tokens = Counter[str](held)
    for _, player, count, _ in token_sources(grid, winner_tokens, won):
        tokens[player] += count
    unprotected = all(tokens[handle] for handle in held)
    lines = []
    for handle in held:
        own = {each: bid.amount for each, bid in won.items() if bid.player == handle}
        left = max(chips - sum(own.values()), 0)
        near = danger(bool(tokens[handle]) and not unprotected, left, loser_chips)
        lines.append(QuietLine(handle, tuple(own), tokens[handle], left, near))
    best = won[seat] if seat else None
    return QuietEnd(
        best.player if best else None, seat, best.amount if best else None, tuple(lines), unprotected=unprotected
    )


def danger(is_immune: bool, chips: int, loser_chips: int) -> str:
    """How close a player with at least these chips is to being Elimination Candidate: empty if immune; `sure` if surely
    one of those to choose from; `possible` if only the fewest chips would make them one."""
    if is_immune:
        return ""
    return SURE if chips >= loser_chips else POSSIBLE
